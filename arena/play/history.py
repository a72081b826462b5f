"""What was played in a game, line by line, written anew from each scene: nothing is remembered that is not in it."""

from collections.abc import Iterator, Mapping, Sequence

from textual.content import Content

from arena.play.faces import played
from arena.play.players import Players
from arena.play.scene import Scene
from arena.rules.moves import MoveKind
from arena.rules.options import Rules
from arena.rules.view import PlayView, TrickView
from arena.show.console import FULL_GLYPHS

VERBS = {MoveKind.LEAD: "lead", MoveKind.BEAT: "beat", MoveKind.DISCARD: "discard", MoveKind.PULL: "pull"}

Place = tuple[int, int]
"""A number of tricks that were begun, and of plays in the last of them."""


def place_of(scene: Scene) -> Place:
    """Where a game is."""
    return len(scene.sight.tricks), len(scene.trick.plays)


def history(scene: Scene, *, players: Players, rules: Rules, notes: Mapping[Place, Sequence[Content]]) -> Content:
    """All tricks of the game, the oldest first. notes: what else happened, by place."""
    lines: list[Content] = []
    for number, trick in enumerate(scene.sight.tricks, start=1):
        lines.append(Content.styled(f"Trick {number}", "bold"))
        lines += _trick_lines(trick, number, players=players, rules=rules, notes=notes)
    return Content("\n").join(lines)


def _trick_lines(
    trick: TrickView, number: int, *, players: Players, rules: Rules, notes: Mapping[Place, Sequence[Content]]
) -> Iterator[Content]:
    yield from notes.get((number, 0), ())
    for index, play in enumerate(trick.plays):
        if play.kind is MoveKind.PULL and trick.plays[:index]:
            yield Content.styled("  all goes back:", "$warning")
        yield _play_line(play, players, rules)
        yield from notes.get((number, index + 1), ())
    if trick.taker is not None:
        yield Content.styled(f"{FULL_GLYPHS.arrow} {players.verb(trick.taker, 'take')}", "$success")


def _play_line(play: PlayView, players: Players, rules: Rules) -> Content:
    words = Content(f"{players.verb(play.seat, VERBS[play.kind])} ")
    if play.returned:
        words = words.stylize("strike dim")
    return words + played(play, rules)


def note(text: str) -> Content:
    """A line for what went wrong."""
    return Content.styled(f"! {text}", "bold $error")
