"""Match records for tests, made by playing random moves through the rules in process."""

import random
from collections.abc import Callable
from functools import cache

from arena.records.dealer import first_dealer
from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchKey, MatchRecord
from arena.records.summary import MatchSummary
from arena.rules.cards import TEAM_OF_SEAT, TEAMS, Seat, Team
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.match import GameResult, Goats, Match
from arena.rules.moves import MoveKind
from arena.rules.options import Rules, TimeControl

SECRET = bytes(range(32))
TIME = TimeControl(move_ms=1000, bank_ms=20000, max_faults=3)
BOTS = ("random", "greedy", "random", "greedy")


def key(first: str = "Wild Goats", second: str = "Old Goats", *, number: int = 0, swapped: bool = False) -> MatchKey:
    return MatchKey((first, second), number, swapped)


def play_match(
    match_key: MatchKey | None = None,
    *,
    seed: int = 1,
    rules: Rules | None = None,
    faulty: Seat | None = None,
    fault_share: float = 0.0,
    max_faults: int = 1000,
    pull_share: float = 0.5,
) -> MatchRecord:
    """A match of random moves; the same arguments give the same record.

    faulty: a seat that answers late or illegally in fault_share of its turns; with max_faults of them it forfeits there.
    pull_share: how many of the offers of a pull are taken.
    """
    player = _Player(
        rules=rules or Rules(),
        chance=random.Random(seed),
        faulty=faulty,
        fault_share=fault_share,
        max_faults=max_faults,
        pull_share=pull_share,
    )
    return player.play(match_key or key())


class _Player:
    def __init__(
        self,
        *,
        rules: Rules,
        chance: random.Random,
        faulty: Seat | None,
        fault_share: float,
        max_faults: int,
        pull_share: float,
    ) -> None:
        self.rules = rules
        self.chance = chance
        self.faulty = faulty
        self.fault_share = fault_share
        self.max_faults = max_faults
        self.pull_share = pull_share
        self.faults: list[Fault] = []
        self.turns = [0, 0, 0, 0]

    def play(self, match_key: MatchKey) -> MatchRecord:
        match = Match(self.rules, dealer=first_dealer(match_key, self.rules, SECRET))
        games: list[GameRecord] = []
        while not match.is_over and len(self.faults) < self.max_faults:
            games.append(self._play_game(match, match_key))
        forfeited: tuple[Team, ...] = ()
        defeat_points = list(match.defeat_points)
        loser = match.loser
        goats = match.goats
        if len(self.faults) >= self.max_faults:
            loser = TEAM_OF_SEAT[self.faults[-1].seat]
            forfeited = (loser,)
            defeat_points[loser] = max(defeat_points[loser], self.rules.match_target)
            goats = Goats.GOATS
        return MatchRecord(
            key=match_key,
            bots=BOTS,
            rules=self.rules,
            time=TIME,
            games=tuple(games),
            faults=tuple(self.faults),
            defeat_points=(defeat_points[0], defeat_points[1]),
            loser=loser,
            goats=goats,
            forfeited=forfeited,
            isolation="none",
            started_at="2026-01-31T12:00:00+00:00",
            seconds=1.25,
        )

    def _play_game(self, match: Match, match_key: MatchKey) -> GameRecord:
        number = len(match.games)
        deal = make_deal(SECRET, match_key.deals, number)
        dealer, leader = match.dealer, match.leader
        game = match.start_game(deal)
        decisions: list[Decision] = []
        while not game.is_over and len(self.faults) < self.max_faults:
            answers = [self._answer(game, seat, number, len(decisions)) for seat in game.asked]
            if len(self.faults) >= self.max_faults:
                break
            is_heard = True
            for decision in answers:
                if is_heard:
                    decisions.append(decision)
                    game.apply(decision.seat, decision.move)
                    is_heard = decision.move.kind is not MoveKind.PULL
                else:
                    decisions.append(_unheard(decision))
        result: GameResult | None = match.finish_game() if game.is_over else None
        return GameRecord(deal=deal, dealer=dealer, leader=leader, decisions=tuple(decisions), result=result)

    def _answer(self, game: Game, seat: Seat, number: int, place: int) -> Decision:
        legal = game.legal_moves(seat)
        if game.is_offer:
            move = legal[0] if self.chance.random() < self.pull_share else legal[1]
        else:
            move = self.chance.choice(legal)
        self.turns[seat] += 1
        think_us = self.chance.randint(90, 400)
        is_substitute = seat == self.faulty and self.chance.random() < self.fault_share
        if is_substitute:
            self.faults.append(self._fault(seat, number, place))
            think_us = 1_000_000
        return Decision(seat=seat, move=move, think_us=think_us, is_substitute=is_substitute)

    def _fault(self, seat: Seat, number: int, place: int) -> Fault:
        if self.chance.random() < 0.5:
            return Fault(
                kind=FaultKind.TIMEOUT,
                seat=seat,
                detail="no answer within 1000 ms",
                game=number,
                turn=self.turns[seat],
                decision=place,
            )
        return Fault(
            kind=FaultKind.ILLEGAL,
            seat=seat,
            detail="the answer is not one of the legal moves",
            game=number,
            turn=self.turns[seat],
            decision=place,
            answered="beat 6C",
            stderr_tail="Traceback…\nValueError: \x1b[31mred\x1b[0m",
        )


def _unheard(decision: Decision) -> Decision:
    return Decision(
        seat=decision.seat,
        move=decision.move,
        think_us=decision.think_us,
        is_substitute=decision.is_substitute,
        is_heard=False,
    )


@cache
def find_match(wanted: Callable[[MatchRecord], object], *, seeds: range = range(1000), **arguments: object) -> MatchRecord:
    """The first of the matches with these seeds that is as wanted."""
    for seed in seeds:
        record = play_match(key(number=seed), seed=seed, **arguments)  # type: ignore[arg-type]
        if wanted(record):
            return record
    raise LookupError("no such match with these seeds")


def has_pull(record: MatchRecord) -> bool:
    return any(decision.move.kind is MoveKind.PULL for game in record.games for decision in game.decisions)


def has_unheard(record: MatchRecord) -> bool:
    return any(not decision.is_heard for game in record.games for decision in game.decisions)


def has_eggs(record: MatchRecord) -> bool:
    return any(game.result is not None and game.result.is_eggs for game in record.games)


def result(
    first: str,
    second: str,
    defeat_points: tuple[int, int],
    *,
    number: int = 0,
    swapped: bool = False,
    games_won: tuple[int, int] = (0, 0),
    eggs: int = 0,
    forfeited: tuple[Team, ...] = (),
    goats: Goats | None = Goats.GOATS,
) -> MatchSummary:
    """A match as the table sees it, in the order of `first` and `second`; more defeat points lose, level is a draw."""
    loser = None
    if len(forfeited) < 2 and defeat_points[0] != defeat_points[1]:
        loser = TEAMS[0] if defeat_points[0] > defeat_points[1] else TEAMS[1]
    points = sum(games_won) + eggs
    summary = MatchSummary(
        key=key(first, second, number=number, swapped=swapped),
        defeat_points=defeat_points,
        loser=loser,
        goats=goats if loser is not None else None,
        forfeited=forfeited,
        games_won=games_won,
        eggs=eggs,
        card_points=(60 * points, 60 * points),
        faults=(0, 0),
        think_us=(0, 0),
        thinks=(0, 0),
        isolation="none",
        seconds=1.0,
    )
    return _swap_seats(summary) if swapped else summary


def _swap_seats(summary: MatchSummary) -> MatchSummary:
    return MatchSummary(
        key=summary.key,
        defeat_points=summary.defeat_points[::-1],
        loser=None if summary.loser is None else TEAMS[1 - summary.loser],
        goats=summary.goats,
        forfeited=tuple(TEAMS[1 - team] for team in summary.forfeited),
        games_won=summary.games_won[::-1],
        eggs=summary.eggs,
        card_points=summary.card_points[::-1],
        faults=summary.faults[::-1],
        think_us=summary.think_us[::-1],
        thinks=summary.thinks[::-1],
        isolation=summary.isolation,
        seconds=summary.seconds,
    )
