package bot.arena;

import arena.v1.Bot.BotMessage;
import arena.v1.Bot.RefereeMessage;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;

/** How the referee is reached: its address and its one call, arena.v1.Referee/Play of bot.proto. */
final class Referee {

    /** What a service generator would make of the one call; by hand it is shorter than the generator's setup. */
    static final MethodDescriptor<BotMessage, RefereeMessage> PLAY =
            MethodDescriptor.<BotMessage, RefereeMessage>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName("arena.v1.Referee/Play")
                    .setRequestMarshaller(ProtoUtils.marshaller(BotMessage.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(RefereeMessage.getDefaultInstance()))
                    .build();

    private Referee() {}

    /** A channel to an address such as unix:///run/arena/seat.sock or 127.0.0.1:50051. It has one thread of its own. */
    static ManagedChannel dial(String address) {
        // Netty makes names for its channels from the number of a network card. A sandbox has none, of which it would warn.
        System.setProperty("io.netty.machineId", "00:00:00:00:00:01");
        boolean isUnix = address.startsWith("unix:");
        // Netty's portable channels: the JDK itself knows Unix-domain sockets. The usual advice, epoll, is a native library
        // for each system, which has to be unpacked at every start.
        Class<? extends Channel> kind = isUnix ? NioDomainSocketChannel.class : NioSocketChannel.class;
        return NettyChannelBuilder.forAddress(isUnix ? unixAddress(address) : tcpAddress(address))
                .channelType(kind)
                .eventLoopGroup(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
                .withOption(ChannelOption.SO_KEEPALIVE, null) // gRPC's default, of which a Unix-domain socket knows nothing
                .directExecutor()
                .overrideAuthority("localhost")
                .proxyDetector(target -> null) // the referee is on this machine: a proxy in the environment is not for it
                .usePlaintext()
                .build();
    }

    private static SocketAddress unixAddress(String address) {
        URI target = URI.create(address); // unix:///absolute/path, or unix:path
        return UnixDomainSocketAddress.of(target.isOpaque() ? target.getSchemeSpecificPart() : target.getPath());
    }

    private static SocketAddress tcpAddress(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
