package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arena.v1.Bot.Card;
import arena.v1.Bot.Move;
import arena.v1.Bot.MoveKind;
import arena.v1.Bot.Play;
import arena.v1.Bot.Trick;
import arena.v1.Bot.Turn;
import arena.v1.Bot.View;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrategyTest {

    private static final List<Card> HAND = List.of(Card.CARD_6C, Card.CARD_7C, Card.CARD_AC, Card.CARD_6S);

    @Test
    void aHandIsWorthItsRanksItsTrumpsAndItsLongestSuit() {
        assertEquals(0 + 1 + 8 + 0 + 12 + 24, Strategy.worth(HAND, 3)); // spades are trump
    }

    @Test
    void fourCardsOfOneSuitArePulled() {
        assertEquals(MoveKind.MOVE_KIND_PULL, choose(move(MoveKind.MOVE_KIND_PASS), move(MoveKind.MOVE_KIND_PULL)).getKind());
    }

    @Test
    void ofTwoMovesThatLookTheSameTheFirstIsPlayed() {
        Move first = move(MoveKind.MOVE_KIND_DISCARD, Card.CARD_6C);
        assertEquals(first, choose(first, first.toBuilder().setKind(MoveKind.MOVE_KIND_DISCARD).build()));
    }

    @Test
    void theSixOfTrumpsIsCheaperThanToBreakUpTheClubs() {
        Move discard = move(MoveKind.MOVE_KIND_DISCARD, Card.CARD_7C);
        Move withTrump = move(MoveKind.MOVE_KIND_BEAT, Card.CARD_6S);
        Move withAce = move(MoveKind.MOVE_KIND_BEAT, Card.CARD_AC);
        // 10 for the beat and 10 points caught, less a trump: 8. The ace brings 11 more, but it and its group are worth 24: 7.
        assertEquals(withTrump, choose(discard, withTrump, withAce));
    }

    private static Move choose(Move... legal) {
        Play lead = Play.newBuilder().setSeat(1).setKind(MoveKind.MOVE_KIND_LEAD).setCount(1).addCards(Card.CARD_10C).build();
        View view = View.newBuilder()
                .setSeat(2)
                .setIndicator(Card.CARD_KS)
                .addAllHand(HAND)
                .addTricks(Trick.newBuilder().setLeader(1).addPlays(lead))
                .build();
        return new Strategy().choose(Turn.newBuilder().setView(view).addAllLegal(List.of(legal)).build());
    }

    private static Move move(MoveKind kind, Card... cards) {
        return Move.newBuilder().setKind(kind).addAllCards(List.of(cards)).build();
    }
}
