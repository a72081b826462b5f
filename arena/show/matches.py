"""Matches for programs: one line of JSON for each, as docs/export.md and docs/match.schema.json describe it.

It is not the form in which the store keeps them: that one is for arena alone and may change with it, this one has a version.
Numbers of games and decisions are from 1, as everywhere where people look.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from arena.errors import StoreError
from arena.records.model import Decision, Fault, GameRecord, MatchRecord
from arena.records.replay import iter_positions
from arena.rules.cards import CARD_NAMES, SUIT_LETTERS
from arena.rules.game import Game
from arena.rules.match import GameResult
from arena.rules.options import Rules

MATCH_SCHEMA = 1
"""Goes up when a program that reads the old form could not read the new one."""


def match_line(record: MatchRecord, *, number: int) -> str:
    """A match as one line of JSON with ASCII only, without the end of the line. Raises StoreError where it does not replay."""
    key = record.key
    try:
        games = [_game(game, record.rules, number=index) for index, game in enumerate(record.games, start=1)]
    except StoreError as error:
        raise StoreError(f"match {number}: {error}") from error
    values = {
        "schema": MATCH_SCHEMA,
        "match": number,
        "teams": key.seated,
        "bots": record.bots,
        "pairing": key.teams,
        "set": key.number + 1,
        "swapped": key.swapped,
        "exchanged": key.exchanged,
        "deals": key.deals,
        "rules": asdict(record.rules),
        "time": asdict(record.time),
        "isolation": record.isolation,
        "started_at": record.started_at,
        "seconds": record.seconds,
        "games": games,
        "faults": list(map(_fault, record.faults)),
        "verdict": {
            "defeat_points": record.defeat_points,
            "loser": None if record.loser is None else key.seated[record.loser],
            "goats": record.goats,
            "forfeited": [key.seated[team] for team in record.forfeited],
        },
    }
    return json.dumps(values, allow_nan=False, separators=(",", ":"))


def _game(game: GameRecord, rules: Rules, *, number: int) -> dict[str, Any]:
    return {
        "game": number,
        "dealer": game.dealer,
        "leader": game.leader,
        "deck": [CARD_NAMES[card] for card in game.deal.deck],
        "indicator": CARD_NAMES[game.deal.indicator],
        "trump": SUIT_LETTERS[game.deal.trump],
        "decisions": list(_iter_decisions(game, rules)),
        "result": None if game.result is None else _result(game.result),
    }


def _iter_decisions(game: GameRecord, rules: Rules) -> Iterator[dict[str, Any]]:
    for position, decision in iter_positions(game, rules):
        yield {
            "seat": decision.seat,
            "question": _question(position),
            "legal": _legal(position, decision),
            "move": str(decision.move),
            "think_us": decision.think_us,
            "substitute": decision.is_substitute,
            "heard": decision.is_heard,
        }


def _question(position: Game) -> str:
    if position.is_offer:
        return "pull"
    return "answer" if position.winning_cards else "lead"


def _legal(position: Game, decision: Decision) -> list[str]:
    return list(map(str, position.legal_moves(decision.seat)))


def _result(result: GameResult) -> dict[str, Any]:
    return {
        "card_points": result.card_points,
        "tricks": result.tricks,
        "defeat_points": result.defeat_points,
        "taker": result.taker,
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "seat": fault.seat,
        "game": None if fault.game is None else fault.game + 1,
        "decision": None if fault.decision is None else fault.decision + 1,
        "turn": fault.turn,
        "detail": fault.detail,
        "sent": fault.sent,
        "answered": fault.answered,
        "exit_status": fault.exit_status,
        "out_of_memory": fault.is_oom,
        "stderr_tail": fault.stderr_tail,
    }
