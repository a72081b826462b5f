"""Tables with one real bot and three seats that chance plays: matches of one game, dealt so that every kind of turn comes.

They are matches as any other, so a bot that keeps things in mind is not confused. The deals are fixed; what the bot does
decides the rest.
"""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.check.measure import MemoryMeter, Stopwatch
from arena.check.report import Problem
from arena.check.words import describe_turn, illegal_problem, trouble_problem
from arena.errors import OverloadError
from arena.referee.policy import fallback_move
from arena.rules.cards import NEXT_SEAT, SEATS, TEAM_OF_SEAT, Cards, Seat, is_one_suit
from arena.rules.deal import Deal, make_deal
from arena.rules.game import Game
from arena.rules.match import Match
from arena.rules.moves import Move, MoveCode, MoveKind
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules, TimeControl
from arena.rules.view import View
from arena.seat.chair import Chair
from arena.seat.trouble import Reply, Trouble, TroubleKind

TEAMS = ("Check", "Chance")
_SECRET = b"the deals of arena check are not secret"
_DEALER_BEFORE = {seat: dealer for dealer, seat in enumerate(NEXT_SEAT)}
"""The dealer whose next seat leads, by that seat."""


class Kind(StrEnum):
    """Kinds of turns, in words."""

    LEAD = "a lead"
    SINGLE_LEAD = "a lead of one card at most"
    BEAT = "an answer that can beat"
    SEVERAL = "an answer to several cards"
    DISCARD = "an answer that can only discard"
    OFFER = "the offer of a pull"
    RETURNED = "cards returned by a pull"
    FORCED = "a single legal move"
    OPEN = "open discards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One game. name: its deals come from it. wanted: which hands it needs, from the four hands and the bot's seat.

    leads: whether the bot leads, else the seat after it does. puller: the distance, clockwise, of a seat that pulls as soon as
    the bot has played to a trick; 0 for none.
    """

    name: str
    rules: Rules
    wanted: Callable[[Sequence[Cards], Seat], bool] = lambda hands, seat: True
    leads: bool = False
    puller: int = 0

    def deal(self, seat: Seat) -> Deal:
        """The first deal of that name that has the hands that are needed."""
        number = 0
        while True:
            deal = make_deal(_SECRET, self.name, number)
            if self.wanted(deal.hands(self.dealer(seat)), seat):
                return deal
            number += 1

    def dealer(self, seat: Seat) -> Seat:
        """Who deals, so that the right seat leads."""
        return SEATS[_DEALER_BEFORE[seat if self.leads else NEXT_SEAT[seat]]]


_ONE_GAME = Rules(max_games=1)
TABLES = (
    Table(name="lead", rules=_ONE_GAME, leads=True),
    Table(name="offer", rules=_ONE_GAME, wanted=lambda hands, seat: is_one_suit(hands[seat])),
    Table(
        name="returned",
        rules=Rules(max_games=1, max_lead=2),
        leads=True,
        puller=1,
        wanted=lambda hands, seat: is_one_suit(hands[NEXT_SEAT[seat]]),
    ),
    Table(name="single", rules=Rules(max_games=1, max_lead=1), leads=True),
    Table(
        name="open",
        rules=Rules(
            max_games=1,
            discards=Discards.OPEN,
            pull=Pull.BEFORE_LEAD,
            pull_suits=PullSuits.TRUMP,
            eggs=Eggs.DOUBLE_NEXT,
            match_target=2,
        ),
    ),
)
"""What comes in every examination."""
_MORE_TABLES = 20
"""How many more are played, at most, until every kind of turn has come."""

Interrupt = Callable[[int], Awaitable[Problem | None]]
"""Called before a turn of the bot with the number of its turns so far."""


class TablePlayer:
    """The examined bot in its chair, and what is measured while it plays."""

    def __init__(self, chair: Chair, *, time: TimeControl, watch: Stopwatch, memory: MemoryMeter) -> None:
        self._chair = chair
        self._time = time
        self._watch = watch
        self._memory = memory
        self._is_first = True
        self.seen: set[Kind] = set()
        self.turns = 0

    def restarted(self) -> None:
        """The bot has a new process: its first answer has more time and is not measured."""
        self._is_first = True

    async def play_tables(self) -> Problem | None:
        """Every table, and more of them until every kind of turn has come; what went wrong first."""
        for table in TABLES:
            if problem := await self.play(table):
                return problem
        for number in range(_MORE_TABLES):
            if len(self.seen) == len(Kind):
                break
            if problem := await self.play(replace(TABLES[number % len(TABLES)], name=f"more {number}")):
                return problem
        return None

    async def play(self, table: Table, *, interrupt: Interrupt | None = None) -> Problem | None:
        """One table; what the bot did wrong, which ends it."""
        rules, seat = table.rules, self._chair.seat
        match = Match(rules, dealer=table.dealer(seat))
        await self.remind(table, is_new=True)
        game = match.start_game(table.deal(seat))
        chance = random.Random(table.name)
        turns = 0
        while not game.is_over:
            moves: list[Move] = []
            for asked in game.asked:
                if asked != seat:
                    moves.append(_other_move(game, asked, bot=seat, table=table, chance=chance))
                    continue
                if interrupt is not None and (problem := await interrupt(turns)):
                    return problem
                turns += 1
                answer = await self._ask(game, match)
                if isinstance(answer, Problem):
                    return answer
                moves.append(answer)
            for move in moves:
                game.advance(move.code)
                if move.kind is MoveKind.PULL:
                    break
        await self._chair.tell_game(match.finish_game())
        points = (match.defeat_points[0], match.defeat_points[1])
        await self._chair.tell_match(points, loser=match.loser, forfeited=())
        return None

    async def play_late(self, table: Table, *, move_ms: int) -> tuple[bool, Problem | None]:
        """A match with so little time that an answer should be late, which loses it; whether one was, and what went wrong."""
        seat, time = self._chair.seat, TimeControl(move_ms=move_ms, bank_ms=0, max_faults=1)
        match = Match(table.rules, dealer=table.dealer(seat))
        await self._chair.begin_match(teams=TEAMS, rules=table.rules, time=time)
        game = match.start_game(table.deal(seat))
        chance = random.Random(table.name)
        while not game.is_over:
            if game.to_move != seat:
                game.advance(_other_move(game, game.to_move, bot=seat, table=table, chance=chance).code)
                continue
            legal, view = game.legal_codes(seat), game.view(seat)
            try:
                outcome = await self._chair.ask(legal, view=view, score=match.score)
            except OverloadError as error:
                # It was to be late, and who is to blame for a few milliseconds does not matter.
                outcome = Trouble(kind=TroubleKind.LATE, detail=str(error))
            if isinstance(outcome, Trouble):
                if outcome.kind is not TroubleKind.LATE:
                    return False, trouble_problem(outcome, seat=seat, sent=describe_turn(view, legal, rules=table.rules))
                await self._chair.tell_fault(outcome.detail, played=fallback_move(game, seat), faults=1, max_faults=1)
                team = TEAM_OF_SEAT[seat]
                points = (table.rules.match_target, 0) if team == 0 else (0, table.rules.match_target)
                await self._chair.tell_match(points, loser=team, forfeited=(team,))
                return True, None
            if outcome.move is None or outcome.move.code not in legal:
                return False, illegal_problem(outcome, seat=seat, sent=describe_turn(view, legal, rules=table.rules))
            game.advance(outcome.move.code)
        await self._chair.tell_match((0, 0), loser=None, forfeited=())
        return False, None

    async def remind(self, table: Table, *, is_new: bool = False) -> None:
        """Tell the bot of the match, with the usual time; is_new: the clock begins, too."""
        tell = self._chair.begin_match if is_new else self._chair.remind
        await tell(teams=TEAMS, rules=table.rules, time=self._time)

    async def _ask(self, game: Game, match: Match) -> Move | Problem:
        seat = self._chair.seat
        legal, view = game.legal_codes(seat), game.view(seat)
        outcome = await self._chair.ask(legal, view=view, score=match.score)
        self._memory.read()
        if isinstance(outcome, Trouble):
            return trouble_problem(outcome, seat=seat, sent=describe_turn(view, legal, rules=match.rules))
        self._note(outcome)
        if outcome.move is None or outcome.move.code not in legal:
            return illegal_problem(outcome, seat=seat, sent=describe_turn(view, legal, rules=match.rules))
        self.seen |= kinds_of(view, legal, rules=match.rules)
        return outcome.move

    def _note(self, reply: Reply) -> None:
        self.turns += 1
        if not self._is_first:
            self._watch.answers_us.append(reply.think_us)
        self._is_first = False


def kinds_of(view: View, legal: Sequence[MoveCode], *, rules: Rules) -> set[Kind]:
    """Which kinds of turn this one is."""
    moves = [Move.from_code(code) for code in legal]
    kinds = {move.kind for move in moves}
    found = {Kind.FORCED} if len(moves) == 1 else set()
    plays = [play for trick in view.tricks for play in trick.plays]
    if any(play.returned and play.seat == view.seat for play in plays):
        found.add(Kind.RETURNED)
    if any(play.kind is MoveKind.DISCARD and play.seat != view.seat and play.cards for play in plays):
        found.add(Kind.OPEN)
    if MoveKind.LEAD in kinds:
        found.add(Kind.SINGLE_LEAD if rules.max_lead == 1 else Kind.LEAD)
    elif MoveKind.PULL in kinds:
        found.add(Kind.OFFER)
    else:
        found.add(Kind.BEAT if MoveKind.BEAT in kinds else Kind.DISCARD)
        if moves[0].count > 1:
            found.add(Kind.SEVERAL)
    return found


def _other_move(game: Game, seat: Seat, *, bot: Seat, table: Table, chance: random.Random) -> Move:
    """The move of a seat that chance plays."""
    legal = game.legal_moves(seat)
    if game.is_offer and table.puller:
        has_played = bot in game.tricks[-1].seats
        return legal[0] if has_played and seat == SEATS[(bot + table.puller) % 4] else legal[1]
    return chance.choice(legal)
