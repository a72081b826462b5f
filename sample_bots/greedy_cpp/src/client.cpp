#include "client.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

#include <grpcpp/grpcpp.h>

#include "arena/v1/bot.grpc.pb.h"

namespace arena {
namespace {

constexpr int kProtocolVersion = 1;
constexpr int kExitNotStartedByArena = 2;
constexpr int kExitRefused = 3;

// The names of gRPC's status codes, by number.
constexpr const char* kCodes[] = {
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
};

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::shared_ptr<grpc::Channel> dial(const std::string& address) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // a proxy in the environment is not for the referee
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

v1::BotMessage hello(const std::string& name) {
    v1::BotMessage message;
    message.mutable_hello()->add_versions(kProtocolVersion);
    message.mutable_hello()->set_name(name);
    message.mutable_hello()->set_language("c++");
    return message;
}

v1::BotMessage answer(const v1::Turn& turn, v1::Move move) {
    v1::BotMessage message;
    message.mutable_answer()->set_turn(turn.number());
    *message.mutable_answer()->mutable_move() = std::move(move);
    return message;
}

}  // namespace

int serve(const std::string& name, Bot& bot) {
    const std::string address = variable("ARENA_ADDRESS");
    if (address.empty()) {
        std::cerr << "ARENA_ADDRESS is not set: this program is a bot and is started by the arena\n";
        return kExitNotStartedByArena;
    }
    const auto referee = v1::Referee::NewStub(dial(address));
    grpc::ClientContext context;
    context.AddMetadata("arena-token", variable("ARENA_TOKEN"));
    const auto call = referee->Play(&context);

    // A write that fails means that the call is over; Read() then returns false and Finish() says why.
    call->Write(hello(name));
    v1::RefereeMessage message;
    while (call->Read(&message)) {
        switch (message.body_case()) {
            case v1::RefereeMessage::kTurn:
                call->Write(answer(message.turn(), bot.choose(message.turn())));
                break;
            case v1::RefereeMessage::kMatchStart:
                bot.match_start(message.match_start());
                break;
            case v1::RefereeMessage::kGameResult:
                bot.game_end(message.game_result());
                break;
            case v1::RefereeMessage::kMatchResult:
                bot.match_end(message.match_result());
                break;
            case v1::RefereeMessage::kFault:
                std::cerr << "fault " << message.fault().faults() << " of " << message.fault().max_faults() << ", turn "
                          << message.fault().turn() << ": " << message.fault().reason() << std::endl;
                break;
            default:  // the welcome, and messages that a newer referee may send
                break;
        }
    }
    const grpc::Status status = call->Finish();
    if (!status.ok()) {
        std::cerr << "the referee ended the call: " << kCodes[status.error_code()] << ": " << status.error_message() << "\n";
        return kExitRefused;
    }
    return 0;
}

}  // namespace arena
