"""The bytes of a turn.

They are the same from an encoder that remembers as from a fresh one, and in all worlds that a seat cannot tell apart.
"""

import random
from collections import Counter
from itertools import islice, pairwise

import pytest

from arena.rules.cards import SEATS, Seat
from arena.rules.game import Game
from arena.rules.match import Match, MatchScore
from arena.rules.options import Discards, Pull, Rules
from arena.wire.encode import TurnEncoder
from tests.rules.play import iter_rule_sets, random_deal, random_game, random_move, stacked_deal
from tests.worlds import World, actual_world, iter_worlds

SCORE = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)


def turn_bytes(encoder: TurnEncoder, game: Game, seat: Seat, *, number: int = 1, score: MatchScore = SCORE) -> bytes:
    """What is sent to a seat; to one that is not asked, what would be if it were."""
    legal = game.legal_codes(seat) if seat in game.asked else []
    return encoder.encode(
        number, legal=legal, view=game.view(seat), score=score, move_ms=1000, bank_ms=number
    ).SerializeToString()


def test_an_encoder_that_remembers_gives_the_same_bytes_over_whole_matches() -> None:
    rng = random.Random(1)
    kept = [TurnEncoder() for _ in SEATS]
    turns = 0
    for rules in iter_rule_sets():
        match = Match(rules, dealer=rng.choice(SEATS))
        while not match.is_over and len(match.games) < 4:
            game = match.start_game(rng.choice([random_deal, stacked_deal])(rng))
            while not game.is_over:
                for seat in game.asked:
                    turns += 1
                    fresh = turn_bytes(TurnEncoder(), game, seat, number=turns, score=match.score)
                    assert turn_bytes(kept[seat], game, seat, number=turns, score=match.score) == fresh
                game.advance(random_move(rng, game).code)
            match.finish_game()
    assert turns > 4000


def test_an_encoder_that_was_left_behind_or_comes_from_another_game_gives_the_same_bytes() -> None:
    """After a restart, a forfeit, or for another match: it may have seen any game up to any trick."""
    rng = random.Random(2)
    for _ in range(60):
        first = random_game(rng, Rules())
        cut = rng.randrange(len(first.moves))
        game = Game.from_deal(first.rules, first.deal, dealer=first.dealer, leader=first.leader)
        branch: Game | None = None
        encoder = TurnEncoder()
        for at, (seat, move) in enumerate(first.moves):
            if at == cut:
                branch = game.clone()
            if rng.random() < 0.3:
                assert turn_bytes(encoder, game, SEATS[0]) == turn_bytes(TurnEncoder(), game, SEATS[0])
            game.apply(seat, move)
        assert branch is not None
        for step in range(12):
            if not branch.is_over:
                assert turn_bytes(encoder, branch, SEATS[0]) == turn_bytes(TurnEncoder(), branch, SEATS[0]), step
                branch.advance(random_move(rng, branch).code)
        other = random_game(rng, Rules()).replay()
        assert turn_bytes(encoder, other, SEATS[1]) == turn_bytes(TurnEncoder(), other, SEATS[1])


def test_turns_that_differ_differ_in_their_bytes() -> None:
    """The bytes carry the whole view: two views of one seat that are not equal are not sent alike."""
    rng = random.Random(3)
    for _ in range(20):
        transcript = random_game(rng, Rules())
        game = Game.from_deal(transcript.rules, transcript.deal, dealer=transcript.dealer, leader=transcript.leader)
        for seat in SEATS:
            shown: list[tuple[object, bytes]] = []
            replayed = game.clone()
            for who, move in transcript.moves:
                shown.append((replayed.view(seat), replayed_bytes(replayed, seat)))
                replayed.apply(who, move)
            for (view, sent), (next_view, next_sent) in pairwise(shown):
                assert (view == next_view) == (sent == next_sent)


def replayed_bytes(game: Game, seat: Seat) -> bytes:
    message = TurnEncoder().encode(1, legal=[], view=game.view(seat), score=SCORE, move_ms=1, bank_ms=0)
    return message.SerializeToString()


RULE_SETS = {
    "default": Rules(),
    "open": Rules(discards=Discards.OPEN),
    "before_lead": Rules(pull=Pull.BEFORE_LEAD),
    "off": Rules(pull=Pull.OFF),
    "pairs": Rules(max_lead=2),
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_seat_is_sent_the_same_bytes_in_all_worlds_that_it_cannot_tell_apart(name: str) -> None:
    rng = random.Random(f"bytes {name}")
    differing: Counter[str] = Counter()
    compared = 0
    for _ in range(10):
        whole = random_game(rng, RULE_SETS[name])
        for stop in sorted(rng.sample(range(len(whole.moves)), 3)):
            history = type(whole)(whole.rules, whole.deal, whole.dealer, whole.leader, whole.moves[:stop])
            for seat in SEATS:
                actual = actual_world(history, seat=seat)
                sent = turn_bytes(TurnEncoder(), actual.game, seat)
                for world in islice(iter_worlds(rng, history, seat=seat), 4):
                    assert (seat in world.game.asked) == (seat in actual.game.asked)
                    assert turn_bytes(TurnEncoder(), world.game, seat) == sent
                    compared += 1
                    differing.update(hidden(actual, world, seat))
    assert compared == 10 * 3 * 4 * 4
    # The test would be worth nothing if the worlds were all the same.
    assert differing["other hands"] > compared / 4
    assert differing["stock"] > compared / 4
    assert differing["what others are sent"] > compared / 4


def hidden(actual: World, world: World, seat: Seat) -> list[str]:
    """In what these differ that the seat does not know."""
    others = [other for other in SEATS if other != seat]
    differences = {
        "other hands": [actual.game.hands[other] for other in others] != [world.game.hands[other] for other in others],
        "stock": actual.game.stock != world.game.stock,
        "what others are sent": any(
            turn_bytes(TurnEncoder(), actual.game, other) != turn_bytes(TurnEncoder(), world.game, other) for other in others
        ),
    }
    return [what for what, differs in differences.items() if differs]
