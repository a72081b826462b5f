"""A stored match held against the rules: everything in its record that follows from the run's secret and the moves.

It does not use what the record says of a result to find the next position: each game is dealt from the secret, each move is
looked up among the legal ones, and scores, dealers, leaders and the verdict are worked out again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from arena.records.dealer import first_dealer
from arena.records.model import Decision, GameRecord, MatchRecord
from arena.records.summary import MatchSummary
from arena.records.tables import SUMMARY_COLUMNS, summary_row
from arena.rules.cards import CARD_NAMES, TEAMS, Team
from arena.rules.deal import Deal, make_deal
from arena.rules.game import Game
from arena.rules.match import GameResult, Goats, Match
from arena.rules.moves import Move, MoveCode, MoveKind

_SHOWN_MOVES = 6
Columns = Sequence[Any]
"""The values of SUMMARY_COLUMNS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A place where what is stored is not what it should be.

    what: in words, of which thing. stored, right: its two values, in words. match, game, decision: numbers from 1, as people
    count; None where it is about more than one.
    """

    what: str
    stored: str
    right: str
    match: int | None = None
    game: int | None = None
    decision: int | None = None


def iter_match_differences(record: MatchRecord, secret: bytes) -> Iterator[Difference]:
    """Where the record of a match is not what the rules make of the secret and the moves; no more after the first is sure.

    Whether the faults are right is a question for the policy of the run, and not asked here.
    """
    match = Match(record.rules, dealer=first_dealer(record.key, record.rules, secret))
    for index, game in enumerate(record.games):
        deal = make_deal(secret, record.key.deals, index)
        is_last = index == len(record.games) - 1
        for difference in _iter_game(match, game, deal, is_cut_short=is_last and bool(record.forfeited)):
            yield replace(difference, game=index + 1)
    yield from _iter_verdict(match, record)


def iter_column_differences(stored: Columns, right: MatchSummary) -> Iterator[Difference]:
    """Where the columns of a match, which the table is made from, are not what its record says."""
    for name, value, expected in zip(SUMMARY_COLUMNS, stored, summary_row(right), strict=True):
        if value != expected:
            yield Difference(what=f"column {name}", stored=_shown(value), right=_shown(_plain(expected)))


def _iter_game(match: Match, record: GameRecord, deal: Deal, *, is_cut_short: bool) -> Iterator[Difference]:
    if match.is_over:
        yield Difference(what="a game", stored="another game", right="none: the match was over")
        return
    yield from _iter_deal(record.deal, deal)
    for what, stored, right in (("dealer", record.dealer, match.dealer), ("leader", record.leader, match.leader)):
        if stored != right:
            yield Difference(what=what, stored=f"seat {stored}", right=f"seat {right}")
    game = match.start_game(deal)
    yield from _iter_moves(game, record.decisions)
    if game.is_over:
        yield from _iter_result(record.result, match.finish_game())
        if is_cut_short:
            yield Difference(what="end", stored="a game that was played to its end", right="one that the forfeit cut short")
    elif record.result is not None:
        yield Difference(what="result", stored=_result(record.result), right="none: the game was not played to its end")
    elif not is_cut_short:
        yield Difference(what="decisions", stored=f"{len(record.decisions)}, then no more", right="a game played to its end")


def _iter_deal(stored: Deal, right: Deal) -> Iterator[Difference]:
    for place, (card, expected) in enumerate(zip(stored.deck, right.deck, strict=True), start=1):
        if card != expected:
            what = f"card {place} of the deck, which does not come from the run's secret"
            yield Difference(what=what, stored=CARD_NAMES[card], right=CARD_NAMES[expected])
    if stored.indicator != right.indicator:
        yield Difference(
            what="trump indicator, which does not come from the run's secret",
            stored=CARD_NAMES[stored.indicator],
            right=CARD_NAMES[right.indicator],
        )


def _iter_moves(game: Game, decisions: Sequence[Decision]) -> Iterator[Difference]:
    """Play the decisions, a round of questions at a time: each seat that was asked has one, in the order of the questions."""
    at = 0
    while at < len(decisions):
        asked = game.asked
        if not asked:
            yield _at(at, "decision", _decision(decisions[at]), "none: the game was over")
            return
        pulled = False
        answers = decisions[at : at + len(asked)]
        legal = [game.legal_codes(seat) for seat in asked]
        for seat, codes, decision in zip(asked, legal, answers, strict=False):
            if decision.seat != seat:
                yield _at(at, "seat that answers", f"seat {decision.seat}", f"seat {seat}")
                return
            if decision.is_heard == pulled:
                right = "not heard, since a seat before it pulled" if pulled else "heard, since no seat before it pulled"
                yield _at(at, f"answer of seat {seat}", "heard" if decision.is_heard else "not heard", right)
                return
            if decision.move.code not in codes:
                yield _at(at, "move", _decision(decision), f"a legal one: {_in_words(codes)}")
                return
            if not pulled:
                game.advance(decision.move.code)
                pulled = decision.move.kind is MoveKind.PULL
            at += 1
        if len(answers) < len(asked):
            yield _at(at, "decision", "none", f"one of seat {asked[len(answers)]}, which was asked at the same time")
            return


def _iter_result(stored: GameResult | None, right: GameResult) -> Iterator[Difference]:
    if stored is None:
        yield Difference(what="result", stored="none", right=_result(right))
        return
    for field in fields(GameResult):
        value, expected = getattr(stored, field.name), getattr(right, field.name)
        if value != expected:
            yield Difference(what=f"result, {field.name}", stored=_shown(value), right=_shown(expected))


def _iter_verdict(match: Match, record: MatchRecord) -> Iterator[Difference]:
    forfeited = tuple(team for team in TEAMS if team in record.forfeited)
    if record.forfeited != forfeited:
        yield Difference(what="teams that forfeited", stored=_shown(record.forfeited), right=_shown(forfeited))
    if not forfeited and not match.is_over:
        yield Difference(
            what="games", stored=f"{len(record.games)}, then no more", right="another game: the match was not over"
        )
        return
    points, loser, goats = _verdict(match, forfeited)
    for what, stored, right in (
        ("defeat points", record.defeat_points, points),
        ("loser", record.loser, loser),
        ("what the loser is called", record.goats, goats),
    ):
        if stored != right:
            yield Difference(what=what, stored=_shown(_plain(stored)), right=_shown(_plain(right)))


def _verdict(match: Match, forfeited: tuple[Team, ...]) -> tuple[tuple[int, int], Team | None, Goats | None]:
    """Defeat points by team, the loser, what it is called: the match's own, or lost at the target by forfeit."""
    first, second = match.defeat_points
    if not forfeited:
        return (first, second), match.loser, match.goats
    target = match.rules.match_target
    first, second = (
        max(match.defeat_points[team], target) if team in forfeited else match.defeat_points[team] for team in TEAMS
    )
    if len(forfeited) == len(TEAMS):
        return (first, second), None, None
    return (first, second), forfeited[0], match.loser_name


def _at(place: int, what: str, stored: str, right: str) -> Difference:
    return Difference(what=what, stored=stored, right=right, decision=place + 1)


def _decision(decision: Decision) -> str:
    return f"seat {decision.seat} {decision.move}"


def _in_words(codes: Sequence[MoveCode]) -> str:
    moves = [str(Move.from_code(code)) for code in codes]
    return "; ".join(moves[:_SHOWN_MOVES]) + (f"; {len(moves) - _SHOWN_MOVES} more" if len(moves) > _SHOWN_MOVES else "")


def _result(result: GameResult) -> str:
    first, second = result.card_points
    return f"{first} : {second} card points"


def _shown(value: object) -> str:
    return "nothing" if value is None else str(value)


def _plain(value: object) -> object:
    """An enum's text, True and False as SQLite has them."""
    if isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, str) else value
