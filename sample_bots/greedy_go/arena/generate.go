package arena

// The code in v1 is committed, since protoc is on few machines. After a change of the .proto, with a protoc on the PATH:
//
//	go generate ./arena

//go:generate go build -o ../bin/ google.golang.org/protobuf/cmd/protoc-gen-go google.golang.org/grpc/cmd/protoc-gen-go-grpc
//go:generate protoc --plugin=../bin/protoc-gen-go --plugin=../bin/protoc-gen-go-grpc --proto_path=../proto --go_out=.. --go_opt=module=bot,Marena/v1/bot.proto=bot/arena/v1;arenav1 --go-grpc_out=.. --go-grpc_opt=module=bot,Marena/v1/bot.proto=bot/arena/v1;arenav1 arena/v1/bot.proto
