"""The bridge before programs that talk JSON lines: what they are sent, what of theirs counts, and how they fail."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from google.protobuf.json_format import Parse

from arena.bot.bridge import MAX_LINE_BYTES, line_of, parse_answer
from arena.rules.cards import SEATS
from arena.rules.match import GameResult
from arena.rules.moves import Move, MoveKind
from arena.rules.options import TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import make_reachable
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import Manifest, load_manifest
from arena.seat.trouble import TroubleKind
from arena.v1 import bot_pb2 as pb
from tests.isolation.machine import offered
from tests.referee.table import Table
from tests.seat_tools import (
    NULL,
    RULES,
    TIME,
    ask,
    ask_for_reply,
    ask_for_trouble,
    is_soon_gone,
    new_chair,
    new_game,
    started,
    until,
    write_bot,
)

PROJECT = Path(__file__).parents[2]
TURN = "case $line in '{\"turn\":{'*)"
FIRST = """legal=${line#*'"legal":['}; printf '%s]}\\n' "${legal%%']}'*}" """
"""Writes the first legal move of a turn."""
DEFECTS = {
    "exits": ("exit 7", "it exited with status 7 and did not answer turn 1"),
    "exits with 0": ("exit 0", "it exited with status 0 and did not answer turn 1"),
    "is killed": ("kill -9 $$", "it was ended by signal 9 and did not answer turn 1"),
    "closes its stdout": ("exec >&-; sleep 100", "it closed its stdin or stdout and did not answer turn 1"),
    "writes garbage": ("echo hello", "its answer to turn 1 is no JSON"),
    "writes an empty line": ("echo", "its answer to turn 1 is no JSON"),
    "writes bytes that are no text": (r"printf '\377\000\n'", "its answer to turn 1 is no JSON"),
    "writes half a line": ("printf '{\"kind\":'; exit 0", "its answer to turn 1 has no end of line"),
    "writes another object": ("echo '{\"play\":1}'", "its answer to turn 1 is neither a Move"),
    "writes a long line": ("head -c 70000 /dev/zero | tr '\\0' ' '; echo", "its answer to turn 1 is longer than 65,536 bytes"),
    "writes without end": ("cat /dev/zero", "its answer to turn 1 is longer than 65,536 bytes"),
}


def stdio_bot(folder: Path, on_turn: str, *, first: str = "") -> Manifest:
    """A shell script that does something with every turn, behind the bridge; first: what it does before."""
    folder.mkdir()
    script = f"{first}\nwhile IFS= read -r line; do\n{TURN}\n{on_turn}\n;; esac\ndone\n"
    (folder / "bot.sh").write_text(script)
    (folder / "bot.yaml").write_text("name: x\nrun_stdio: [sh, bot.sh]\n")
    return load_manifest(folder)


def stderr(root: Path) -> str:
    return (root / "0" / "stderr.log").read_text()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_program_is_sent_every_message_and_answers_turns(root: Path) -> None:
    manifest = stdio_bot(root / "bot", FIRST, first="env >env; tee lines | {")
    with (root / "bot" / "bot.sh").open("a") as script:
        script.write("}\n")
    result = GameResult(
        number=0, dealer=SEATS[3], leader=SEATS[0], card_points=(100, 20), tricks=(5, 4), defeat_points=(0, 2), taker=SEATS[1]
    )
    passed = Move(MoveKind.PASS, 0)

    async def test() -> None:
        async with new_chair(manifest, root) as chair:
            assert await chair.start() is None
            await chair.begin_match(teams=('"{"turn":{"', "Zażółć\n\u2028kozły"), rules=RULES, time=TIME)
            legal = new_game().legal_moves()
            assert (await ask_for_reply(chair)).move == legal[0]
            await chair.tell_fault("no reason", played=passed, faults=1, max_faults=3)
            await chair.tell_game(result)
            await chair.tell_match((0, 2), loser=None, forfeited=())
            assert (await ask_for_reply(chair)).move == legal[0]

    asyncio.run(test())
    lines = (root / "bot" / "lines").read_bytes().splitlines()
    assert all(line.isascii() for line in lines)
    assert [next(iter(json.loads(line))) for line in lines] == [
        "welcome", "matchStart", "turn", "fault", "gameResult", "matchResult", "turn",
    ]  # fmt: skip
    assert [number for number, line in enumerate(lines) if line.startswith(b'{"turn":{')] == [2, 6]
    start, turn = (Parse(lines[number], pb.RefereeMessage()) for number in (1, 2))
    assert list(start.match_start.teams) == ['"{"turn":{"', "Zażółć\n\u2028kozły"]
    assert [len(move.cards) for move in turn.turn.legal] == [move.count for move in new_game().legal_moves()]
    assert b'"seat":0,"dealer":3,' in lines[2], "what is 0 is written out"
    assert "ARENA_" not in (root / "bot" / "env").read_text()
    assert stderr(root) == "fault 1 of 3, turn 1: no reason\n"


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_program_that_breaks_the_rules_is_a_crash_that_says_why(root: Path, defect: str) -> None:
    action, words = DEFECTS[defect]

    async def test() -> None:
        async with started(stdio_bot(root / "bot", action), root) as chair:
            trouble = await ask_for_trouble(chair)
            assert (trouble.kind, trouble.exit_status) == (TroubleKind.ENDED, 4)

    asyncio.run(test())
    assert stderr(root).startswith(f"the program behind the bridge: {words}")
    assert stderr(root).count("\n") == 1
    assert len(stderr(root)) < 500


def test_a_second_line_for_one_turn_is_not_taken_for_the_next_answer(root: Path) -> None:
    manifest = stdio_bot(root / "bot", f"{FIRST}; {FIRST}; touch written")

    async def test() -> None:
        async with started(manifest, root) as chair:
            await ask_for_reply(chair)
            await until((root / "bot" / "written").exists)
            # The line may still be on its way through the bridge: then it answers one turn, and the next one is not answered.
            trouble = await ask(chair)
            if not hasattr(trouble, "kind"):
                trouble = await ask_for_trouble(chair)
            assert trouble.kind is TroubleKind.ENDED

    asyncio.run(test())
    assert "it wrote a line that nothing had asked for: " in stderr(root)


def test_a_program_that_cannot_be_run_is_no_start(root: Path) -> None:
    (root / "bot").mkdir()

    async def test() -> None:
        manifest = Manifest(root / "bot", "x", "", (), ("./nothing",), is_stdio=True)
        async with new_chair(manifest, root) as chair:
            trouble = await chair.start()
            assert trouble is not None
            assert (trouble.kind, trouble.exit_status) == (TroubleKind.NO_START, 4)

    asyncio.run(test())
    assert stderr(root) == "the program behind the bridge: ./nothing cannot be run: No such file or directory\n"


def test_a_program_that_ended_between_turns_is_found_out(root: Path) -> None:
    async def test() -> None:
        async with started(stdio_bot(root / "bot", f"{FIRST}; exit 5"), root) as chair:
            await ask_for_reply(chair)
            assert (await ask_for_trouble(chair)).kind is TroubleKind.ENDED

    asyncio.run(test())
    assert "the program behind the bridge: it exited with status 5" in stderr(root)


def test_silence_is_late_and_the_late_answer_does_no_harm(root: Path) -> None:
    manifest = stdio_bot(root / "bot", f"while ! [ -e go ]; do sleep 0.01; done; {FIRST}")

    async def test() -> None:
        async with started(manifest, root, time_control=TimeControl(move_ms=300, bank_ms=0, max_faults=3)) as chair:
            assert (await ask_for_trouble(chair)).kind is TroubleKind.LATE
            (root / "bot" / "go").touch()
            await chair.begin_match(teams=("a", "b"), rules=RULES, time=TIME)
            assert (await ask_for_reply(chair)).turn == 2

    asyncio.run(test())


def test_an_illegal_move_is_the_referees_to_judge(root: Path) -> None:
    manifest = stdio_bot(root / "bot", """echo ' { "move" : {"kind": 5} } '; echo "my own words" >&2""")

    async def test() -> None:
        async with started(manifest, root) as chair:
            assert (await ask_for_reply(chair)).move == Move(MoveKind.PASS, 0)

    asyncio.run(test())
    assert stderr(root) == "my own words\n"


@pytest.mark.parametrize("how", ["is told to go", "is killed"])
def test_the_program_goes_with_the_bridge(root: Path, how: str) -> None:
    # It goes on when its stdin is at its end.
    manifest = stdio_bot(root / "bot", FIRST, first="echo $$ >pid; trap '' TERM")
    with (root / "bot" / "bot.sh").open("a") as script:
        script.write("while :; do sleep 1; done\n")

    async def test() -> None:
        async with started(manifest, root) as chair:
            await ask_for_reply(chair)
            if how == "is killed":
                os.kill(parent_of(int((root / "bot" / "pid").read_text())), signal.SIGKILL)
                assert (await ask_for_trouble(chair)).exit_status == -signal.SIGKILL

    asyncio.run(test())
    assert is_soon_gone(int((root / "bot" / "pid").read_text()))


def test_the_folder_of_the_program_cannot_break_the_bridge(root: Path) -> None:
    manifest = stdio_bot(root / "bot", FIRST)
    for name in ("json.py", "grpc.py", "arena.py"):
        (root / "bot" / name).write_text("raise SystemExit('taken')\n")

    async def test() -> None:
        async with started(manifest, root) as chair:
            await ask_for_reply(chair)

    asyncio.run(test())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"kind":"MOVE_KIND_PASS"}', pb.Answer(turn=7, move=pb.Move(kind=pb.MOVE_KIND_PASS))),
        (
            '{"cards":["CARD_6C","CARD_AS"],"kind":"MOVE_KIND_LEAD"}',
            pb.Answer(turn=7, move=pb.Move(kind=pb.MOVE_KIND_LEAD, cards=[pb.CARD_6C, pb.CARD_AS])),
        ),
        ('{"kind":2,"cards":[36]}\r', pb.Answer(turn=7, move=pb.Move(kind=pb.MOVE_KIND_BEAT, cards=[pb.CARD_AS]))),
        ('{"turn":3,"move":{"kind":"MOVE_KIND_PASS","cards":[]}}', pb.Answer(turn=3, move=pb.Move(kind=pb.MOVE_KIND_PASS))),
    ],
)
def test_an_answer_is_a_move_or_an_answer(text: str, answer: pb.Answer) -> None:
    assert parse_answer(f"{text}\n".encode(), 7) == answer


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "null", "1", '"MOVE_KIND_PASS"', '{"kind":"PASS"}', '{"kind":0}', '{"kind":6}', '{"kind":true}',
        '{"kind":1.0}', '{"kind":null}', '{"kind":[]}', '{"kind":NaN}', '{"kind":"\\ud800"}', '{"kind":5,"cards":null}',
        '{"kind":1,"cards":"CARD_6C"}', '{"kind":1,"cards":["CARD_1C"]}', '{"kind":1,"cards":[0]}', '{"kind":1,"cards":[37]}',
        '{"kind":1,"cards":[true]}', '{"kind":1,"card":["CARD_6C"]}', '{"kind":5,"kind":5}', '{"kind":5}{"kind":5}',
        '{"move":{}}', '{"move":5}', '{"move":{"kind":5},"kind":5}', '{"turn":-1,"move":{"kind":5}}',
        '{"turn":4294967296,"move":{"kind":5}}', '{"turn":true,"move":{"kind":5}}', "[" * 60_000, '{"move":' * 5_000,
        '{"kind":' + "[" * 900 + "]" * 900 + "}", '{"kind":' + "9" * 5_000 + "}", '{"kind":5}' + " " * MAX_LINE_BYTES,
    ],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_everything_else_is_refused_in_few_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(has|is) ") as caught:
        parse_answer(f"{text}\n".encode(), 7)
    assert len(str(caught.value)) < 300


def test_the_recorded_moves_survive_the_way_there_and_back() -> None:
    lines = (PROJECT / "tests" / "golden" / "transcripts" / "whole-match.jsonl").read_text(encoding="utf-8").splitlines()
    turns = [Parse(line, pb.RefereeMessage()) for line in lines if line.startswith('{"turn"')]
    assert turns
    for message in turns:
        sent = line_of(message)
        assert Parse(sent, pb.RefereeMessage()) == message
        for move, copied in zip(message.turn.legal, json.loads(sent)["turn"]["legal"], strict=True):
            assert parse_answer(json.dumps(copied).encode() + b"\n", 7).move == move


@pytest.mark.parametrize("tier", [Tier.LIMITS, Tier.STRICT])
@pytest.mark.parametrize("name", ["greedy_awk", "first_c"])
def test_the_samples_play_a_match_without_a_fault(root: Path, name: str, tier: Tier) -> None:
    isolation = offered(tier, limits=Limits())
    make_reachable(root)
    folder = root / "bots" / name
    shutil.copytree(PROJECT / "sample_bots" / name, folder, ignore=shutil.ignore_patterns("bot"))
    sample, null = load_manifest(folder), write_bot(root / "bots" / "null", NULL)
    missing = [words[0] for words in (*sample.build, sample.run) if "/" not in words[0] and shutil.which(words[0]) is None]
    if missing and not os.environ.get("ARENA_REQUIRE_TOOLS"):
        pytest.skip(f"there is no {missing[0]} here")
    for words in sample.build:
        subprocess.run(words, cwd=folder, check=True)
    (root / "bots").chmod(0o755)

    async def test() -> None:
        async with AsyncExitStack() as stack:
            chairs = []
            for seat, manifest in zip(SEATS, (sample, null, sample, null), strict=True):
                (root / f"s{seat}").mkdir()
                (root / f"logs{seat}").mkdir()
                options = ChairOptions(startup_ms=20_000, first_turn_ms=0, log_bytes=100_000, isolation=isolation)
                chair = Chair(seat, manifest=manifest, folder=root / f"s{seat}", logs=root / f"logs{seat}", options=options)
                chairs.append(await stack.enter_async_context(chair))
            record = await Table((chairs[0], chairs[1], chairs[2], chairs[3])).play()
            assert (record.faults, record.forfeited) == ((), ())
            await asyncio.gather(*(chair.end() for chair in chairs))

    asyncio.run(test())
    for seat in SEATS:
        assert (root / f"logs{seat}" / "stderr.log").read_text() == ""
