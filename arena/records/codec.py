"""A match record as JSON text, schema 1, and back; the round trip is exact.

    {"schema": 1,
     "key": {"teams": ["Wild Goats", "Old Goats"], "number": 0, "swapped": false, "exchanged": 0},
     "bots": ["random", "greedy", "random", "greedy"],                            by seat
     "rules": {"match_target": 12, "max_lead": 4, "pull": "any_time", …},         every option
     "time": {"move_ms": 1000, "bank_ms": 20000, "max_faults": 3},
     "games": [
       {"deck": "6C 10H …",                      36 cards in the order they leave the deck
        "indicator": "9S",                       inside the stock
        "dealer": 3, "leader": 0,
        "decisions": [[0, "lead 9D", 310], [1, "discard 6C", 280, "substitute"], [2, "pass", 99], [3, "pull …", 80, "unheard"]],
        "result": {"number": 0, "dealer": 3, "leader": 0, "card_points": [71, 49], "tricks": [4, 3],
                   "defeat_points": [0, 2], "taker": 2}}],                        null when a forfeit cut the game short
     "faults": [{"kind": "timeout", "seat": 1, "detail": "…", "game": 0, "turn": 7, "decision": 12, "sent": "",
                 "answered": "", "exit_status": null, "is_oom": false, "stderr_tail": ""}],
     "defeat_points": [4, 12], "loser": 1, "goats": "goats", "forfeited": [],
     "isolation": "none", "started_at": "2026-01-31T12:00:00+00:00", "seconds": 4.2}

A decision is seat, move in the notation of the rules, microseconds, then the marks it has. All keys are always there, one line
for each key, game and fault. Reading is strict: what is not exactly so raises StoreError with the place.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from arena.errors import NotationError, RulesError, StoreError
from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchKey, MatchRecord
from arena.rules.cards import CARD_NAMES, SEATS, TEAMS, Seat, Team, parse_card
from arena.rules.deal import Deal, deal_from
from arena.rules.match import GameResult, Goats
from arena.rules.moves import Move, parse_move
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules, TimeControl

SCHEMA = 1
_SUBSTITUTE = "substitute"
_UNHEARD = "unheard"
_SURROGATE = re.compile("[\ud800-\udfff]")
_Value = TypeVar("_Value")
_Choice = TypeVar("_Choice", bound=StrEnum)


def encode_match(record: MatchRecord) -> str:
    """The text of a record. Raises StoreError for a value that JSON cannot hold, such as an infinite number of seconds."""
    values = {
        "schema": SCHEMA,
        "key": {
            "teams": record.key.teams,
            "number": record.key.number,
            "swapped": record.key.swapped,
            "exchanged": record.key.exchanged,
        },
        "bots": record.bots,
        "rules": asdict(record.rules),
        "time": asdict(record.time),
        "games": [_game_values(game) for game in record.games],
        "faults": [asdict(fault) for fault in record.faults],
        "defeat_points": record.defeat_points,
        "loser": record.loser,
        "goats": record.goats,
        "forfeited": record.forfeited,
        "isolation": record.isolation,
        "started_at": record.started_at,
        "seconds": record.seconds,
    }
    try:
        return "{" + ",\n".join(f'"{name}":{_lines(value)}' for name, value in values.items()) + "}"
    except (TypeError, ValueError) as error:
        raise StoreError(f"a match record cannot be written as JSON: {error}") from error


def decode_match(text: str) -> MatchRecord:
    """The record that `text` holds. Raises StoreError that names the first thing that is wrong and its place."""
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"a match record is not JSON: {error}") from error
    root = _Node(value, "record")
    if isinstance(value, dict) and value.get("schema") != SCHEMA:
        root.fail(f"schema is {value.get('schema')!r}: this version reads {SCHEMA}")
    at = root.members(("schema", *(field.name for field in fields(MatchRecord))))
    at["schema"].integer()
    return MatchRecord(
        key=_key(at["key"]),
        bots=at["bots"].four(_Node.text),
        rules=_rules(at["rules"]),
        time=_time(at["time"]),
        games=tuple(map(_game, at["games"].items())),
        faults=tuple(map(_fault, at["faults"].items())),
        defeat_points=at["defeat_points"].pair(_Node.count),
        loser=at["loser"].optional(_Node.team),
        goats=at["goats"].optional(lambda node: node.choice(Goats)),
        forfeited=tuple(node.team() for node in at["forfeited"].items()),
        isolation=at["isolation"].text(),
        started_at=at["started_at"].text(),
        seconds=at["seconds"].number(),
    )


def _game_values(game: GameRecord) -> dict[str, Any]:
    return {
        "deck": " ".join(CARD_NAMES[card] for card in game.deal.deck),
        "indicator": CARD_NAMES[game.deal.indicator],
        "dealer": game.dealer,
        "leader": game.leader,
        "decisions": [_decision_values(decision) for decision in game.decisions],
        "result": None if game.result is None else asdict(game.result),
    }


def _decision_values(decision: Decision) -> list[Any]:
    values: list[Any] = [decision.seat, str(decision.move), decision.think_us]
    if decision.is_substitute:
        values.append(_SUBSTITUTE)
    if not decision.is_heard:
        values.append(_UNHEARD)
    return values


def _lines(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(_dump, value)) + "\n]"
    return _dump(value)


def _dump(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # What a bot wrote may hold half a surrogate pair, which no file can: inside JSON its escape stands for the same text.
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("an object has a key twice")
    return values


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


class _Node:
    """A value of the JSON text with its place in it; every method raises StoreError when the value is not that."""

    __slots__ = ("place", "value")

    def __init__(self, value: Any, place: str) -> None:
        self.value = value
        self.place = place

    def fail(self, problem: str) -> NoReturn:
        raise StoreError(f"{self.place}: {problem}")

    def members(self, names: Iterable[str]) -> Mapping[str, "_Node"]:
        """The members of an object with exactly these keys."""
        if not isinstance(self.value, dict):
            self.fail(f"{_brief(self.value)} is not an object")
        wanted = tuple(names)
        for name in wanted:
            if name not in self.value:
                self.fail(f"{name!r} is missing")
        for name in self.value:
            if name not in wanted:
                self.fail(f"{_brief(name)} is not a key of it")
        return {name: _Node(self.value[name], f"{self.place}.{name}") for name in wanted}

    def items(self) -> list["_Node"]:
        if not isinstance(self.value, list):
            self.fail(f"{_brief(self.value)} is not an array")
        return [_Node(value, f"{self.place}[{index}]") for index, value in enumerate(self.value)]

    def pair(self, read: Callable[["_Node"], _Value]) -> tuple[_Value, _Value]:
        first, second = self._exactly(2)
        return (read(first), read(second))

    def four(self, read: Callable[["_Node"], _Value]) -> tuple[_Value, _Value, _Value, _Value]:
        first, second, third, fourth = self._exactly(4)
        return (read(first), read(second), read(third), read(fourth))

    def _exactly(self, count: int) -> list["_Node"]:
        items = self.items()
        if len(items) != count:
            self.fail(f"it has {len(items)} items, not {count}")
        return items

    def optional(self, read: Callable[["_Node"], _Value]) -> _Value | None:
        return None if self.value is None else read(self)

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail(f"{_brief(self.value)} is not text")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail(f"{_brief(self.value)} is not true or false")
        return self.value

    def integer(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail(f"{_brief(self.value)} is not an integer")
        return self.value

    def count(self) -> int:
        """An integer that is not negative."""
        if self.integer() < 0:
            self.fail(f"{self.value} is negative")
        return self.integer()

    def number(self) -> float:
        if not isinstance(self.value, float):
            return self.integer()
        if not math.isfinite(self.value):
            self.fail(f"{self.value} is not finite")
        return self.value

    def seat(self) -> Seat:
        if self.integer() not in SEATS:
            self.fail(f"{self.value} is not a seat, 0 to 3")
        return SEATS[self.value]

    def team(self) -> Team:
        if self.integer() not in TEAMS:
            self.fail(f"{self.value} is not a team, 0 or 1")
        return TEAMS[self.value]

    def choice(self, kind: type[_Choice]) -> _Choice:
        try:
            return kind(self.text())
        except ValueError:
            self.fail(f"{_brief(self.value)} is not one of {', '.join(kind)}")

    def move(self) -> Move:
        try:
            return parse_move(self.text())
        except NotationError as error:
            self.fail(str(error))


def _key(node: _Node) -> MatchKey:
    at = node.members(("teams", "number", "swapped", "exchanged"))
    return MatchKey(at["teams"].pair(_Node.text), at["number"].count(), at["swapped"].flag(), at["exchanged"].count())


def _rules(node: _Node) -> Rules:
    at = node.members(field.name for field in fields(Rules))
    try:
        return Rules(
            match_target=at["match_target"].integer(),
            max_lead=at["max_lead"].integer(),
            pull=at["pull"].choice(Pull),
            pull_suits=at["pull_suits"].choice(PullSuits),
            discards=at["discards"].choice(Discards),
            eggs=at["eggs"].choice(Eggs),
            max_games=at["max_games"].integer(),
        )
    except RulesError as error:
        node.fail(str(error))


def _time(node: _Node) -> TimeControl:
    at = node.members(field.name for field in fields(TimeControl))
    try:
        return TimeControl(
            move_ms=at["move_ms"].integer(), bank_ms=at["bank_ms"].integer(), max_faults=at["max_faults"].integer()
        )
    except RulesError as error:
        node.fail(str(error))


def _game(node: _Node) -> GameRecord:
    at = node.members(("deck", "indicator", "dealer", "leader", "decisions", "result"))
    return GameRecord(
        deal=_deal(at["deck"], at["indicator"]),
        dealer=at["dealer"].seat(),
        leader=at["leader"].seat(),
        decisions=tuple(map(_decision, at["decisions"].items())),
        result=at["result"].optional(_result),
    )


def _deal(deck: _Node, indicator: _Node) -> Deal:
    try:
        return deal_from(tuple(map(parse_card, deck.text().split())), parse_card(indicator.text()))
    except (NotationError, RulesError) as error:
        deck.fail(str(error))


def _decision(node: _Node) -> Decision:
    items = node.items()
    if len(items) < 3:
        node.fail(f"it has {len(items)} items, not 3 or more")
    marks = [item.text() for item in items[3:]]
    if marks not in ([], [_SUBSTITUTE], [_UNHEARD], [_SUBSTITUTE, _UNHEARD]):
        node.fail(f"{_brief(marks)} are not the marks of a decision")
    return Decision(
        seat=items[0].seat(),
        move=items[1].move(),
        think_us=items[2].count(),
        is_substitute=_SUBSTITUTE in marks,
        is_heard=_UNHEARD not in marks,
    )


def _result(node: _Node) -> GameResult:
    at = node.members(field.name for field in fields(GameResult))
    return GameResult(
        number=at["number"].count(),
        dealer=at["dealer"].seat(),
        leader=at["leader"].seat(),
        card_points=at["card_points"].pair(_Node.count),
        tricks=at["tricks"].pair(_Node.count),
        defeat_points=at["defeat_points"].pair(_Node.count),
        taker=at["taker"].seat(),
    )


def _fault(node: _Node) -> Fault:
    at = node.members(field.name for field in fields(Fault))
    return Fault(
        kind=at["kind"].choice(FaultKind),
        seat=at["seat"].seat(),
        detail=at["detail"].text(),
        game=at["game"].optional(_Node.count),
        turn=at["turn"].optional(_Node.count),
        decision=at["decision"].optional(_Node.count),
        sent=at["sent"].text(),
        answered=at["answered"].text(),
        exit_status=at["exit_status"].optional(_Node.integer),
        is_oom=at["is_oom"].flag(),
        stderr_tail=at["stderr_tail"].text(),
    )


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
