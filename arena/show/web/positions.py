"""A match as the replay page gets it: for one viewpoint, with nothing in it that is not to be seen from there.

What is to be seen is decided by `arena.show.sight`, which asks the rules for a seat's view; the page only moves cards about.
The data of a match is a dict that JSON can hold:

    number, seat (null for a spectator), teams, bots (spectator only), open (whether discards are face up), faults, games
    a game: dealer, leader, indicator, score before it, hands, stock, steps, result (null when it was cut short)
    a result: points, tricks, defeat (defeat points), each by team; winner (null for eggs)
    a step: [action, microseconds of thought or 0, more]; from the end, what says nothing is left out
    a fault: seat, kind, text, and lines of stderr

A card is one digit in base 36, clubs first, a six first. A hand is its digits, or a number where only that is known. An action
is the seat and a letter, then the cards, or `:` and their number where they are face down:

    L lead  B beat  D discard  P pull  plays
    N no    Y yes, not heard           answers to the offer of a pull that lay no card
    T takes the trick                  after the fourth play; E is the end of the game, without a seat

More of a step: hands and stock after it (with T and P), points in the piles by team (spectator), faults, and the flags
substitute (the referee moved instead) and unheard.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from arena.errors import RulesError, StoreError
from arena.records.model import Decision, Fault, GameRecord, MatchRecord
from arena.records.replay import iter_positions
from arena.rules.cards import SEATS, Cards, Seat, iter_cards
from arena.rules.game import Game
from arena.rules.match import GameResult
from arena.rules.moves import MoveKind
from arena.rules.options import Discards
from arena.rules.view import PlayView
from arena.show.faults import PlacedFaults, place_faults
from arena.show.sight import Sight, look
from arena.show.text import harmless

Viewpoint: TypeAlias = Seat | None
"""From where a match is looked at; None is a spectator."""
VIEWPOINTS: tuple[Viewpoint, ...] = (None, *SEATS)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = {MoveKind.LEAD: "L", MoveKind.BEAT: "B", MoveKind.DISCARD: "D", MoveKind.PULL: "P"}
_STDERR_LINES = 3


def match_data(
    record: MatchRecord, *, number: int, viewpoints: Sequence[Viewpoint] = VIEWPOINTS
) -> dict[Viewpoint, dict[str, Any]]:
    """The data of a match by viewpoint. number: of the match, for people.

    Raises StoreError where the record does not follow the rules.
    """
    faults = place_faults(record)
    writers = [_Writer(record, viewer, faults) for viewer in viewpoints]
    for index, game in enumerate(record.games):
        try:
            _replay(game, record, index, writers)
        except (StoreError, RulesError) as error:
            raise StoreError(f"match {number}, game {index + 1}: {error}") from error
    return {writer.viewer: writer.data(number) for writer in writers}


def fault_data(fault: Fault) -> dict[str, Any]:
    """A fault as a page shows it; the parts that came from a bot cannot harm what is around them."""
    text = harmless(fault.detail)
    if fault.answered:
        text += f"; it answered {harmless(fault.answered)}"
    if fault.exit_status is not None and str(fault.exit_status) not in fault.detail:
        text += f"; exit status {fault.exit_status}"
    if fault.is_oom:
        text += "; the machine's kernel killed it for memory"
    data: dict[str, Any] = {"seat": fault.seat, "kind": str(fault.kind), "text": text}
    if fault.stderr_tail:
        data["stderr"] = [harmless(line) for line in fault.stderr_tail.splitlines()[-_STDERR_LINES:]]
    return data


def _replay(game_record: GameRecord, record: MatchRecord, index: int, writers: Sequence["_Writer"]) -> None:
    """Play a game through once; every writer looks at every position."""
    start = Game.from_deal(record.rules, game_record.deal, dealer=game_record.dealer, leader=game_record.leader)
    for writer in writers:
        writer.begin(start, index)
    waiting: list[tuple[int, Decision]] = []
    game = start
    for place, (game, decision) in enumerate(iter_positions(game_record, record.rules)):
        if decision.is_heard and waiting:
            for writer in writers:
                writer.add(game, waiting)
            waiting = []
        waiting.append((place, decision))
    for writer in writers:
        writer.add(game, waiting)
        writer.end(game_record.result)


class _Writer:
    """Writes down what one viewpoint sees of a match."""

    def __init__(self, record: MatchRecord, viewer: Viewpoint, faults: PlacedFaults) -> None:
        self.viewer = viewer
        self._record = record
        self._faults = faults
        self._games: list[dict[str, Any]] = []
        self._steps: list[list[Any]] = []
        self._waiting: list[dict[str, Any]] = []
        self._index = 0
        self._score = (0, 0)

    def data(self, number: int) -> dict[str, Any]:
        """All of it."""
        record = self._record
        return {
            "number": number,
            "seat": self.viewer,
            "teams": [harmless(team) for team in record.key.seated],
            **({"bots": [harmless(bot) for bot in record.bots]} if self.viewer is None else {}),
            "open": record.rules.discards is Discards.OPEN,
            "faults": list(self._seen(self._faults.after.get(None, ()))),
            "games": self._games,
        }

    def begin(self, game: Game, index: int) -> None:
        """A game before its first move."""
        self._index = index
        self._steps = []
        self._waiting = []
        self._before = look(game, self.viewer)
        self._games.append(
            {
                "dealer": game.dealer,
                "leader": game.turn,
                "indicator": _DIGITS[game.indicator],
                "score": list(self._score),
                "hands": _hands(self._before),
                "stock": game.stock_count,
                "steps": self._steps,
                "result": None,
            }
        )

    def add(self, game: Game, answers: Sequence[tuple[int, Decision]]) -> None:
        """What the first of these answers has done to the game; the others were not heard."""
        before, after = self._before, look(game, self.viewer)
        self._before = after
        current = len(before.tricks) - 1
        trick = after.tricks[current]
        for place, decision in answers:
            self._waiting += self._seen(self._faults.before.get((self._index, place), ()))
            own = self.viewer is None or decision.seat == self.viewer
            fault = self._faults.at.get((self._index, place))
            if decision.is_heard and len(trick.plays) > len(before.tricks[current].plays):
                self._add_play(trick.plays[-1], after, decision if own else None, fault if own else None)
            elif own:
                letter = "N" if decision.move.kind is MoveKind.PASS else "Y"
                self._step(f"{decision.seat}{letter}{_cards(decision.move.cards)}", decision, fault)
        if trick.taker is not None:
            more: dict[str, Any] = {"hands": _hands(after), "stock": after.stock_count}
            if after.card_points is not None:
                more["points"] = list(after.card_points)
            self._step(f"{trick.taker}T", more=more)

    def end(self, result: GameResult | None) -> None:
        """The end of a game, also of one that was cut short."""
        self._waiting += self._seen(self._faults.after.get(self._index, ()))
        self._step("E")
        if result is not None:
            self._score = (self._score[0] + result.defeat_points[0], self._score[1] + result.defeat_points[1])
            self._games[-1]["result"] = {
                "points": list(result.card_points),
                "tricks": list(result.tricks),
                "defeat": list(result.defeat_points),
                "winner": result.winner,
            }

    def _add_play(self, play: PlayView, after: Sight, decision: Decision | None, fault: Fault | None) -> None:
        shown = _cards(play.cards) if play.cards else f":{play.count}"
        more = {"hands": _hands(after)} if play.kind is MoveKind.PULL else {}
        self._step(f"{play.seat}{_LETTERS[play.kind]}{shown}", decision, fault, more=more)

    def _step(
        self, action: str, decision: Decision | None = None, fault: Fault | None = None, *, more: dict[str, Any] | None = None
    ) -> None:
        """One step; decision and fault: None where the viewer does not know of them."""
        more = dict(more or {})
        faults = [*self._waiting, *([] if fault is None else [fault_data(fault)])]
        self._waiting = []
        if faults:
            more["faults"] = faults
        if decision is not None and decision.is_substitute:
            more["substitute"] = True
        if decision is not None and not decision.is_heard:
            more["unheard"] = True
        think_us = 0 if decision is None else decision.think_us
        step = [action, think_us, more] if more else [action, think_us]
        self._steps.append(step if more or think_us else [action])

    def _seen(self, faults: Sequence[Fault]) -> Iterator[dict[str, Any]]:
        """The faults that are shown here."""
        return (fault_data(fault) for fault in faults if self.viewer is None or fault.seat == self.viewer)


def _hands(sight: Sight) -> list[str | int]:
    return [count if hand is None else _cards(hand) for hand, count in zip(sight.hands, sight.hand_counts, strict=True)]


def _cards(cards: Cards) -> str:
    return "".join(_DIGITS[card] for card in iter_cards(cards))
