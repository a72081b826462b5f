"""What the table needs to know of a match: a few numbers, so that ten thousand matches can be read without their moves."""

from dataclasses import dataclass

from arena.records.model import FaultKind, MatchKey, MatchRecord
from arena.rules.cards import TEAM_OF_SEAT, TEAMS, Team
from arena.rules.match import Goats


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """One finished match in numbers; the pairs are by the table's team, whose names are `key.seated`.

    games_won, eggs and card_points: of the games that were played to their end; a game that a forfeit cut short is none.
    defeat_points, loser, goats, forfeited, isolation: as in the record. faults: counted by the team of the seat,
    without those of a match that was not played.
    think_us: microseconds of all answers together. thinks: how many answers that were; a move that nobody was asked for is
    not one of them. seconds: how long it took.
    """

    key: MatchKey
    defeat_points: tuple[int, int]
    loser: Team | None
    goats: Goats | None
    forfeited: tuple[Team, ...]
    games_won: tuple[int, int]
    eggs: int
    card_points: tuple[int, int]
    faults: tuple[int, int]
    think_us: tuple[int, int]
    thinks: tuple[int, int]
    isolation: str
    seconds: float

    @property
    def is_draw(self) -> bool:
        """Whether neither team lost: level at the cap of games."""
        return self.loser is None and not self.forfeited

    @property
    def is_unplayed(self) -> bool:
        """Whether it was not played, since a team is benched. One that was played is not forfeited without a fault."""
        return bool(self.forfeited) and self.faults == (0, 0)


def summarize(record: MatchRecord) -> MatchSummary:
    """The summary of a record."""
    results = [game.result for game in record.games if game.result is not None]
    winners = [result.winner for result in results]
    think_us = [0, 0]
    thinks = [0, 0]
    for game in record.games:
        for decision in game.decisions:
            if decision.think_us:
                team = TEAM_OF_SEAT[decision.seat]
                think_us[team] += decision.think_us
                thinks[team] += 1
    faulty = [TEAM_OF_SEAT[fault.seat] for fault in record.faults if fault.kind is not FaultKind.BENCHED]
    return MatchSummary(
        key=record.key,
        defeat_points=record.defeat_points,
        loser=record.loser,
        goats=record.goats,
        forfeited=tuple(team for team in TEAMS if team in record.forfeited),
        games_won=(winners.count(TEAMS[0]), winners.count(TEAMS[1])),
        eggs=winners.count(None),
        card_points=(sum(result.card_points[0] for result in results), sum(result.card_points[1] for result in results)),
        faults=(faulty.count(TEAMS[0]), faulty.count(TEAMS[1])),
        think_us=(think_us[0], think_us[1]),
        thinks=(thinks[0], thinks[1]),
        isolation=record.isolation,
        seconds=record.seconds,
    )
