"""How a game and a match ended, in words."""

from textual.content import Content

from arena.play.players import Players
from arena.records.model import MatchRecord
from arena.rules.cards import TEAM_OF_SEAT, TEAMS, Team
from arena.rules.match import GameResult, MatchScore
from arena.rules.options import Rules
from arena.show.console import Printer
from arena.show.text import shortened

_FAULT_CELLS = 66


def game_result(result: GameResult, score: MatchScore, *, players: Players, rules: Rules) -> Content:
    """score: how the match stands after the game."""
    lines = [
        Content.styled(_game_title(result, players), "bold $accent"),
        Content(""),
        Content(f"Card points    {players.score(result.card_points)}"),
        Content(f"Tricks         {players.score(result.tricks)}"),
        Content(f"Defeat points  {players.score(result.defeat_points)}"),
        Content(""),
        Content(f"The match stands {players.score(score.defeat_points)}; {rules.match_target} lose."),
    ]
    if score.stake > 1:
        lines.append(Content.styled(f"The next game that is not eggs counts {score.stake} times.", "$warning"))
    return Content("\n").join(lines)


def match_result(record: MatchRecord, *, players: Players) -> Content:
    """The end of a match, with the reason when somebody forfeited."""
    lines = [
        Content.styled(_match_title(record, players), "bold $accent"),
        Content(""),
        Content(f"Defeat points  {players.score(record.defeat_points)}, games {len(record.games)}"),
    ]
    for team in record.forfeited:
        lines += [Content(""), Content.styled(f"{players.team(team)} forfeited:", "$error")]
        for fault in [fault for fault in record.faults if TEAM_OF_SEAT[fault.seat] == team][-3:]:
            words = shortened(Printer("utf-8").whole(fault.detail), _FAULT_CELLS)
            lines.append(Content(f"{players.label(fault.seat)} {players.name(fault.seat)}: {words}"))
    return Content("\n").join(lines)


def result_line(record: MatchRecord, *, players: Players) -> str:
    """The same on one line, for after the screen."""
    return f"{_match_title(record, players)} Defeat points: {players.score(record.defeat_points)}."


def _game_title(result: GameResult, players: Players) -> str:
    number = result.number + 1
    if result.winner is None:
        return f"Game {number} is eggs: 60 to 60"
    return f"Game {number} goes to {_object(result.winner, players)}"


def _match_title(record: MatchRecord, players: Players) -> str:
    loser = record.loser
    if loser is None:
        return "The match is over: both sides forfeited." if record.forfeited else "The match is drawn."
    name = record.goats or "the losers"
    if players.viewer is None:
        return f"{players.team(_other(loser))} won; {players.team(loser)} are {name}."
    if TEAM_OF_SEAT[players.viewer] == loser:
        return f"You lost the match: you are {name}."
    return f"You won the match! They are {name}."


def _object(team: Team, players: Players) -> str:
    if players.viewer is None:
        return players.team(team)
    return "us" if TEAM_OF_SEAT[players.viewer] == team else "them"


def _other(team: Team) -> Team:
    return TEAMS[1 - team]
