"""A match move by move, as a person reads it.

A spectator sees everything. From a seat only that is shown which the seat saw: its view of the game, its own answers and its
own faults; never the cards of others, their thinking time, or what they were offered and declined.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields

from rich.text import Text

from arena.errors import StoreError, UserError
from arena.records.model import Decision, Fault, GameRecord, MatchRecord
from arena.records.replay import iter_positions
from arena.rules.cards import NEXT_SEAT, RANK_NAMES, RANKS, TEAM_OF_SEAT, TEAMS, Cards, Seat, Suit, iter_cards
from arena.rules.game import Game
from arena.rules.match import GameResult
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules
from arena.rules.view import PlayView
from arena.show.console import Printer
from arena.show.faults import place_faults
from arena.show.sight import Sight, look

_NAME_CELLS = 24
_STDERR_LINES = 3
_SUIT_STYLES = ("green", "bright_blue", "red", "bold")
"""Four colours, as on decks for people with little light; spades have that of the terminal."""
_TEAM_STYLES = ("cyan", "magenta")
_VERBS = {
    MoveKind.LEAD: "leads",
    MoveKind.BEAT: "beats",
    MoveKind.DISCARD: "discards",
    MoveKind.PULL: "pulls",
    MoveKind.PASS: "declines",
}
_INDENT = " " * 14


def iter_replay(
    record: MatchRecord, *, number: int, printer: Printer, viewer: Seat | None = None, game: int | None = None
) -> Iterator[Text]:
    """The lines of a match, at most 80 cells wide but for names in full.

    number: of the match, for people. viewer: the seat that looks; None for a spectator. game: only this one, from 1.
    Raises UserError when there is no such game, StoreError where the record does not follow the rules.
    """
    games = len(record.games)
    if game is not None and not 1 <= game <= games:
        raise UserError(f"match {number} has no game {game}: " + (f"it has {games}" if games else "no game of it was begun"))
    replay = _Replay(record, printer, viewer)
    yield from replay.iter_header(number)
    for index in range(games) if game is None else (game - 1,):
        try:
            yield from replay.iter_game(index)
        except StoreError as error:
            raise StoreError(f"match {number}, game {index + 1}: {error}") from error
    if game is None:
        yield from replay.iter_end()


class _Replay:
    def __init__(self, record: MatchRecord, printer: Printer, viewer: Seat | None) -> None:
        self.record = record
        self.viewer = viewer
        self.printer = printer
        self.names = tuple(printer.short(team, _NAME_CELLS) for team in record.key.seated)
        self.faults = place_faults(record)

    def iter_header(self, number: int) -> Iterator[Text]:
        record, whole = self.record, self.printer.whole
        from_seat = "" if self.viewer is None else f"   as seat {self.viewer} saw it"
        yield Text(f"Match {number}{from_seat}", style="bold")
        for team, seats in ((TEAMS[0], (0, 2)), (TEAMS[1], (1, 3))):
            line = Text("  seats ").append(f"{seats[0]} and {seats[1]}", style=_TEAM_STYLES[team])
            line.append(f"  {whole(record.key.seated[team])}")
            if self.viewer is None:
                line.append(f"  ({', '.join(whole(record.bots[seat]) for seat in seats)})", style="dim")
            yield line
        time = record.time
        yield Text(f"  time  {time.move_ms} ms a move, {time.bank_ms} ms in the bank, {time.max_faults} faults forfeit")
        yield Text(f"  rules {changed_options(record.rules)}")
        if self.viewer is None:
            yield Text(f"  played {whole(record.started_at)} in {record.seconds:.1f} s, isolation {whole(record.isolation)}")
        yield from self._iter_faults(self.faults.after.get(None, ()))

    def iter_game(self, index: int) -> Iterator[Text]:
        record = self.record.games[index]
        rules = self.record.rules
        yield Text()
        yield self._game_heading(index, record)
        before = look(Game.from_deal(rules, record.deal, dealer=record.dealer, leader=record.leader), self.viewer)
        yield Text("  dealt       ").append_text(self._hands(before.hands, Seat(0)))
        yield from self._trick_heading(before)
        waiting: list[tuple[int, Decision]] = []
        for place, (game, decision) in enumerate(iter_positions(record, rules)):
            if decision.is_heard and waiting:
                after = look(game, self.viewer)
                yield from self._iter_changes(before, after, waiting, index)
                before = after
                waiting = []
            waiting.append((place, decision))
        if waiting:
            yield from self._iter_changes(before, look(game, self.viewer), waiting, index)
        yield from self._iter_faults(self.faults.after.get(index, ()))
        yield from self._iter_result(record.result, index)

    def iter_end(self) -> Iterator[Text]:
        record, names = self.record, self.names
        yield Text()
        yield Text("Match over").append(f"   {self._score(record.defeat_points)} defeat points", style="bold")
        for team in record.forfeited:
            yield Text(
                f"  {names[team]} forfeited, which counts as lost at {record.rules.match_target} defeat points", style="red"
            )
        if record.loser is not None:
            yield Text(f"  {names[record.loser]} lost{f': {record.goats}' if record.goats else ''}")
        elif not record.forfeited:
            yield Text("  drawn")

    def _game_heading(self, index: int, record: GameRecord) -> Text:
        line = Text(f"Game {index + 1}", style="bold")
        line.append("   trump ", style="not bold").append_text(self._suit(record.deal.trump))
        line.append(", shown by ", style="not bold").append_text(self._cards(1 << record.deal.indicator))
        line.append(f"   seat {record.dealer} deals, seat {record.leader} leads", style="not bold")
        score = self._defeat_points(index)
        return line.append(f"   score {score[0]} : {score[1]}", style="not bold")

    def _trick_heading(self, sight: Sight) -> Iterator[Text]:
        trick = sight.tricks[-1]
        yield Text(f"Trick {len(sight.tricks)}   seat {trick.leader} has the lead, {sight.stock_count} cards in the stock")

    def _iter_changes(self, before: Sight, after: Sight, answers: list[tuple[int, Decision]], index: int) -> Iterator[Text]:
        """What the first of the answers did to the game; the others were not heard."""
        current = len(before.tricks) - 1
        trick = after.tricks[current]
        for place, decision in answers:
            yield from self._iter_faults(self.faults.before.get((index, place), ()))
            seen = decision if self._is_seen(decision.seat) else None
            added = trick.plays[len(before.tricks[current].plays) :] if decision.is_heard else ()
            for play in added:
                yield self._play_line(play, before, seen)
                if play.kind is MoveKind.PULL:
                    yield self._pull_line(trick.plays[:-1], trick.leader)
            if seen is not None and not added:
                yield self._answer_line(seen)
            if (index, place) in self.faults.at:
                yield from self._iter_faults((self.faults.at[index, place],), end="; the referee moved instead")
        if trick.taker is not None:
            yield self._taker_line(trick.taker, before, after)
            drawn = tuple(
                None if new is None or old is None else new & ~old for old, new in zip(before.hands, after.hands, strict=True)
            )
            if any(drawn):
                yield Text("  draw        ").append_text(self._hands(drawn, trick.taker))
        if len(after.tricks) > len(before.tricks):
            yield from self._trick_heading(after)

    def _is_seen(self, seat: Seat) -> bool:
        """Whether what this seat did beside the table is shown."""
        return self.viewer is None or seat == self.viewer

    def _play_line(self, play: PlayView, before: Sight, decision: Decision | None) -> Text:
        line = self._seat(play.seat).append(f" {_VERBS[play.kind]:<10}").append_text(self._played(play))
        if play.kind is MoveKind.DISCARD:
            line.append("  face up" if self.record.rules.discards is Discards.OPEN else "  face down", style="dim")
        line.pad_right(max(0, 43 - line.cell_len))
        if decision is not None:
            line.append(f"{_duration(decision.think_us):>9}", style="dim")
            hand = before.hands[play.seat]
            kept = 0 if hand is None else hand & ~play.cards
            if kept:
                line.append("   keeps ", style="dim").append_text(self._cards(kept))
        return line

    def _pull_line(self, returned: Iterable[PlayView], leader: Seat) -> Text:
        plays = list(returned)
        if not plays:
            return Text(f"{_INDENT}before the lead of seat {leader}", style="dim")
        line = Text(f"{_INDENT}back to their owners: ", style="dim")
        for play in plays:
            line.append(f"{play.seat} ").append_text(self._played(play)).append("  ")
        line.rstrip()
        return line

    def _answer_line(self, decision: Decision) -> Text:
        """An answer to the offer of a pull that laid no card: no, or not heard."""
        line = self._seat(decision.seat).append(f" {_VERBS[decision.move.kind]:<10}")
        line.append_text(self._cards(decision.move.cards) if decision.move.cards else Text("the pull"))
        if not decision.is_heard:
            line.append("  not heard", style="dim")
        line.pad_right(max(0, 43 - line.cell_len))
        return line.append(f"{_duration(decision.think_us):>9}", style="dim")

    def _taker_line(self, taker: Seat, before: Sight, after: Sight) -> Text:
        team = TEAM_OF_SEAT[taker]
        line = Text(f"  {self.printer.glyphs.arrow} seat {taker} takes the trick for {self.names[team]}")
        if before.card_points is not None and after.card_points is not None:
            points = after.card_points[team] - before.card_points[team]
            line.append(f": {points} points, {after.card_points[0]} : {after.card_points[1]} so far")
        return line

    def _iter_result(self, result: GameResult | None, index: int) -> Iterator[Text]:
        if result is None:
            yield Text(f"Game {index + 1} was cut short by a forfeit and has no result", style="bold")
            return
        line = Text(f"Game {index + 1} over", style="bold")
        line.append(f"   {self._score(result.card_points)} card points, tricks {result.tricks[0]} : {result.tricks[1]}")
        yield line
        score = self._defeat_points(index + 1)
        stand = f"the match stands {score[0]} : {score[1]}"
        if result.is_eggs:
            yield Text(f"  eggs, no defeat points; {stand}")
        for team in TEAMS:
            if result.defeat_points[team]:
                yield Text(f"  {self.names[team]} get {result.defeat_points[team]} defeat points; {stand}")

    def _defeat_points(self, games: int) -> tuple[int, int]:
        """How the match stands after so many games."""
        results = [game.result for game in self.record.games[:games] if game.result is not None]
        return sum(result.defeat_points[0] for result in results), sum(result.defeat_points[1] for result in results)

    def _iter_faults(self, faults: Iterable[Fault], *, end: str = "") -> Iterator[Text]:
        whole = self.printer.whole
        for fault in faults:
            if not self._is_seen(fault.seat):
                continue
            line = Text(f"  ! seat {fault.seat} {fault.kind}: {whole(fault.detail)}", style="red")
            if fault.answered:
                line.append(f"; it answered {whole(fault.answered)}")
            if fault.exit_status is not None and str(fault.exit_status) not in fault.detail:
                line.append(f"; exit status {fault.exit_status}")
            if fault.is_oom:
                line.append("; the machine's kernel killed it for memory")
            yield line.append(end)
            for text in fault.stderr_tail.splitlines()[-_STDERR_LINES:]:
                yield Text(f"    stderr: {whole(text)}", style="dim")

    def _score(self, pair: tuple[int, int]) -> str:
        return f"{self.names[0]} {pair[0]} : {pair[1]} {self.names[1]}"

    def _seat(self, seat: Seat) -> Text:
        return Text("  ").append(str(seat), style=_TEAM_STYLES[TEAM_OF_SEAT[seat]])

    def _hands(self, hands: tuple[Cards | None, ...], first: Seat) -> Text:
        """The sets that are to be seen, clockwise from `first`, each with its seat."""
        line = Text()
        seat = first
        for _ in hands:
            hand = hands[seat]
            if hand:
                line.append_text(Text("   ") if line else Text()).append_text(self._seat(seat)[2:]).append(" ")
                line.append_text(self._cards(hand))
            seat = NEXT_SEAT[seat]
        return line

    def _played(self, play: PlayView) -> Text:
        """Cards laid face down are in brackets, or covered when the viewer does not know them."""
        if play.kind is not MoveKind.DISCARD or self.record.rules.discards is Discards.OPEN:
            return self._cards(play.cards)
        known = self._cards(play.cards) if play.cards else Text(" ".join([self.printer.glyphs.hidden] * play.count))
        return Text("(").append_text(known).append(")")

    def _cards(self, cards: Cards) -> Text:
        text = Text()
        for card in iter_cards(cards):
            suit = Suit(card // RANKS)
            text.append(" " if text else "")
            text.append(f"{RANK_NAMES[card % RANKS]}{self.printer.glyphs.suits[suit]}", style=_SUIT_STYLES[suit])
        return text

    def _suit(self, suit: Suit) -> Text:
        return Text(self.printer.glyphs.suits[suit], style=_SUIT_STYLES[suit])


def changed_options(rules: Rules) -> str:
    """The options that are not at their defaults, for people."""
    defaults = Rules()
    changed = [
        f"{option.name} {getattr(rules, option.name)}"
        for option in fields(Rules)
        if getattr(rules, option.name) != getattr(defaults, option.name)
    ]
    return ", ".join(changed) or "the defaults"


def _duration(think_us: int) -> str:
    """Empty for a move that nobody was asked for."""
    if think_us >= 1_000_000:
        return f"{think_us / 1_000_000:.2f} s"
    return f"{think_us / 1000:.2f} ms" if think_us else ""
