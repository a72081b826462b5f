"""A table with four real bots for the tests of the referee, and a check of its records that uses nothing but the rules."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from arena.records.model import Decision, GameRecord, MatchKey, MatchRecord
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import NEXT_SEAT, SEATS, TEAM_OF_SEAT, TEAMS, Seat, Team
from arena.rules.deal import draw_first_dealer, make_deal
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import Chair
from arena.seat.manifest import Manifest
from tests.seat_tools import NULL, PATIENCE, SECRET, new_chair, write_bot
from tests.seat_tools import TEAMS as NAMES

TURNS = """
import os
import sys
import time
from pathlib import Path

from arena.bot import Bot, Move, MoveKind, serve


class Counting(Bot):
    '''Plays its first legal move, but first has a look at which turn of its life it is: `turn_number(n, turn)`.'''

    def __init__(self):
        self.turns = 0

    def choose(self, turn):
        self.turns += 1
        return self.number(self.turns, turn) or turn.legal[0]

    def number(self, n, turn):
        raise NotImplementedError


def is_first_time(name):
    '''Whether nobody has come by here, in this process or in another one.'''
    try:
        Path(name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True

"""
"""What goes before the source of a bot that does something in one of its turns."""


@dataclass(frozen=True)
class Table:
    """Four open chairs; what is not said otherwise is generous."""

    chairs: tuple[Chair, Chair, Chair, Chair]
    rules: Rules = field(default_factory=lambda: Rules(match_target=4))

    async def play(
        self, number: int = 0, *, move_ms: int = 20_000, bank_ms: int = 0, max_faults: int = 3, restarts: int = 1
    ) -> MatchRecord:
        terms = MatchTerms(
            rules=self.rules,
            time=TimeControl(move_ms=move_ms, bank_ms=bank_ms, max_faults=max_faults),
            policy=FaultPolicy(max_faults=max_faults, restarts=restarts),
            isolation="none",
        )
        playing = play_match(self.chairs, key=key(number), bots=("a", "b", "c", "d"), terms=terms, secret=SECRET)
        record = await asyncio.wait_for(playing, 3 * PATIENCE)
        check_record(record)
        return record


@contextlib.asynccontextmanager
async def new_table(root: Path, sources: dict[int, str], *, rules: Rules | None = None) -> AsyncIterator[Table]:
    """Bots by seat, as source that comes after `TURNS`; the other seats play their first legal move."""
    null = write_bot(root / "null", NULL)
    bots: list[Manifest] = [null] * 4
    for seat, source in sources.items():
        bots[seat] = write_bot(root / f"bot{seat}", TURNS, source)
    async with contextlib.AsyncExitStack() as stack:
        chairs = [
            await stack.enter_async_context(new_chair(bot, root, seat=seat)) for seat, bot in zip(SEATS, bots, strict=True)
        ]
        yield Table((chairs[0], chairs[1], chairs[2], chairs[3]), rules or Rules(match_target=4))
        await asyncio.gather(*(chair.end() for chair in chairs))


def key(number: int) -> MatchKey:
    return MatchKey(NAMES, number, swapped=False)


def dealer_of(match: MatchKey, rules: Rules) -> Seat:
    """Who deals first: drawn by lot, but in a match of one game by its number."""
    return SEATS[match.number % 4] if rules.max_games == 1 else draw_first_dealer(SECRET, match.deals)


def first_deal(number: int, rules: Rules) -> Game:
    """The first game of a match, before anything is played."""
    dealer = dealer_of(key(number), rules)
    return Game.from_deal(rules, make_deal(SECRET, key(number).deals, 0), dealer=dealer, leader=NEXT_SEAT[dealer])


def find_offer(rules: Rules, seats: int, *, of_both_teams: bool = False) -> tuple[int, tuple[Seat, ...]]:
    """A match that begins with the offer of a pull to so many seats, and who they are, in the order of their right."""
    for number in count():
        game = first_deal(number, rules)
        teams = {TEAM_OF_SEAT[seat] for seat in game.asked}
        if game.is_offer and len(game.asked) == seats and (len(teams) == 2 or not of_both_teams):
            return number, game.asked
    raise AssertionError


def seats_of(record: MatchRecord, *, substitutes: bool) -> list[Seat]:
    """Whose decisions are, or are not, the referee's own, in order."""
    return [decision.seat for game in record.games for decision in game.decisions if decision.is_substitute == substitutes]


def check_record(record: MatchRecord) -> None:
    """The deals come from the secret, every move is legal in its turn, and results and verdict follow from the moves."""
    dealer = dealer_of(record.key, record.rules)
    leader = NEXT_SEAT[dealer]
    points = [0, 0]
    for number, game in enumerate(record.games):
        assert game.deal == make_deal(SECRET, record.key.deals, number)
        assert (game.dealer, game.leader) == (dealer, leader)
        played = _replay(game, record.rules)
        if game.result is None:
            assert record.forfeited
            assert number == len(record.games) - 1
            break
        assert played.is_over
        assert game.result.number == number
        assert list(game.result.card_points) == played.card_points
        assert list(game.result.tricks) == played.tricks_taken
        assert game.result.taker == played.turn
        points = [points[team] + game.result.defeat_points[team] for team in TEAMS]
        dealer, leader = NEXT_SEAT[dealer], played.turn
    _check_verdict(record, points)


def _replay(record: GameRecord, rules: Rules) -> Game:
    game = Game.from_deal(rules, record.deal, dealer=record.dealer, leader=record.leader)
    offered: tuple[Seat, ...] = ()
    for at, decision in enumerate(record.decisions):
        if not decision.is_heard:
            _check_unheard(record.decisions, at, offered)
            continue
        offered = game.asked if game.is_offer else ()
        game.apply(decision.seat, decision.move)
    return game


def _check_unheard(decisions: Sequence[Decision], at: int, offered: tuple[Seat, ...]) -> None:
    """An unheard answer comes after the pull that was heard in its place, from a seat that had been offered it too."""
    heard = next(decision for decision in reversed(decisions[:at]) if decision.is_heard)
    assert heard.move.kind is MoveKind.PULL
    assert decisions[at].move.kind in (MoveKind.PULL, MoveKind.PASS)
    assert offered.index(decisions[at].seat) > offered.index(heard.seat)


def _check_verdict(record: MatchRecord, points: list[int]) -> None:
    target = record.rules.match_target
    losers: list[Team] = list(record.forfeited) or [team for team in TEAMS if points[team] >= target]
    for team in TEAMS:
        least = target if team in record.forfeited else 0
        assert record.defeat_points[team] == max(points[team], least)
    assert record.loser == (losers[0] if len(losers) == 1 else None)
    assert (record.goats is None) == (record.loser is None)
