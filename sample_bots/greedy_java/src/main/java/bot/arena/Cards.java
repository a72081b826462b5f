package bot.arena;

import arena.v1.Bot.Card;

/** What a card's number says: it is suit * 9 + rank + 1, with the suits C D H S and the ranks 6 7 8 9 J Q K 10 A. */
public final class Cards {

    public static final int SUITS = 4;

    private static final int RANKS = 9;
    private static final int[] POINTS_BY_RANK = {0, 0, 0, 0, 2, 3, 4, 10, 11};

    private Cards() {}

    /** 0 for a six, up to 8 for an ace; the ten (7) is above the king (6). */
    public static int rank(Card card) {
        return (card.getNumber() - 1) % RANKS;
    }

    /** 0 for clubs, 1 for diamonds, 2 for hearts, 3 for spades. */
    public static int suit(Card card) {
        return (card.getNumber() - 1) / RANKS;
    }

    /** What these cards count together when the game is scored. */
    public static int points(Iterable<Card> cards) {
        int sum = 0;
        for (Card card : cards) {
            sum += POINTS_BY_RANK[rank(card)];
        }
        return sum;
    }
}
