package bot;

import arena.v1.Bot.Card;
import arena.v1.Bot.Move;
import arena.v1.Bot.MoveKind;
import arena.v1.Bot.Play;
import arena.v1.Bot.Turn;
import arena.v1.Bot.View;
import bot.arena.Bot;
import bot.arena.Cards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The strategy: give every legal move a score and play the best one. Whole numbers only, nothing is remembered. */
final class Strategy implements Bot {

    /** What a hand is worth more for each trump. */
    private static final int TRUMP_BONUS = 12;
    /** What a hand is worth more when so many of its cards are of one suit: they can be led together. */
    private static final int[] GROUP_BONUS = {0, 0, 8, 24, 48};
    /** What it is worth to lead so many cards: the more, the harder they are to beat. */
    private static final int[] LEAD_BONUS = {0, 0, 20, 80, 160};
    /** What it is worth to beat, for each card of the trick. */
    private static final int BEAT_BONUS = 10;

    /** The legal move with the highest score; of several, the one that comes first. */
    @Override
    public Move choose(Turn turn) {
        Move best = null;
        int bestScore = Integer.MIN_VALUE;
        for (Move move : turn.getLegalList()) {
            int score = score(turn.getView(), move);
            if (score > bestScore) {
                best = move;
                bestScore = score;
            }
        }
        return best;
    }

    /** How good a move looks. */
    private static int score(View view, Move move) {
        if (move.getKind() == MoveKind.MOVE_KIND_PULL) {
            return 1;
        }
        if (move.getKind() == MoveKind.MOVE_KIND_PASS) {
            return 0;
        }
        List<Card> cards = move.getCardsList();
        int points = Cards.points(cards);
        int trump = Cards.suit(view.getIndicator());
        int lost = worth(view.getHandList(), trump) - worth(without(view.getHandList(), cards), trump);
        if (move.getKind() == MoveKind.MOVE_KIND_LEAD) {
            return LEAD_BONUS[cards.size()] + points - lost;
        }

        // What lies on the table: the current trick, without what a pull has sent back.
        Play winning = null; // the lead or the last beat; a discard never wins
        int laid = 0;
        int caught = 0; // card points that can be seen: hidden discards have no cards here
        for (Play play : view.getTricks(view.getTricksCount() - 1).getPlaysList()) {
            if (play.getReturned()) {
                continue;
            }
            laid++;
            caught += Cards.points(play.getCardsList());
            if (play.getKind() != MoveKind.MOVE_KIND_DISCARD) {
                winning = play;
            }
        }
        boolean isPartnerWinning = winning != null && winning.getSeat() % 2 == view.getSeat() % 2;
        boolean isLast = laid == 3;
        if (move.getKind() == MoveKind.MOVE_KIND_BEAT) {
            return isPartnerWinning ? points - lost : BEAT_BONUS * cards.size() + points + caught - lost;
        }
        if (!isPartnerWinning) {
            return -points - lost; // the points go to the opponents
        }
        return isLast ? 2 * points - lost : -lost; // for sure to the partner, or perhaps
    }

    /** What a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit. */
    static int worth(List<Card> hand, int trump) {
        int ranks = 0;
        int[] bySuit = new int[Cards.SUITS];
        for (Card card : hand) {
            ranks += Cards.rank(card);
            bySuit[Cards.suit(card)]++;
        }
        int longest = Arrays.stream(bySuit).max().getAsInt();
        return ranks + TRUMP_BONUS * bySuit[trump] + GROUP_BONUS[longest];
    }

    private static List<Card> without(List<Card> hand, List<Card> played) {
        List<Card> kept = new ArrayList<>(hand);
        kept.removeAll(played);
        return kept;
    }
}
