"""What happens at a table, in order, for the screen that shows it at a speed that people can follow."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.play.scene import Scene, scene_of
from arena.records.model import Decision, Fault, MatchRecord
from arena.referee.observer import Observer
from arena.rules.cards import Seat
from arena.rules.game import Game
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveCode, MoveKind


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The cards are dealt."""

    scene: Scene
    score: MatchScore


@dataclass(frozen=True, slots=True)
class Played:
    """Somebody laid cards."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game was played to its end. score: how the match stands now."""

    result: GameResult
    score: MatchScore


@dataclass(frozen=True, slots=True)
class Failed:
    """A bot did something wrong. Of what it says only `detail` is ours; the rest may tell of its cards."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    record: MatchRecord


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A person has to answer. legal: the moves there are; one of them goes into `answer`."""

    legal: tuple[Move, ...]
    answer: "asyncio.Future[Move]" = field(repr=False)


Event: TypeAlias = GameBegan | Played | GameEnded | Failed | MatchEnded | Question
Feed: TypeAlias = "asyncio.Queue[Event]"


def ask(feed: Feed, legal: Sequence[MoveCode]) -> "asyncio.Future[Move]":
    """Put a question on the feed; its answer."""
    answer: asyncio.Future[Move] = asyncio.get_running_loop().create_future()
    feed.put_nowait(Question(tuple(map(Move.from_code, legal)), answer))
    return answer


class FeedObserver(Observer):
    """Puts on a feed what `viewer` sees of a match, a spectator if None. Who declined a pull, nobody sees."""

    def __init__(self, feed: Feed, *, viewer: Seat | None) -> None:
        self._feed = feed
        self._viewer = viewer

    def game_began(self, game: Game, *, score: MatchScore) -> None:
        """The first scene of a game."""
        self._feed.put_nowait(GameBegan(scene_of(game, self._viewer), score))

    def moved(self, game: Game, decision: Decision) -> None:
        """A scene for every play."""
        if decision.move.kind is not MoveKind.PASS:
            self._feed.put_nowait(Played(scene_of(game, self._viewer)))

    def game_ended(self, result: GameResult, *, score: MatchScore) -> None:
        """The result."""
        self._feed.put_nowait(GameEnded(result, score))

    def failed(self, fault: Fault) -> None:
        """The fault."""
        self._feed.put_nowait(Failed(fault))
