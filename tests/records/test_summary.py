"""The numbers of a match for the table, against the record counted by hand."""

from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchRecord
from arena.records.summary import MatchSummary, summarize
from arena.rules.cards import SEATS, TEAMS
from arena.rules.deal import make_deal
from arena.rules.match import GameResult, Goats
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Rules
from tests.builders import BOTS, SECRET, TIME, key


def game(*, points: tuple[int, int] | None, thinks: dict[int, tuple[int, ...]]) -> GameRecord:
    result = None
    if points is not None:
        result = GameResult(
            number=0, dealer=SEATS[0], leader=SEATS[1], card_points=points, tricks=(2, 2), defeat_points=(0, 0), taker=SEATS[0]
        )
    decisions = tuple(
        Decision(seat=SEATS[seat], move=Move(MoveKind.PASS), think_us=think, is_heard=think != 7)
        for seat, times in thinks.items()
        for think in times
    )
    return GameRecord(deal=make_deal(SECRET, "x", 0), dealer=SEATS[0], leader=SEATS[1], decisions=decisions, result=result)


def test_counts() -> None:
    record = MatchRecord(
        key=key(swapped=True),
        bots=BOTS,
        rules=Rules(),
        time=TIME,
        games=(
            game(points=(70, 50), thinks={0: (10, 20), 1: (1000,), 2: (0, 5)}),
            game(points=(60, 60), thinks={3: (0, 0, 7)}),
            game(points=(20, 100), thinks={}),
            game(points=(119, 1), thinks={}),
            game(points=None, thinks={1: (3,)}),
        ),
        faults=tuple(Fault(kind=FaultKind.TIMEOUT, seat=SEATS[seat], detail="") for seat in (1, 3, 3, 2)),
        defeat_points=(4, 12),
        loser=TEAMS[1],
        goats=Goats.GOATS_WITH_EGGS,
        forfeited=(TEAMS[1], TEAMS[0]),
        isolation="none",
        started_at="",
        seconds=1.0,
    )
    assert summarize(record) == MatchSummary(
        key=key(swapped=True),
        defeat_points=(4, 12),
        loser=TEAMS[1],
        goats=Goats.GOATS_WITH_EGGS,
        forfeited=(TEAMS[0], TEAMS[1]),
        games_won=(2, 1),
        eggs=1,
        card_points=(70 + 60 + 20 + 119, 50 + 60 + 100 + 1),
        faults=(1, 3),
        think_us=(35, 1010),
        thinks=(3, 3),
        isolation="none",
        seconds=record.seconds,
    )
