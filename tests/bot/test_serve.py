"""Bots on the SDK as processes of their own: when they end, with which exit code, and what they say."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.rules.options import TimeControl
from arena.seat.trouble import TroubleKind
from tests.seat_tools import (
    NULL,
    PATIENCE,
    RULES,
    TEAMS,
    TIME,
    ask_for_reply,
    ask_for_trouble,
    children,
    is_soon_gone,
    new_chair,
    new_game,
    started,
    write_bot,
)


def run_alone(folder: Path, source: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A bot without a referee; it has to end by itself."""
    write_bot(folder, source)
    own = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")} | environment
    return subprocess.run(
        [sys.executable, "main.py"], cwd=folder, env=own, check=False, capture_output=True, text=True, timeout=PATIENCE
    )


def test_a_person_who_starts_a_bot_is_told_what_it_is(root: Path) -> None:
    done = run_alone(root / "bot", NULL)
    assert done.returncode == 2
    assert done.stderr == (
        "ARENA_ADDRESS is not set: this program is a bot and is started by the arena, e.g. with a tournament file\n"
    )


def test_a_bot_without_its_referee_ends_at_once(root: Path) -> None:
    done = run_alone(root / "bot", NULL, ARENA_ADDRESS=f"unix://{root}/nobody.sock", ARENA_TOKEN="t")
    assert done.returncode == 3
    assert done.stderr.startswith("the referee ended the call: UNAVAILABLE: ")
    assert done.stderr.count("\n") == 1


def test_a_bot_with_a_wrong_token_is_told_so(root: Path) -> None:
    source = "import os\nos.environ['ARENA_TOKEN'] = 'guess'\n"

    async def test() -> None:
        async with new_chair(write_bot(root / "bot", source, NULL), root) as chair:
            trouble = await chair.start()
            assert trouble is not None
            assert trouble.exit_status == 3
            assert trouble.stderr_tail == "the referee ended the call: UNAUTHENTICATED: the token is not this seat's\n"

    asyncio.run(test())


def test_a_bot_goes_with_0_when_the_referee_hangs_up(root: Path) -> None:
    source = """
    import threading
    threading.Thread(target=threading.Event().wait).start()
    """

    async def test() -> None:
        # A thread of its own that never ends does not keep it.
        async with started(write_bot(root / "bot", source, NULL), root) as chair:
            await ask_for_reply(chair)
            process = chair._process
            assert process is not None
            chair._connection.hang_up()
            assert await process.wait(PATIENCE)
            assert process.exit_status == 0
        assert (root / "0" / "stderr.log").read_text() == ""

    asyncio.run(test())


@pytest.mark.parametrize(
    ("method", "arguments"), [("choose", "self, turn"), ("match_start", "self, start")], ids=["choose", "match_start"]
)
def test_an_exception_is_a_crash_with_its_traceback(root: Path, method: str, arguments: str) -> None:
    source = f"""
    from arena.bot import Bot, serve

    class Broken(Bot):
        def choose(self, turn):
            return turn.legal[0]

        def {method}({arguments}):
            raise KeyError("my mistake")

    serve(Broken())
    """

    async def test() -> None:
        async with started(write_bot(root / "bot", source), root) as chair:
            trouble = await ask_for_trouble(chair)
            assert (trouble.kind, trouble.exit_status) == (TroubleKind.ENDED, 1)
            assert trouble.stderr_tail.startswith("Traceback (most recent call last):\n")
            assert trouble.stderr_tail.endswith("KeyError: 'my mistake'\n")

    asyncio.run(test())


def test_a_bot_that_forgets_to_return_a_move_is_told_what_to_return(root: Path) -> None:
    async def test() -> None:
        async with started(write_bot(root / "bot", NULL.replace("return turn.legal[0]", "pass")), root) as chair:
            trouble = await ask_for_trouble(chair)
            assert (trouble.kind, trouble.exit_status) == (TroubleKind.ENDED, 1)
            assert trouble.stderr_tail.splitlines()[-1].endswith(
                "choose returned None, which is no move: return one of turn.legal"
            )

    asyncio.run(test())


def test_a_bot_that_chooses_to_exit_does(root: Path) -> None:
    source = NULL.replace("return turn.legal[0]", "raise SystemExit(17)")

    async def test() -> None:
        async with started(write_bot(root / "bot", source), root) as chair:
            assert (await ask_for_trouble(chair)).exit_status == 17

    asyncio.run(test())


def test_bots_go_when_their_referee_was_killed(root: Path) -> None:
    manifest = write_bot(root / "bot", NULL)
    referee = f"""
import asyncio, time
from pathlib import Path
from arena.seat.manifest import Manifest
from tests.seat_tools import new_chair, started, ask

async def main():
    manifest = Manifest(Path({str(manifest.folder)!r}), "bot", "", (), ("python", "main.py"))
    async with started(manifest, Path({str(root)!r})) as chair:
        await ask(chair)
        Path({str(root / "pid")!r}).write_text(str(chair._process.pid))
        await asyncio.sleep(1000)

asyncio.run(main())
"""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, "-c", referee], env=environment, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + PATIENCE
        while not ((root / "pid").exists() and (root / "pid").read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        bot = int((root / "pid").read_text())
        process.send_signal(signal.SIGKILL)
    assert is_soon_gone(bot)
    assert children() == []
    (root / "0" / "seat.sock").unlink()


def test_a_bot_that_was_late_answers_the_next_turn(root: Path) -> None:
    source = """
    import time
    from pathlib import Path
    from arena.bot import Bot, serve

    class Slow(Bot):
        def choose(self, turn):
            while turn.number == 1 and not Path("go on").exists():
                time.sleep(0.01)
            return turn.legal[-1 if turn.number == 1 else 0]

    serve(Slow())
    """

    async def test() -> None:
        async with started(write_bot(root / "bot", source), root) as chair:
            await chair.begin_match(teams=TEAMS, rules=RULES, time=TimeControl(move_ms=50, bank_ms=0, max_faults=3))
            assert (await ask_for_trouble(chair)).kind is TroubleKind.LATE
            (root / "bot" / "go on").touch()
            await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
            reply = await ask_for_reply(chair)
            assert (reply.turn, reply.move) == (2, new_game().legal_moves()[0])

    asyncio.run(test())


def test_the_sdk_starts_without_what_it_does_not_need() -> None:
    source = (
        "import sys, arena.bot; print(*(name for name in sys.modules if name.startswith('arena.')), 'pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", source], check=True, capture_output=True, text=True)
    *names, has_pydantic = done.stdout.split()
    packages = {name.split(".")[1] for name in names}
    assert packages == {"bot", "errors", "rules", "v1", "wire"}
    assert has_pydantic == "False"
