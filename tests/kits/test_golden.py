"""Every kit of the `greedy` strategy gives the answers of the golden transcripts, whatever language it is written in."""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import Parse

from arena.bot import MatchStart
from arena.rules.moves import Move
from arena.seat.manifest import Manifest, load_manifest
from arena.seat.trouble import Reply
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_game_result, decode_loser, decode_move, decode_score, decode_view
from tests.kits.record import FOLDER, PROJECT, load_greedy
from tests.seat_tools import new_chair

KITS = sorted(path.parent for path in (PROJECT / "sample_bots").glob("greedy*/bot.yaml"))
TRANSCRIPTS = sorted(FOLDER.glob("*.jsonl"))


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) == 9


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_policy_gives_the_recorded_answers(transcript: Path) -> None:
    choose = load_greedy().choose_move
    for turn, answer in turns(transcript):
        legal = tuple(map(decode_move, turn.legal))
        assert choose(decode_view(turn.view), legal) == answer


@pytest.mark.parametrize("folder", KITS, ids=lambda path: path.name)
def test_a_kit_gives_the_recorded_answers(folder: Path, tmp_path: Path) -> None:
    manifest = load_manifest(folder)
    build(manifest)
    asyncio.run(answer_all(manifest, tmp_path))


async def answer_all(manifest: Manifest, root: Path) -> None:
    """Sit the bot down once and go through all transcripts, as so many matches."""
    async with new_chair(manifest, root, startup_ms=60_000) as chair:
        assert await chair.start() is None
        for transcript in TRANSCRIPTS:
            for message in messages(transcript):
                body = message.WhichOneof("body")
                if body == "match_start":
                    start = MatchStart.from_message(message.match_start)
                    chair.seat = start.seat
                    await chair.begin_match(teams=start.teams, rules=start.rules, time=start.time)
                elif body == "turn":
                    turn = message.turn
                elif body == "answer":
                    legal = [decode_move(move).code for move in turn.legal]
                    reply = await chair.ask(legal, view=decode_view(turn.view), score=decode_score(turn.score))
                    assert isinstance(reply, Reply), reply
                    wanted = decode_move(message.answer.move)
                    assert reply.move == wanted, f"{transcript.name}, turn {turn.number}: {reply.text}, not {wanted}"
                elif body == "game_result":
                    await chair.tell_game(decode_game_result(message.game_result))
                elif body == "match_result":
                    first, second = message.match_result.defeat_points
                    await chair.tell_match((first, second), loser=decode_loser(message.match_result), forfeited=())


def turns(transcript: Path) -> Iterator[tuple[pb.Turn, Move]]:
    """The turns with their answers."""
    turn = pb.Turn()
    for message in messages(transcript):
        if message.WhichOneof("body") == "turn":
            turn = message.turn
        elif message.WhichOneof("body") == "answer":
            yield turn, decode_move(message.answer.move)


def messages(transcript: Path) -> Iterator[pb.RefereeMessage | pb.BotMessage]:
    """The lines as messages."""
    for line in transcript.read_text(encoding="utf-8").splitlines():
        kind = pb.BotMessage if "answer" in json.loads(line) else pb.RefereeMessage
        yield Parse(line, kind())


def build(manifest: Manifest) -> None:
    """Run the build of a kit. Without its tools: a skip that names them, or a failure where all tools have to be there."""
    commands = manifest.build_commands
    missing = [command[0] for command in commands if shutil.which(command[0], path=search_path(manifest)) is None]
    if missing:
        reason = f"{manifest.folder.name} is not tested: there is no {' and no '.join(missing)} here"
        if os.environ.get("ARENA_REQUIRE_TOOLS"):
            pytest.fail(reason)
        pytest.skip(reason)
    for command in commands:
        done = subprocess.run(command, cwd=manifest.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def search_path(manifest: Manifest) -> str:
    """Where a build's programs are looked for: the PATH, and the bot's own folder for a program that it brings."""
    return os.pathsep.join([os.environ.get("PATH", ""), str(manifest.folder)])
