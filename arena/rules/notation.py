"""A whole game as text that people read and programs parse back; one move a line.

    rules match_target=12 max_lead=4 pull=any_time pull_suits=any discards=hidden eggs=nothing max_games=100
    dealer 3
    leader 0
    deck 6C 10H …        (36 cards in the order they leave the deck)
    indicator 9S         (a card of the stock, neither its top nor its bottom one)
    0 lead 9D
    1 discard 6C
    …

Lines that start with `#` and empty lines are left out. Passes to the offer of a pull are lines too.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from arena.errors import NotationError, RulesError
from arena.rules.cards import CARD_NAMES, SEATS, Card, Seat, parse_card
from arena.rules.deal import Deal, deal_from
from arena.rules.game import Game
from arena.rules.moves import Move, parse_move
from arena.rules.options import Rules


@dataclass(frozen=True, slots=True)
class Transcript:
    """A game from the deal on: who dealt, who led first, every move in order, passes included."""

    rules: Rules
    deal: Deal
    dealer: Seat
    leader: Seat
    moves: tuple[tuple[Seat, Move], ...]

    def replay(self) -> Game:
        """The game after the last move. Raises IllegalMoveError at the first move that is not legal."""
        game = Game.from_deal(self.rules, self.deal, dealer=self.dealer, leader=self.leader)
        for seat, move in self.moves:
            game.apply(seat, move)
        return game


def format_rules(rules: Rules) -> str:
    """All options as `name=value`, separated by blanks, in the order of the rules page."""
    return " ".join(f"{field.name}={getattr(rules, field.name)}" for field in fields(Rules))


def parse_rules(text: str) -> Rules:
    """The rules that `text` writes; an option that is not named has its default. Raises NotationError."""
    defaults = Rules()
    types: dict[str, type[Any]] = {field.name: type(getattr(defaults, field.name)) for field in fields(Rules)}
    values: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in types or name in values:
            raise NotationError(f"{word!r} is not an option: write name=value, each once, with a name of {', '.join(types)}")
        try:
            values[name] = types[name](value)
        except ValueError:
            raise NotationError(f"{word!r}: {value!r} is not a value of {name}") from None
    try:
        return Rules(**values)
    except RulesError as error:
        raise NotationError(str(error)) from None


def format_game(transcript: Transcript) -> str:
    """The text of a game, ending with a newline."""
    lines = [
        f"rules {format_rules(transcript.rules)}",
        f"dealer {transcript.dealer}",
        f"leader {transcript.leader}",
        f"deck {' '.join(CARD_NAMES[card] for card in transcript.deal.deck)}",
        f"indicator {CARD_NAMES[transcript.deal.indicator]}",
        *(f"{seat} {move}" for seat, move in transcript.moves),
    ]
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> Transcript:
    """The game that `text` writes; its moves are not checked (`Transcript.replay` does). Raises NotationError with the line."""
    headers: dict[str, Any] = {}
    moves: list[tuple[Seat, Move]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        try:
            if word in _HEADERS and word not in headers and not moves:
                headers[word] = _HEADERS[word](rest.strip())
            else:
                moves.append((_parse_seat(word), parse_move(rest)))
        except NotationError as error:
            raise NotationError(f"line {number}: {error}") from None
    missing = [name for name in _HEADERS if name not in headers and name != "rules"]
    if missing:
        raise NotationError(f"the game has no line that starts with {' and none with '.join(missing)}")
    try:
        deal = deal_from(headers["deck"], headers["indicator"])
    except RulesError as error:
        raise NotationError(str(error)) from None
    return Transcript(headers.get("rules", Rules()), deal, headers["dealer"], headers["leader"], tuple(moves))


def _parse_seat(text: str) -> Seat:
    for seat in SEATS:
        if text == str(seat):
            return seat
    raise NotationError(f"{text!r} is not a seat: write 0, 1, 2 or 3")


def _parse_deck(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


_HEADERS: dict[str, Callable[[str], Any]] = {
    "rules": parse_rules,
    "dealer": _parse_seat,
    "leader": _parse_seat,
    "deck": _parse_deck,
    "indicator": parse_card,
}
"""The lines before the moves, each once, by their first word: how the rest of the line is parsed."""
