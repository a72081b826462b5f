"""A match: who deals, who leads, the score, goats, eggs, the cap.

Games are real: `play_until` plays a deal at random, again and again on copies, until it ends as the test wants.
"""

import random
from collections.abc import Callable

import pytest

from arena.errors import RulesError
from arena.rules.cards import SEATS, Seat
from arena.rules.game import Game
from arena.rules.match import GameResult, Goats, Match, MatchScore, score_game
from arena.rules.moves import Move
from arena.rules.options import Eggs, Rules
from tests.rules.play import random_deal, random_move

LOSES = {
    "0 loses 2": lambda game: score_game(game.card_points, game.tricks_taken) == (2, 0),
    "0 loses 4": lambda game: score_game(game.card_points, game.tricks_taken) == (4, 0),
    "0 loses 6": lambda game: score_game(game.card_points, game.tricks_taken) == (6, 0),
    "1 loses 2": lambda game: score_game(game.card_points, game.tricks_taken) == (0, 2),
    "1 loses 4": lambda game: score_game(game.card_points, game.tricks_taken) == (0, 4),
    "1 loses 6": lambda game: score_game(game.card_points, game.tricks_taken) == (0, 6),
    "eggs": lambda game: game.card_points == [60, 60],
}


def play_until(match: Match, rng: random.Random, is_wanted: Callable[[Game], bool]) -> GameResult:
    """Play the next game of the match to an end that is wanted."""
    game = match.start_game(random_deal(rng))
    while True:
        trial = game.clone()
        moves: list[tuple[Seat, Move]] = []
        while not trial.is_over:
            moves.append((trial.to_move, random_move(rng, trial)))
            trial.advance(moves[-1][1].code)
        if is_wanted(trial):
            break
    for seat, move in moves:
        game.apply(seat, move)
    return match.finish_game()


def play(match: Match, *ends: str, seed: int = 1) -> None:
    rng = random.Random(seed)
    for end in ends:
        play_until(match, rng, LOSES[end])


@pytest.mark.parametrize(
    ("points", "tricks", "given"),
    [
        ([61, 59], [4, 4], (0, 2)),
        ([60, 60], [1, 5], (0, 0)),
        ([59, 61], [4, 4], (2, 0)),
        ([31, 89], [1, 6], (2, 0)),
        ([30, 90], [1, 6], (4, 0)),
        ([0, 120], [1, 8], (4, 0)),
        ([0, 120], [0, 9], (6, 0)),
        ([89, 31], [6, 1], (0, 2)),
        ([90, 30], [6, 1], (0, 4)),
        ([120, 0], [8, 1], (0, 4)),
        ([120, 0], [3, 0], (0, 6)),
    ],
)
def test_defeat_points(points: list[int], tricks: list[int], given: tuple[int, int]) -> None:
    assert score_game(points, tricks) == given


@pytest.mark.parametrize("points", [[0, 0], [60, 61], [119, 0]])
def test_a_game_that_is_not_complete_is_not_scored(points: list[int]) -> None:
    with pytest.raises(RulesError, match="not 120"):
        score_game(points, [1, 1])


@pytest.mark.parametrize(
    ("ends", "loser", "defeat_points"),
    [
        (["0 loses 6", "0 loses 6"], 0, [12, 0]),
        (["1 loses 4", "0 loses 6", "1 loses 4", "1 loses 4"], 1, [6, 12]),
        (["0 loses 2"] * 6, 0, [12, 0]),
        (["1 loses 6", "1 loses 4", "0 loses 6", "0 loses 4", "1 loses 6"], 1, [10, 16]),
    ],
)
def test_goats(ends: list[str], loser: int, defeat_points: list[int]) -> None:
    match = Match(Rules(), dealer=SEATS[0])
    for end in ends:
        assert not match.is_over
        assert match.loser is None
        assert match.goats is None
        play(match, end)
    assert match.is_over
    assert match.loser == loser
    assert match.goats is Goats.GOATS
    assert match.goats == "goats"
    assert match.defeat_points == defeat_points


@pytest.mark.parametrize("eggs_at", [0, 1, 2])
def test_goats_with_eggs(eggs_at: int) -> None:
    ends = ["0 loses 4", "1 loses 6", "1 loses 6"]
    ends.insert(eggs_at, "eggs")
    match = Match(Rules(), dealer=SEATS[0])
    play(match, *ends)
    assert match.is_over
    assert match.loser == 1
    assert match.goats is Goats.GOATS_WITH_EGGS
    assert match.goats == "goats with eggs"
    assert match.defeat_points == [4, 12]
    result = match.games[eggs_at]
    assert result.is_eggs
    assert result.winner is None
    assert result.card_points == (60, 60)
    assert result.defeat_points == (0, 0)
    assert [game.winner for game in match.games if not game.is_eggs] == [1, 0, 0]


def test_what_a_team_is_called_that_loses_by_forfeit() -> None:
    """A forfeit can come in the middle of a match, which has no loser by points then."""
    match = Match(Rules(), dealer=SEATS[0])
    play(match, "0 loses 2")
    assert match.loser is None
    assert match.loser_name is Goats.GOATS
    play(match, "eggs")
    assert match.loser_name is Goats.GOATS_WITH_EGGS


def test_eggs_carry_nothing_over_by_default() -> None:
    match = Match(Rules(), dealer=SEATS[0])
    play(match, "eggs")
    assert match.score.stake == 1
    play(match, "0 loses 4")
    assert match.defeat_points == [4, 0]


def test_double_next_doubles_the_next_game_that_is_not_eggs() -> None:
    match = Match(Rules(eggs=Eggs.DOUBLE_NEXT, match_target=24), dealer=SEATS[0])
    assert match.score.stake == 1
    play(match, "eggs")
    assert match.score.stake == 2
    play(match, "eggs")
    assert match.score.stake == 2, "double, not four times"
    play(match, "1 loses 4")
    assert match.games[-1].defeat_points == (0, 8)
    assert match.score.stake == 1
    play(match, "1 loses 4")
    assert match.games[-1].defeat_points == (0, 4)
    play(match, "eggs", "0 loses 6")
    assert match.defeat_points == [12, 12]
    assert not match.is_over


def test_double_next_can_end_a_match_above_the_target() -> None:
    match = Match(Rules(eggs=Eggs.DOUBLE_NEXT), dealer=SEATS[0])
    play(match, "0 loses 6", "0 loses 4", "eggs", "0 loses 6")
    assert match.defeat_points == [22, 0]
    assert match.loser == 0
    assert match.goats is Goats.GOATS_WITH_EGGS


@pytest.mark.parametrize("target", [2, 4, 48])
def test_the_target_is_an_option(target: int) -> None:
    match = Match(Rules(match_target=target), dealer=SEATS[0])
    games = 0
    while not match.is_over:
        assert max(match.defeat_points) < target
        play(match, "1 loses 2")
        games += 1
    assert games == target // 2
    assert match.loser == 1


def test_the_cap_of_games_draws_a_level_match() -> None:
    match = Match(Rules(max_games=3), dealer=SEATS[0])
    play(match, "0 loses 2", "eggs", "1 loses 2")
    assert match.is_over
    assert match.defeat_points == [2, 2]
    assert match.loser is None
    assert match.goats is None


def test_at_the_cap_the_team_with_fewer_defeat_points_wins() -> None:
    match = Match(Rules(max_games=2), dealer=SEATS[0])
    play(match, "0 loses 4", "1 loses 2")
    assert match.is_over
    assert match.loser == 0


def test_a_hundred_games_of_eggs_are_a_draw() -> None:
    """Games of nothing but eggs cannot be waited for, so the 100 results are one real game of eggs, counted again."""
    match = Match(Rules(), dealer=SEATS[0])
    play(match, "eggs")
    while len(match.games) < 99:
        match.games.append(match.games[0])
    assert not match.is_over
    play(match, "eggs")
    assert match.is_over
    assert match.loser is None
    with pytest.raises(RulesError):
        match.start_game(random_deal(random.Random(1)))


@pytest.mark.parametrize("dealer", SEATS)
def test_the_deal_passes_and_the_last_taker_leads(dealer: Seat) -> None:
    match = Match(Rules(match_target=48), dealer=dealer)
    rng = random.Random(int(dealer))
    leaders = set()
    leader = (dealer + 1) % 4
    for number in range(8):
        assert match.dealer == (dealer + number) % 4
        assert match.leader == leader
        game = match.start_game(random_deal(rng))
        assert game.dealer == (dealer + number) % 4
        assert game.turn == leader
        assert game.view(SEATS[0]).trick.leader == leader
        assert game.view(SEATS[0]).dealer == game.dealer
        while not game.is_over:
            game.advance(random_move(rng, game).code)
        taker = game.tricks[-1].taker
        result = match.finish_game()
        assert result.taker == taker
        assert result.number == number
        assert (result.dealer, result.leader) == ((dealer + number) % 4, leader)
        leader = taker
        leaders.add((match.dealer + 1) % 4 == leader)
    assert leaders == {True, False}, "the leader must not always be the seat after the dealer"


def test_the_seat_after_the_dealer_is_dealt_the_first_card_whoever_leads() -> None:
    match = Match(Rules(), dealer=SEATS[0])
    play(match, "1 loses 2", seed=5)
    deal = random_deal(random.Random(9))
    game = match.start_game(deal)
    assert game.hands[2] >> deal.deck[0] & 1, "seat 1 deals the second game"


def test_the_score_before_a_game() -> None:
    match = Match(Rules(), dealer=SEATS[0])
    assert match.score == MatchScore(0, (0, 0), (0, 0), 0, 1)
    play(match, "0 loses 4", "eggs", "1 loses 2", "1 loses 6")
    assert match.score == MatchScore(4, (4, 8), (2, 1), 1, 1)


def test_games_begin_and_end_in_turn() -> None:
    match = Match(Rules(match_target=2), dealer=SEATS[0])
    rng = random.Random(3)
    with pytest.raises(RulesError, match="no game has ended"):
        match.finish_game()
    game = match.start_game(random_deal(rng))
    assert match.game is game
    with pytest.raises(RulesError, match="between the games"):
        match.start_game(random_deal(rng))
    with pytest.raises(RulesError, match="no game has ended"):
        match.finish_game()
    while not game.is_over:
        game.advance(random_move(rng, game).code)
    match.finish_game()
    assert match.game is None
    with pytest.raises(RulesError, match="no game has ended"):
        match.finish_game()
    assert match.is_over
    with pytest.raises(RulesError, match="not over"):
        match.start_game(random_deal(rng))


def test_a_game_goes_on_after_61_points() -> None:
    """Rule 18: some team has 61 long before the end, and there are still moves."""
    rng = random.Random(8)
    went_on = 0
    for _ in range(100):
        game = Game.from_deal(Rules(), random_deal(rng), dealer=SEATS[0], leader=SEATS[1])
        while not game.is_over:
            went_on += max(game.card_points) >= 61
            game.advance(random_move(rng, game).code)
        assert sum(game.card_points) == 120
    assert went_on > 100


def test_random_matches_add_up() -> None:
    rng = random.Random(77)
    ended = set()
    for _ in range(150):
        match = Match(Rules(eggs=rng.choice([*Eggs]), max_games=rng.choice([4, 100])), dealer=rng.choice(SEATS))
        while not match.is_over:
            game = match.start_game(random_deal(rng))
            while not game.is_over:
                game.advance(random_move(rng, game).code)
            result = match.finish_game()
            assert min(result.defeat_points) == 0
            assert result.is_eggs == (result.defeat_points == (0, 0))
        totals = [sum(game.defeat_points[team] for game in match.games) for team in (0, 1)]
        assert match.defeat_points == totals
        assert min(totals) < 12
        if match.loser is not None:
            assert totals[match.loser] > totals[1 - match.loser]
            assert (match.goats is Goats.GOATS_WITH_EGGS) == any(game.card_points == (60, 60) for game in match.games)
        ended.add((match.loser, match.goats))
    assert {(0, Goats.GOATS), (1, Goats.GOATS), (None, None)} <= ended
