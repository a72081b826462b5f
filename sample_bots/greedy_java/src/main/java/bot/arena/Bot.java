package bot.arena;

import arena.v1.Bot.GameResult;
import arena.v1.Bot.MatchResult;
import arena.v1.Bot.MatchStart;
import arena.v1.Bot.Move;
import arena.v1.Bot.Turn;

/** What plays. An exception in one of its methods ends the program: a crash. */
public interface Bot {

    /** The move to play, one of the turn's legal ones. There is time for it in moveMs, and more to take from bankMs. */
    Move choose(Turn turn);

    /** A match begins, with the own seat, the teams, the rules and the clock. */
    default void matchStart(MatchStart start) {}

    /** A game has ended. */
    default void gameEnd(GameResult result) {}

    /** A match has ended; another one may begin. */
    default void matchEnd(MatchResult result) {}
}
