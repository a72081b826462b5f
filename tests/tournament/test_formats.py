"""Formats: who meets whom, given who won before; played to their end with results that a test makes up."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from arena.tournament.formats import MAX_REPLAYS, Format, Knockout, Once, Play, Swiss
from arena.tournament.history import History
from arena.tournament.pairings import Circle, Listed, Pairing, iter_pairings
from arena.tournament.schedule import Block, Seatings
from tests.builders import result

PLAY = Play(sets=2)
Result = Callable[[Pairing, int], tuple[int, int]]
"""Defeat points of both teams in a match of a pairing; the second argument is the number of the set."""


def names(count: int) -> tuple[str, ...]:
    return tuple(f"team {index:02}" for index in range(count))


def stronger_wins(pairing: Pairing, number: int) -> tuple[int, int]:
    """Who has the lower number wins."""
    return (4, 12) if pairing[0] < pairing[1] else (12, 4)


def by_chance(luck: Random) -> Result:
    return lambda pairing, number: (luck.randrange(13), luck.randrange(13))


def play(format_: Format, outcome: Result) -> tuple[list[Block], History]:
    """All blocks of a tournament, and what came of it."""
    history = History()
    while (block := format_.next_block(history)) is not None:
        assert len(history.blocks) < 100, "it does not end"
        history.blocks.append(block)
        for session in block.iter_sessions():
            for key in session.iter_keys():
                points = outcome(key.teams, key.number)
                history.add(result(*key.teams, points, number=key.number, swapped=key.swapped))
    return history.blocks, history


def pairs_of(block: Block) -> list[Pairing]:
    return list(iter_pairings(block.pairings))


def test_a_round_robin_is_one_block() -> None:
    blocks, _ = play(Once(Circle(names(5)), Play(sets=3, seatings=Seatings.FULL)), stronger_wins)
    assert [block.match_count for block in blocks] == [10 * 3 * 8]


@pytest.mark.parametrize("count", range(2, 34))
def test_in_a_swiss_nobody_meets_twice_and_nobody_has_two_byes(count: int) -> None:
    teams = names(count)
    for seed in range(5):
        luck = Random(seed)
        rounds = (count + 1) // 2
        blocks, _ = play(Swiss(teams, rounds, PLAY), by_chance(luck))
        assert len(blocks) == rounds
        met = [pair for block in blocks for pair in pairs_of(block)]
        assert len({frozenset(pair) for pair in met}) == len(met)
        assert all(first < second for first, second in met), "a pairing stands in the order of the tournament file"
        for block in blocks:
            playing = Counter(team for pair in pairs_of(block) for team in pair)
            assert len(playing) == count - count % 2
            assert set(playing.values()) == {1}
        byes = Counter(team for block in blocks for team in set(teams).difference(*pairs_of(block)))
        assert sum(byes.values()) == rounds * (count % 2)
        assert set(byes.values()) <= {1}


def test_a_swiss_draws_teams_of_similar_standing() -> None:
    """With 8 teams of which the stronger always wins, the two best that have not met meet, and so do the two worst."""
    blocks, history = play(Swiss(names(8), 3, PLAY), stronger_wins)
    assert pairs_of(blocks[0]) == [
        ("team 00", "team 04"),
        ("team 01", "team 05"),
        ("team 02", "team 06"),
        ("team 03", "team 07"),
    ]
    assert set(pairs_of(blocks[1])) == {
        *(("team 00", "team 01"), ("team 02", "team 03")),
        *(("team 04", "team 05"), ("team 06", "team 07")),
    }
    assert history.standing(names(8))[0] == "team 00"
    assert history.standing(names(8))[-1] == "team 07"


def test_a_bye_goes_to_the_last_of_the_standing() -> None:
    blocks, _ = play(Swiss(names(5), 3, PLAY), stronger_wins)
    assert [set(names(5)).difference(*pairs_of(block)) for block in blocks] == [{"team 04"}, {"team 03"}, {"team 02"}]


@pytest.mark.parametrize("count", range(2, 20))
def test_the_best_seed_wins_a_knockout_and_meets_the_second_in_the_final(count: int) -> None:
    seeds = names(count)
    format_ = Knockout(seeds, tuple(sorted(seeds, reverse=True)), PLAY)
    blocks, history = play(format_, stronger_wins)
    assert len(blocks) == (count - 1).bit_length()
    assert sum(len(pairs_of(block)) for block in blocks) == count - 1
    assert set(pairs_of(blocks[-1])[0]) == {seeds[0], seeds[1]}
    survived = format_.rounds_survived(history, is_over=True)
    assert max(survived, key=survived.__getitem__) == seeds[0]
    assert survived[seeds[0]] == len(blocks)
    assert survived[seeds[1]] == len(blocks) - 1
    first_round = {team for pair in pairs_of(blocks[0]) for team in pair}
    assert set(seeds) - first_round == set(seeds[: 2 ** len(blocks) - count]), "the byes are the best seeds'"


def test_who_loses_a_knockout_is_out() -> None:
    luck = Random(3)
    blocks, _ = play(Knockout(names(13), names(13), PLAY), lambda pairing, number: (luck.randrange(12), 12))
    out: set[str] = set()
    for block in blocks:
        for pair in pairs_of(block):
            assert not out & set(pair)
            out.add(pair[1])
    assert len(out) == 12


def test_level_pairings_of_a_knockout_play_on_and_then_the_better_seed_does() -> None:
    def level_at_first(pairing: Pairing, number: int) -> tuple[int, int]:
        return (0, 2) if pairing == ("team 01", "team 02") and number == 3 else (6, 6)

    blocks, _ = play(Knockout(names(4), names(4), PLAY), level_at_first)
    shapes = [(pairs_of(block), block.sets) for block in blocks]
    both = [("team 00", "team 03"), ("team 01", "team 02")]
    assert shapes[:3] == [(both, range(2)), (both, range(2, 3)), (both, range(3, 4))]
    assert shapes[3:6] == [(both[:1], range(number, number + 1)) for number in (4, 5, 6)]
    assert shapes[6] == ([("team 00", "team 01")], range(2))
    assert len(blocks) == 7 + MAX_REPLAYS


def test_history_counts_sets_as_a_whole_and_opponents_alike() -> None:
    history = History()
    history.blocks.append(Block(pairings=Listed((("A", "B"), ("A", "C"))), sets=range(2)))
    for number, swapped, points in ((0, False, (12, 0)), (0, True, (6, 12)), (1, False, (3, 4)), (1, True, (5, 6))):
        history.add(result("A", "B", points, number=number, swapped=swapped))
    history.add(result("A", "C", (0, 1)))
    assert history.sets(("A", "B")) == [(9, 6), (4, 5)]
    assert history.sets(("B", "A")) == []
    # A has 6.5 against B and 0 against C: 3.25; B has 5.5, C has 1.
    assert history.standing(("D", "A", "B", "C")) == ["C", "A", "B", "D"]
    history.add(result("A", "C", (0, 12)))  # in place of the match that is there
    assert history.standing(("A", "B", "C")) == ["A", "B", "C"]


def test_nobody_has_survived_a_round_that_is_being_played() -> None:
    """Four teams; of the final, and of a set that has to be played on top, the first match is over."""
    format_ = Knockout(names(4), names(4), PLAY)
    _, history = play(format_, stronger_wins)
    first, final = history.blocks
    half = History()
    half.blocks += history.blocks
    for session in (*first.iter_sessions(), next(final.iter_sessions())):
        for key in session.iter_keys():
            half.add(result(*key.teams, stronger_wins(key.teams, key.number), number=key.number, swapped=key.swapped))
    assert format_.rounds_survived(half, is_over=False) == dict(zip(names(4), (1, 1, 0, 0), strict=True))
    assert format_.rounds_survived(history, is_over=True) == dict(zip(names(4), (2, 1, 0, 0), strict=True))
    half.blocks.pop()
    assert set(format_.rounds_survived(half, is_over=False).values()) == {0}, "the first round was the last one planned"
