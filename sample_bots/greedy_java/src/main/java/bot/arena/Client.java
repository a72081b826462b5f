package bot.arena;

import arena.v1.Bot.Answer;
import arena.v1.Bot.BotMessage;
import arena.v1.Bot.FaultNotice;
import arena.v1.Bot.Hello;
import arena.v1.Bot.RefereeMessage;
import arena.v1.Bot.Turn;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;

/**
 * The conversation with the referee: connect, greet, answer every turn until the referee ends the call. One thread reads,
 * chooses and answers. Nothing here is about how to play; a new bot can keep this package as it is.
 */
public final class Client {

    private static final int PROTOCOL_VERSION = 1;
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("arena-token", Metadata.ASCII_STRING_MARSHALLER);

    private final Bot bot;
    private final BlockingClientCall<BotMessage, RefereeMessage> call;

    private Client(Bot bot, BlockingClientCall<BotMessage, RefereeMessage> call) {
        this.bot = bot;
        this.call = call;
    }

    /**
     * Play until the referee ends the call, then exit: with 0 when it is done with us, with another code and a line on
     * stderr when it refused us or is not there. Never returns.
     *
     * @param name for logs
     */
    public static void play(String name, Bot bot) {
        int code = 1; // for an exception of the bot's, which is a crash
        try {
            code = converse(name, bot);
        } catch (StatusException error) {
            Status status = error.getStatus();
            Throwable cause = status.getCause();
            System.err.printf("the referee ended the call: %s: %s%s%n", status.getCode(), status.getDescription(),
                    cause == null ? "" : ": " + cause.getMessage());
            code = 3;
        } catch (InterruptedException | RuntimeException error) {
            error.printStackTrace();
        }
        // halt() and not exit(): there is nothing to clean up in a process that is done.
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    private static int converse(String name, Bot bot) throws StatusException, InterruptedException {
        String address = System.getenv("ARENA_ADDRESS");
        if (address == null) {
            System.err.println("ARENA_ADDRESS is not set: this program is a bot and is started by the arena");
            return 2;
        }
        Metadata headers = new Metadata();
        headers.put(TOKEN, System.getenv().getOrDefault("ARENA_TOKEN", ""));
        var channel = ClientInterceptors.intercept(
                Referee.dial(address), MetadataUtils.newAttachHeadersInterceptor(headers));
        var client = new Client(bot, ClientCalls.blockingBidiStreamingCall(channel, Referee.PLAY, CallOptions.DEFAULT));
        client.greet(name);
        client.answerTurns();
        return 0;
    }

    private void greet(String name) throws StatusException, InterruptedException {
        Hello hello = Hello.newBuilder()
                .addVersions(PROTOCOL_VERSION)
                .setName(name)
                .setLanguage("java " + Runtime.version().feature())
                .build();
        call.write(BotMessage.newBuilder().setHello(hello).build());
    }

    private void answerTurns() throws StatusException, InterruptedException {
        RefereeMessage message;
        while ((message = call.read()) != null) { // null: the referee ended the call with OK
            switch (message.getBodyCase()) {
                case TURN -> answer(message.getTurn());
                case MATCH_START -> bot.matchStart(message.getMatchStart());
                case GAME_RESULT -> bot.gameEnd(message.getGameResult());
                case MATCH_RESULT -> bot.matchEnd(message.getMatchResult());
                case FAULT -> log(message.getFault());
                default -> {} // the welcome, or what a later version of the protocol brought
            }
        }
    }

    private void answer(Turn turn) throws StatusException, InterruptedException {
        Answer answer = Answer.newBuilder().setTurn(turn.getNumber()).setMove(bot.choose(turn)).build();
        call.write(BotMessage.newBuilder().setAnswer(answer).build());
    }

    private static void log(FaultNotice fault) {
        System.err.printf("fault %d of %d, turn %d: %s%n",
                fault.getFaults(), fault.getMaxFaults(), fault.getTurn(), fault.getReason());
    }
}
