"""One match from the first deal to the verdict."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TypeVar

from arena.records.dealer import first_dealer
from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchKey, MatchRecord
from arena.referee.observer import Observer
from arena.referee.policy import FaultBook, FaultPolicy, fallback_move
from arena.rules.cards import SEATS, TEAM_OF_SEAT, TEAMS, Seat, Team
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.match import Goats, Match
from arena.rules.moves import Move, MoveCode, MoveKind
from arena.rules.options import Rules, TimeControl
from arena.seat.dialogue import Dialogue
from arena.seat.trouble import Reply, Trouble, TroubleKind

Result = TypeVar("Result")

FAULT_OF_TROUBLE = {
    TroubleKind.NO_START: FaultKind.NO_START,
    TroubleKind.ENDED: FaultKind.CRASH,
    TroubleKind.PROTOCOL: FaultKind.PROTOCOL,
    TroubleKind.LATE: FaultKind.TIMEOUT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTerms:
    """What all matches of a run have in common. isolation: the tier in which the bots run, for the record."""

    rules: Rules
    time: TimeControl
    policy: FaultPolicy
    isolation: str


async def play_match(
    chairs: Sequence[Dialogue],
    *,
    key: MatchKey,
    bots: tuple[str, str, str, str],
    terms: MatchTerms,
    secret: bytes,
    observer: Observer | None = None,
) -> MatchRecord:
    """Play one match between four open chairs, by seat, whatever their bots do; its record.

    bots: their names, by seat. secret: the deals come from it and from `key.deals`. observer: is told what happens while it
    happens. Raises HostError when we or the machine failed: then the match is void.
    """
    return await _Referee(chairs, key=key, bots=bots, terms=terms, secret=secret, observer=observer or Observer()).play()


class _Referee:
    """The state of one match: the rules' own, and the book of faults."""

    def __init__(
        self,
        chairs: Sequence[Dialogue],
        *,
        key: MatchKey,
        bots: tuple[str, str, str, str],
        terms: MatchTerms,
        secret: bytes,
        observer: Observer,
    ) -> None:
        self._chairs = chairs
        self._key = key
        self._bots = bots
        self._terms = terms
        self._secret = secret
        self._observer = observer
        self._book = FaultBook(terms.policy)
        self._match = Match(terms.rules, dealer=first_dealer(key, terms.rules, secret))
        self._score = self._match.score  # before the game that is being played
        self._games: list[GameRecord] = []
        self._decided: int | None = None

    async def play(self) -> MatchRecord:
        """The whole match."""
        started_at = datetime.now(UTC)
        started = monotonic()
        for chair in self._chairs:
            chair.sit_with([other for other in self._chairs if other is not chair])
        await _together(self._seat_bot(seat) for seat in SEATS)
        self._book.order_faults(0, SEATS)
        while not self._match.is_over and not self._book.forfeited:
            await self._play_game()
        defeat_points, loser, goats = self._verdict()
        forfeited = self._book.forfeited
        await self._tell_all(lambda chair: chair.tell_match(defeat_points, loser=loser, forfeited=forfeited))
        return MatchRecord(
            key=self._key,
            bots=self._bots,
            rules=self._terms.rules,
            time=self._terms.time,
            games=tuple(self._games),
            faults=tuple(self._book.faults),
            defeat_points=defeat_points,
            loser=loser,
            goats=goats,
            forfeited=forfeited,
            isolation=self._terms.isolation,
            started_at=started_at.isoformat(timespec="seconds"),
            seconds=round(monotonic() - started, 6),
        )

    async def _seat_bot(self, seat: Seat) -> None:
        """Have the bot running and told of the match; a bot that is running and in order is kept."""
        chair = self._chairs[seat]
        if not chair.is_ready:
            trouble = await chair.start()
            if trouble is not None:
                self._add_fault(seat, trouble)
                if not await self._restart(seat):
                    return
        terms = self._terms
        await chair.begin_match(teams=self._key.seated, rules=terms.rules, time=terms.time)

    async def _restart(self, seat: Seat) -> bool:
        """Start a bot again as often as the policy has it; whether it runs. When it does not, its team has forfeited."""
        chair = self._chairs[seat]
        while self._book.may_restart(seat):
            trouble = await chair.start()
            if trouble is None:
                return True
            self._add_fault(seat, trouble)
        return False

    async def _play_game(self) -> None:
        match = self._match
        dealer, leader = match.dealer, match.leader
        deal = make_deal(self._secret, self._key.deals, len(match.games))
        game = match.start_game(deal)
        self._score = match.score
        self._observer.game_began(game, score=self._score)
        decisions: list[Decision] = []
        while not game.is_over and not self._book.forfeited:
            self._decided = len(decisions)
            await self._play_round(game, decisions)
        self._decided = None
        result = match.finish_game() if game.is_over else None
        self._games.append(GameRecord(deal=deal, dealer=dealer, leader=leader, decisions=tuple(decisions), result=result))
        if result is not None:
            self._observer.game_ended(result, score=match.score)
            await self._tell_all(lambda chair: chair.tell_game(result))

    async def _play_round(self, game: Game, decisions: list[Decision]) -> None:
        """Ask the seats whose answer is due, all at the same time, and play what the rules take of their answers."""
        asked = game.asked
        if len(asked) == 1:
            answers = [await self._ask(asked[0], game)]
        else:
            known = len(self._book.faults)
            answers = await _together(self._ask(seat, game) for seat in asked)
            self._book.order_faults(known, asked)
        if self._book.forfeited:
            return
        pulled = False
        for decision in answers:
            if decision is None:
                continue
            if pulled:
                decisions.append(replace(decision, is_heard=False))
                continue
            decisions.append(decision)
            game.advance(decision.move.code)
            self._observer.moved(game, decision)
            pulled = decision.move.kind is MoveKind.PULL

    async def _ask(self, seat: Seat, game: Game) -> Decision | None:
        """The decision of one seat, its own or the fallback; None when its team has forfeited over it."""
        chair = self._chairs[seat]
        legal = game.legal_codes(seat)
        view = game.view(seat)
        while True:
            outcome = await chair.ask(legal, view=view, score=self._score)
            if isinstance(outcome, Reply):
                if outcome.move is not None and outcome.move.code in legal:
                    return Decision(seat=seat, move=outcome.move, think_us=outcome.think_us)
                self._add_illegal(seat, outcome, legal=legal)
                think_us, reason = outcome.think_us, f"not a legal move: {outcome.text}"
            else:
                self._add_fault(seat, outcome, legal=legal)
                if outcome.kind is not TroubleKind.LATE:
                    if not await self._restart(seat):
                        return None
                    await chair.remind(teams=self._key.seated, rules=self._terms.rules, time=self._terms.time)
                    continue
                think_us, reason = outcome.think_us, _detail(outcome)
            played = fallback_move(game, seat)
            await chair.tell_fault(
                reason, played=played, faults=self._book.count(TEAM_OF_SEAT[seat]), max_faults=self._terms.policy.max_faults
            )
            return Decision(seat=seat, move=played, think_us=think_us, is_substitute=True)

    async def _tell_all(self, tell: Callable[[Dialogue], Coroutine[Any, Any, None]]) -> None:
        await _together(tell(chair) for chair in self._chairs if chair.is_ready)

    def _add_fault(self, seat: Seat, trouble: Trouble, *, legal: Sequence[MoveCode] = ()) -> None:
        """Book a trouble; legal: what the seat was sent, when a turn was open."""
        self._book_fault(
            Fault(
                kind=FAULT_OF_TROUBLE[trouble.kind],
                seat=seat,
                detail=_detail(trouble),
                game=self._game_number,
                turn=trouble.turn,
                decision=self._decided,
                sent=_in_words(legal),
                exit_status=trouble.exit_status,
                is_oom=trouble.is_oom,
                stderr_tail=trouble.stderr_tail,
            )
        )

    def _add_illegal(self, seat: Seat, reply: Reply, *, legal: Sequence[MoveCode]) -> None:
        self._book_fault(
            Fault(
                kind=FaultKind.ILLEGAL,
                seat=seat,
                detail="its answer is not one of the legal moves",
                game=self._game_number,
                turn=reply.turn,
                decision=self._decided,
                sent=_in_words(legal),
                answered=reply.text,
            )
        )

    def _book_fault(self, fault: Fault) -> None:
        self._book.add(fault)
        self._observer.failed(fault)

    @property
    def _game_number(self) -> int | None:
        return len(self._match.games) if self._match.game is not None else None

    def _verdict(self) -> tuple[tuple[int, int], Team | None, Goats | None]:
        """Defeat points by team, the loser, what it is called. A team that forfeited is given match_target at least; the other
        one keeps what it was given in the games that were finished."""
        points = self._match.defeat_points
        forfeited = self._book.forfeited
        if not forfeited:
            return (points[0], points[1]), self._match.loser, self._match.goats
        target = self._terms.rules.match_target
        first, second = (max(points[team], target) if team in forfeited else points[team] for team in TEAMS)
        if len(forfeited) == 2:
            return (first, second), None, None
        return (first, second), forfeited[0], self._match.loser_name


def _detail(trouble: Trouble) -> str:
    """What happened, as it is booked and as the bot is told."""
    computed = "" if trouble.cpu_seconds is None else f"; it computed for {trouble.cpu_seconds:.1f} s of that"
    return trouble.detail + computed


def _in_words(legal: Sequence[MoveCode]) -> str:
    return "; ".join(str(Move.from_code(code)) for code in legal)


async def _together(coroutines: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Run them at the same time; their results in order. When one raises, the others are cancelled and over before it shows."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in coroutines]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors
    return [task.result() for task in tasks]
