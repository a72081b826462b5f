"""A whole run held against its own records: every byte, every match, its place in the schedule, the faults, and the table.

The matches come one at a time, so that a run of any size is verified in the same memory.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from arena.errors import StoreError
from arena.records.codec import decode_match
from arena.records.database import is_damage
from arena.records.model import MatchKey, MatchRecord
from arena.records.seal import checksum, commitment_of, shown_hash
from arena.records.store import Store
from arena.records.summary import MatchSummary, summarize
from arena.records.tables import MatchRow
from arena.records.verify import Difference, iter_column_differences, iter_match_differences
from arena.referee.policy import FaultPolicy
from arena.tournament.bench import Bench
from arena.tournament.fault_check import iter_fault_differences
from arena.tournament.formats import Format
from arena.tournament.plan import Plan, parse_block
from arena.tournament.plan_check import PlanCheck
from arena.tournament.scheduling import parse_format
from arena.tournament.standings import Standings
from arena.tournament.table import read_table

_NO_CONFIG = (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError)
"""What comes of reading a configuration that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A run in which everything is right. matches_planned: of the whole schedule.

    commitment: the hash of the secret. secret, fingerprint: None while the run is not finished. The fingerprint stands for
    every byte of the run and of its matches: note it elsewhere, and nobody can change the run unseen.
    """

    matches: int
    games: int
    decisions: int
    matches_planned: int
    commitment: str
    secret: bytes | None = field(repr=False)
    fingerprint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What somebody noted of the run and wants compared, as `shown_hash` writes it; None for what was not noted."""

    commitment: str | None = None
    fingerprint: str | None = None


def verify_run(folder: Path, noted: Noted, *, on_match: Callable[[int, int], None]) -> Verified | Difference:
    """The first difference between what is stored and what should be, or what was verified.

    folder: of the run. on_match: called after each match that was found right, with their count and that of all. Raises
    RunError when it is no run, StoreError when the machine fails to read it.
    """
    verifier: _Verifier | None = None
    try:
        with Store.open(folder) as store, _Records.open(folder) as records:
            verifier = _Verifier(store, records, noted, on_match)
            return next(verifier.iter_differences(), None) or verifier.verified()
    except StoreError as error:
        if not is_damage(error):
            raise
        at = verifier.at if verifier else None
        return Difference(what="file", stored=str(error), right="one that is not damaged", match=at)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What the run's configuration says of all its matches."""

    rules: dict[str, Any]
    time: dict[str, int]
    policy: FaultPolicy
    bench_after: int
    bots: dict[str, tuple[str, str]]
    format: Format

    @classmethod
    def parse(cls, text: str) -> "_Terms":
        """From the stored JSON. Raises one of _NO_CONFIG when it is not that of a run."""
        config = json.loads(text)
        time, faults = config["time"], config["faults"]
        teams = {}
        for team in config["teams"]:
            first, second = map(str, team["bots"])
            teams[str(team["name"])] = (first, second)
        return cls(
            rules=dict(config["rules"]),
            time={
                "move_ms": round(time["move_seconds"] * 1000),
                "bank_ms": round(time["bank_seconds"] * 1000),
                "max_faults": int(faults["max_faults"]),
            },
            policy=FaultPolicy(max_faults=int(faults["max_faults"]), restarts=int(faults["restarts"])),
            bench_after=int(faults["bench_after"]),
            bots=teams,
            format=parse_format(config),
        )


class _FoundError(Exception):
    """Ends the reading of the matches at the first difference, wherever it is being done."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference)
        self.difference = difference


def _raise_first(differences: Iterator[Difference]) -> None:
    for difference in differences:
        raise _FoundError(difference)


class _Records(Store):
    """The run with all figures of its matches from their records. first_pass: where they come from the first time."""

    first_pass: Iterator[MatchSummary] | None = None

    def iter_summaries(self) -> Iterator[MatchSummary]:
        """The figures of every match, in the order of the matches' numbers."""
        found, self.first_pass = self.first_pass, None
        return found or (summarize(record) for _, record in self.iter_matches())


class _Verifier:
    """One pass over a run. at: the match that is being read."""

    def __init__(self, store: Store, records: "_Records", noted: Noted, on_match: Callable[[int, int], None]) -> None:
        self._store = store
        self._records = records
        self._noted = noted
        self._on_match = on_match
        self._is_finished = False
        self._commitment = ""
        self._plan = Plan()
        self._matches = self._games = self._decisions = 0
        self._seals = hashlib.sha256()
        self.at: int | None = None

    def verified(self) -> Verified:
        """What there was, after all of it."""
        return Verified(
            matches=self._matches,
            games=self._games,
            decisions=self._decisions,
            matches_planned=self._plan.match_count,
            commitment=self._commitment,
            secret=self._store.secret if self._is_finished else None,
            fingerprint=self._fingerprint(),
        )

    def iter_differences(self) -> Iterator[Difference]:
        """Everything in the order in which it is easiest to understand; nothing after the first can be relied on."""
        yield from self._iter_run()
        try:
            terms = _Terms.parse(self._store.config)
        except _NO_CONFIG as error:
            yield Difference(what="configuration of the run", stored=f"damaged: {error!r}", right="that of a run")
            return
        yield from self._iter_plan(terms)
        self._records.first_pass = self._iter_summaries(terms)
        try:
            table = read_table(self._records, with_statistics=False).standings
        except _FoundError as error:
            yield error.difference
            return
        self.at = None
        stored = read_table(self._store, with_statistics=False).standings
        if not self._went_on():
            yield from self._iter_table(table, stored)
        damage = self._store.file_damage()
        if damage is not None:
            yield Difference(what="structure of the file", stored=damage, right="one without damage")
        yield from self._iter_noted("fingerprint of the run", self._fingerprint(), self._noted.fingerprint)

    def _iter_run(self) -> Iterator[Difference]:
        *values, seal = self._store.run_row() or (None,)
        if not isinstance(seal, bytes) or seal != checksum(values):
            yield _damaged("row of the run itself", seal)
            return
        self._seals.update(seal)
        self._is_finished = values[-1] is not None
        self._commitment = self._store.info.commitment
        right = commitment_of(self._store.secret)
        if self._commitment != right:
            yield Difference(what="commitment to the secret of the deals", stored=self._commitment, right=right)
        yield from self._iter_noted("commitment to the secret of the deals", self._commitment, self._noted.commitment)

    def _iter_plan(self, terms: _Terms) -> Iterator[Difference]:
        """The blocks of the schedule: each was stored before the first of its matches was played."""
        for at, (number, content, seal) in enumerate(self._store.block_rows(), start=1):
            if number != at or seal != checksum((number, content)):
                yield _damaged(f"part {at} of the schedule", seal)
                return
            self._seals.update(seal)
            self._plan.add(parse_block(str(content, "utf-8", "replace"), terms.bots))

    def _iter_noted(self, what: str, stored: str | None, noted: str | None) -> Iterator[Difference]:
        if noted is not None and stored != noted:
            known = stored or "none, since the run is not finished"
            yield Difference(what=f"{what}, which is not what was noted", stored=known, right=noted)

    def _iter_summaries(self, terms: _Terms) -> Iterator[MatchSummary]:
        """Each match from its record, after it was found right. Raises _FoundError at the first that is not."""
        bench = Bench(terms.bench_after)
        check = PlanCheck(terms.format, self._plan.blocks)
        _raise_first(check.iter_differences(0))
        last = 0
        total = self._store.match_count()
        for row in self._store.iter_rows():
            if row.number > self._plan.match_count and len(self._store.blocks()) > len(self._plan.blocks):
                break  # of a block that was planned meanwhile
            self.at = row.number
            record = self._check_row(row, terms, last=last)
            if self._is_finished:
                _raise_first(self._iter_bench(record, row.number, bench))
            summary = summarize(record)
            yield summary
            last = row.number
            check.add(summary)
            _raise_first(check.iter_differences(last))
            self._matches += 1
            self._games += len(record.games)
            self._decisions += sum(len(game.decisions) for game in record.games)
            self._seals.update(row.seal)
            self._on_match(self._matches, total)
        self.at = None
        if last < self._complete:
            raise _FoundError(_missing(last + 1))
        if self._is_finished:
            _raise_first(check.iter_end_differences())

    def _check_row(self, row: MatchRow, terms: _Terms, *, last: int) -> MatchRecord:
        """The record of a row that is right."""
        number = row.number
        if not row.is_whole:
            raise _FoundError(replace(_damaged("stored bytes of the match", row.seal), match=number))
        if last < self._complete and number != last + 1:
            raise _FoundError(_missing(last + 1))
        try:
            record = decode_match(row.record)
        except StoreError as error:
            found = Difference(what="record of the match", stored=str(error), right="a record", match=number)
            raise _FoundError(found) from error
        _raise_first(replace(found, match=number) for found in self._iter_record(record, row, terms))
        return record

    def _iter_record(self, record: MatchRecord, row: MatchRow, terms: _Terms) -> Iterator[Difference]:
        yield from _iter_place(record.key, row.number, self._plan)
        yield from _iter_terms(record, terms)
        yield from iter_match_differences(record, self._store.secret)
        yield from iter_fault_differences(record, terms.policy)
        yield from iter_column_differences(row.columns, summarize(record))

    def _iter_bench(self, record: MatchRecord, number: int, bench: Bench) -> Iterator[Difference]:
        """Whether a match was played that a benched team forfeits, or the other way round; matches come without a gap."""
        summary = summarize(record)
        benched = bench.benched(record.key)
        if summary.is_unplayed and not benched:
            yield Difference(what="match", stored="not played", right="played: no team of it was benched", match=number)
        for wrong, _, teams in bench.add(number, summary):
            names = " and ".join(record.key.seated[team] for team in teams)
            yield Difference(what="match", stored="another end", right=f"forfeited by {names}, benched", match=wrong)

    def _iter_table(self, right: Standings, stored: Standings) -> Iterator[Difference]:
        for row, expected in zip(stored.rows, right.rows, strict=True):
            if row != expected:
                yield Difference(what=f"line of the table for {expected.team}", stored=str(row), right=str(expected))
        if stored != right:
            yield Difference(what="table of the pairs", stored=str(stored), right=str(right))

    def _went_on(self) -> bool:
        """Whether somebody is playing the run, and has played more of it than was read here."""
        return self._store.match_count() != self._matches or self._store.is_finished != self._is_finished

    @property
    def _complete(self) -> int:
        """Up to which number all matches must be there: a block is planned when those before it are finished."""
        blocks = self._plan.blocks
        return self._plan.match_count - (blocks[-1].match_count if blocks and not self._is_finished else 0)

    def _fingerprint(self) -> str | None:
        return shown_hash(self._seals.digest()) if self._is_finished else None


def _iter_place(key: MatchKey, number: int, plan: Plan) -> Iterator[Difference]:
    """Whether the schedule has this match at this number; each number is there once at most, and so is each match."""
    try:
        right = plan.match_number(key)
    except ValueError:
        yield Difference(what="match", stored=_key(key), right="a match of the schedule")
        return
    if number != right:
        yield Difference(what=f"number of the match {_key(key)}", stored=str(number), right=str(right))


def _iter_terms(record: MatchRecord, terms: _Terms) -> Iterator[Difference]:
    for what, stored, right in (("rules", asdict(record.rules), terms.rules), ("time", asdict(record.time), terms.time)):
        for name, value in stored.items():
            if value != right.get(name):
                yield Difference(what=f"{what}, {name}", stored=str(value), right=str(right.get(name)))
    bots = _bots_by_seat(record.key, terms)
    if record.bots != bots:
        yield Difference(what="bots on seats 0 to 3", stored=", ".join(record.bots), right=", ".join(bots))


def _bots_by_seat(key: MatchKey, terms: _Terms) -> tuple[str, str, str, str]:
    """Each team's bots in their order, or the other way round where the key says that they have changed places."""
    first, second = (
        terms.bots[name][::-1] if key.exchanged & bit else terms.bots[name] for name, bit in zip(key.teams, (1, 2), strict=True)
    )
    one, other = (second, first) if key.swapped else (first, second)
    return one[0], other[0], one[1], other[1]


def _missing(number: int) -> Difference:
    return Difference(what="match", stored="nothing", right="a match: none is left out", match=number)


def _damaged(what: str, seal: object) -> Difference:
    stored = shown_hash(seal) if isinstance(seal, bytes) else "none"
    return Difference(what=what, stored="something else than was written", right=f"what has the checksum {stored}")


def _key(key: MatchKey) -> str:
    first, second = key.seated
    exchanged = f", members exchanged {key.exchanged}" if key.exchanged else ""
    return f"{first} on seats 0 and 2 against {second}, set {key.number + 1}{exchanged}"
