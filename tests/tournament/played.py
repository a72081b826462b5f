"""A whole run in a store, as a tournament leaves it, made without a bot: random moves, faults, forfeits, benched teams."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from arena.records.model import Decision
from arena.records.store import Store
from arena.records.summary import summarize
from arena.referee.policy import FaultPolicy, fallback_move
from arena.referee.referee import MatchTerms
from arena.rules.cards import SEATS, TEAM_OF_SEAT, Seat
from arena.rules.game import Game
from arena.tournament.bench import Bench, unplayed_match
from arena.tournament.config import TournamentConfig, canonical_json, format_of, load_config
from arena.tournament.history import History
from arena.tournament.plan import Plan, block_json
from tests import builders
from tests.builders import SECRET
from tests.cli.running import write_bot


class _Player(builders._Player):
    """Where the faulty seat is late, the referee's fallback move is played."""

    def _answer(self, game: Game, seat: Seat, number: int, place: int) -> Decision:
        decision = super()._answer(game, seat, number, place)
        if not decision.is_substitute:
            return decision
        return Decision(seat=seat, move=fallback_move(game, seat), think_us=decision.think_us, is_substitute=True)


def write_run(
    folder: Path,
    *,
    teams: Sequence[str] = ("A", "B", "C"),
    bots: Sequence[str] = ("one", "two"),
    faulty: str = "",
    fault_share: float = 0.3,
    is_finished: bool = True,
    **keys: Any,
) -> Path:
    """A run in `folder` in which every match was played.

    faulty: a team whose bots are late in fault_share of their turns. keys: of the tournament file.
    """
    for bot in bots:
        write_bot(folder / "bots" / bot, "")
    content = {
        "name": "Played",
        "matches": 1,
        "seed": SECRET.hex(),
        "time": {"move_seconds": 1, "bank_seconds": 20},
        "bots": {bot: f"bots/{bot}" for bot in bots},
    } | keys
    if teams:
        content["teams"] = [{"name": name, "bots": list(bots[:2])} for name in teams]
    path = folder / "played.yaml"
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")
    config = load_config(path)
    with Store.create(folder / "run", config=canonical_json(config), source=config.source, secret=SECRET) as store:
        _play(config, store, faulty=faulty, fault_share=fault_share)
        if is_finished:
            store.finish()
    return folder / "run"


def _play(config: TournamentConfig, store: Store, *, faulty: str, fault_share: float) -> None:
    """All blocks of the format, one after the other, each in the order of its numbers."""
    terms = MatchTerms(
        rules=config.rules,
        time=config.time,
        policy=FaultPolicy(max_faults=config.time.max_faults, restarts=config.restarts),
        isolation="none",
    )
    plan, history, bench = Plan(), History(), Bench(config.bench_after)
    while (block := format_of(config).next_block(history)) is not None:
        store.add_block(block_json(block))
        plan.add(block)
        history.blocks.append(block)
        matches = sorted((plan.match_number(key), key) for it in block.iter_sessions() for key in it.iter_keys())
        for number, key in matches:
            bots = config.bots_by_seat(key)
            benched = bench.benched(key)
            if benched:
                record = unplayed_match(key, benched=benched, bots=bots, terms=terms, after=config.bench_after)
            else:
                late = [seat for seat in SEATS if key.seated[TEAM_OF_SEAT[seat]] == faulty]
                player = _Player(
                    rules=config.rules,
                    chance=random.Random(number),
                    faulty=late[number % 2] if late else None,
                    fault_share=fault_share,
                    max_faults=config.time.max_faults,
                    pull_share=0.5,
                )
                record = replace(player.play(key), bots=bots, time=config.time)
            summary = summarize(record)
            list(bench.add(number, summary))
            history.add(summary)
            history.spent_seconds += 1.0
            store.add_match(record, number=number)
