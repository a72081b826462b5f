"""A chair starts its bot and sees it out, whatever the bot is."""

import asyncio
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.rules.cards import SEATS
from arena.seat.chair import Chair
from arena.seat.connection import Connection
from arena.seat.manifest import Manifest
from arena.seat.process import GRACE_SECONDS
from arena.seat.trouble import Reply, Trouble, TroubleKind
from tests.seat_tools import (
    NULL,
    PATIENCE,
    RULES,
    TEAMS,
    TIME,
    ask,
    ask_for_reply,
    children,
    command,
    descriptors,
    is_soon_gone,
    new_chair,
    started,
    until,
    write_bot,
    write_raw_bot,
)


def start_alone(manifest: Manifest, root: Path, *, startup_ms: int = 20_000) -> Trouble | None:
    """What becomes of one start."""

    async def test() -> Trouble | None:
        async with new_chair(manifest, root, startup_ms=startup_ms) as chair:
            trouble = await chair.start()
            assert chair.is_ready == (trouble is None)
            if trouble is not None:
                assert children() == [], "a bot that did not start is left running"
            return trouble

    return asyncio.run(test())


def fail_to_start(manifest: Manifest, root: Path, *, startup_ms: int = 20_000) -> Trouble:
    trouble = start_alone(manifest, root, startup_ms=startup_ms)
    assert trouble is not None
    assert trouble.kind is TroubleKind.NO_START
    return trouble


def test_a_bot_starts_and_plays(root: Path) -> None:
    async def test() -> None:
        async with started(write_bot(root / "bot", NULL), root) as chair:
            assert chair.is_ready
            reply = await ask_for_reply(chair)
            assert str(reply.move) == reply.text
            assert reply.turn == 1
        assert not chair.is_ready

    asyncio.run(test())


def test_exit_before_the_greeting(root: Path) -> None:
    source = """
    import sys
    print("only on stdout")
    print("x" * 5000, file=sys.stderr)
    print("my model is missing \\N{GOAT}", file=sys.stderr)
    sys.exit(7)
    """
    trouble = fail_to_start(write_bot(root / "bot", source), root)
    assert trouble.detail == "it exited with status 7 before it was ready"
    assert trouble.exit_status == 7
    assert trouble.stderr_tail.endswith("x\nmy model is missing \N{GOAT}\n")
    assert len(trouble.stderr_tail.encode()) == 2000
    assert (root / "0" / "stdout.log").read_text() == "only on stdout\n"


def test_death_by_a_signal_before_the_greeting(root: Path) -> None:
    trouble = fail_to_start(write_bot(root / "bot", "import os; os.abort()"), root)
    assert trouble.detail == "it was ended by signal 6 (SIGABRT) before it was ready"
    assert trouble.exit_status == -signal.SIGABRT


def test_no_greeting_within_the_start_limit(root: Path) -> None:
    source = """
    raw = Raw()
    print("connected", file=sys.stderr, flush=True)
    time.sleep(1000)
    """
    trouble = fail_to_start(write_raw_bot(root / "bot", source), root, startup_ms=1500)
    assert trouble.detail == "no greeting within 1.5 s"
    assert trouble.exit_status is None
    trouble = fail_to_start(command(root / "sleeper", "sleep", "1000"), root, startup_ms=50)
    assert trouble.detail == "no greeting within 0.05 s"


def test_a_command_that_cannot_be_run(root: Path) -> None:
    trouble = fail_to_start(command(root / "bot", "no-such-program", "--fast"), root)
    assert trouble.detail == "its command cannot be run: No such file or directory: no-such-program"
    trouble = fail_to_start(command(root / "bot", "."), root)
    assert trouble.detail == "its command cannot be run: Permission denied: ."


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        (
            "raw = Raw(); raw.hello([4, 2]); raw.read(); sys.exit(8)",
            "its greeting was refused: no common protocol version: the bot speaks 4, 2, the referee 1",
        ),
        ("raw = Raw(); raw.answer(1, pb.Move()); raw.read(); sys.exit(8)", "its first message was not a Hello"),
        (
            "raw = Raw(); raw.send(b'hello'); raw.read(); sys.exit(8)",
            "its greeting was refused: it sent bytes that are no BotMessage",
        ),
        ("raw = Raw('guess'); raw.hello(); raw.read(); sys.exit(8)", "its call was refused: the token is not this seat's"),
    ],
)
def test_a_refused_greeting(root: Path, source: str, detail: str) -> None:
    trouble = fail_to_start(write_raw_bot(root / "bot", source), root)
    assert detail in trouble.detail
    # The bot was told as well, and there was time for its last words.
    assert trouble.exit_status == 8
    assert detail.removeprefix("its greeting was refused: ").removeprefix("its call was refused: ") in trouble.stderr_tail


def test_a_bot_that_ends_its_call_before_it_greets(root: Path) -> None:
    trouble = fail_to_start(write_raw_bot(root / "bot", "raw = Raw(); raw.send(None); time.sleep(1000)"), root)
    assert trouble.detail == "it ended its call before it was ready"


def test_a_guessed_token_does_not_keep_the_right_bot_out(root: Path) -> None:
    source = """
    Raw("guess").hello()
    wrong = Raw("")
    wrong.hello()
    assert wrong.read() is None
    raw = greeted()
    second = Raw()
    second.hello()
    assert second.read() is None
    raw.play()
    """

    async def test() -> None:
        async with started(write_raw_bot(root / "bot", source), root) as chair:
            assert (await ask_for_reply(chair)).move is not None
            assert (await ask_for_reply(chair)).turn == 2

    asyncio.run(test())
    told = (root / "0" / "stderr.log").read_text()
    assert "UNAUTHENTICATED" in told
    assert "ALREADY_EXISTS this seat has a call already" in told


def test_the_next_start_after_a_failed_one(root: Path) -> None:
    source = """
    import pathlib, sys
    if not pathlib.Path("tried").exists():
        pathlib.Path("tried").touch()
        sys.exit("not this time")
    """

    async def test() -> None:
        async with new_chair(write_bot(root / "bot", source, NULL), root) as chair:
            trouble = await chair.start()
            assert trouble is not None
            assert trouble.stderr_tail == "not this time\n"
            assert await chair.start() is None
            await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
            assert (await ask_for_reply(chair)).turn == 1
            # And once more while it runs: another process, whose turns are counted from 1.
            assert await chair.start() is None
            await chair.remind(teams=TEAMS, rules=RULES, time=TIME)
            assert (await ask_for_reply(chair)).turn == 1

    asyncio.run(test())


def entering_fails(chair: Callable[[], Chair]) -> str:
    async def test() -> str:
        Connection()  # gRPC opens descriptors of its own when it is first used
        before = descriptors()
        with pytest.raises(HostError) as caught:
            async with chair():
                pass
        await until(lambda: descriptors() <= before)
        return str(caught.value)

    return asyncio.run(test())


def test_folders_that_do_not_do_are_our_failure(root: Path) -> None:
    manifest = command(root / "bot", "true")
    deep = root / ("x" * 60) / ("y" * 60)
    assert "at most 103 bytes" in entering_fails(lambda: new_chair(manifest, deep))

    def without_logs() -> Chair:
        return Chair(
            SEATS[0], manifest=manifest, folder=root, logs=root / "nowhere", options=new_chair(manifest, root)._options
        )

    assert "could not be opened" in entering_fails(without_logs)


def test_a_bots_folder_that_is_gone_is_our_failure(root: Path) -> None:
    manifest = write_bot(root / "bot", NULL)
    (root / "bot" / "main.py").unlink()
    (root / "bot").rmdir()
    with pytest.raises(HostError):
        start_alone(manifest, root)


@pytest.mark.parametrize("name", ["a b", "50%41", "what?", "c#", "goat \N{GOAT}"])
def test_a_socket_in_a_folder_with_any_name(root: Path, name: str) -> None:
    (root / name).mkdir()
    assert start_alone(write_bot(root / "bot", NULL), root / name) is None


def test_a_bot_in_order_is_gone_in_a_moment(root: Path) -> None:
    async def test() -> None:
        async with started(write_bot(root / "bot", NULL), root) as chair:
            await ask_for_reply(chair)
            begun = time.monotonic()
            await chair.end()
            assert time.monotonic() - begun < GRACE_SECONDS / 2, "it was not let go, but waited for"
            assert children() == []
            await chair.end()

    asyncio.run(test())


def test_a_bot_that_does_not_go_is_killed_with_its_children(root: Path) -> None:
    source = """
    import pathlib, signal, subprocess
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "1000"])
    pathlib.Path("child").write_text(str(child.pid))
    raw = greeted()
    raw.turn()
    time.sleep(1000)
    """

    async def test() -> int:
        async with started(write_raw_bot(root / "bot", source), root) as chair:
            asking = asyncio.create_task(ask(chair))
            await asyncio.sleep(0.1)
            asking.cancel()
            return int((root / "bot" / "child").read_text())

    child = asyncio.run(test())
    assert not (root / "0" / "seat.sock").exists()
    assert is_soon_gone(child)


def test_four_chairs_can_be_ended_at_the_same_time(root: Path) -> None:
    source = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); raw = greeted(); time.sleep(1000)"
    manifest = write_raw_bot(root / "bot", source)

    async def test() -> None:
        async with (
            new_chair(manifest, root, seat=SEATS[0]) as first,
            new_chair(manifest, root, seat=SEATS[1]) as second,
            new_chair(manifest, root, seat=SEATS[2]) as third,
        ):
            chairs = (first, second, third)
            assert await asyncio.gather(*(chair.start() for chair in chairs)) == [None] * 3
            order: list[str] = []

            async def end(chair: Chair) -> None:
                order.append("begun")
                await chair.end()
                order.append("ended")

            await asyncio.gather(*map(end, chairs))
            assert order == ["begun"] * 3 + ["ended"] * 3
            assert children() == []

    asyncio.run(test())


@pytest.mark.parametrize("delay", [0.0, 0.001, 0.01, 0.1, 0.4])
def test_a_start_that_is_cancelled_leaves_nothing(root: Path, delay: float) -> None:
    async def test() -> None:
        async with new_chair(write_bot(root / "bot", NULL), root) as chair:
            starting = asyncio.create_task(chair.start())
            await asyncio.sleep(delay)
            starting.cancel()
            await asyncio.wait([starting])
        assert children() == []

    asyncio.run(test())


def test_a_match_that_is_cancelled_leaves_nothing(root: Path) -> None:
    async def play() -> None:
        async with started(write_raw_bot(root / "bot", "raw = greeted(); raw.turn(); time.sleep(1000)"), root) as chair:
            (root / "asked").touch()
            await ask(chair)

    async def test() -> None:
        playing = asyncio.create_task(play())
        await until((root / "asked").exists)
        await asyncio.sleep(0.05)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert children() == []

    asyncio.run(test())


def test_nothing_is_left_of_thirty_starts(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = write_bot(root / "bot", NULL)
    temporary = root / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    async def test() -> None:
        async def play(chair: Chair, times: int) -> None:
            for _ in range(times):
                assert await chair.start() is None
                await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
                assert isinstance(await ask(chair), Reply)

        async with new_chair(manifest, root, seat=SEATS[0]) as first, new_chair(manifest, root, seat=SEATS[1]) as second:
            await asyncio.gather(play(first, 1), play(second, 1))
            await asyncio.gather(first.end(), second.end())
            await asyncio.sleep(0.2)
            before = descriptors()
            await asyncio.gather(play(first, 14), play(second, 14))
            await asyncio.gather(first.end(), second.end())
            await until(lambda: descriptors() <= before)
            assert children() == []

    asyncio.run(asyncio.wait_for(test(), 3 * PATIENCE))
    # The slots for starts are locks on files, which stay for the next one; nothing else does.
    assert [path.name for path in temporary.iterdir() if not path.name.startswith("arena-starts-")] == []


def test_the_environment_of_a_bot_tells_it_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SECRET", "the seed")
    source = """
    from pathlib import Path
    Path("environment").write_bytes(Path("/proc/self/environ").read_bytes())
    Path("arguments").write_bytes(Path("/proc/self/cmdline").read_bytes())
    """

    async def test() -> None:
        async with started(write_bot(root / "bot", source, NULL), root):
            pass

    asyncio.run(test())
    lines = (root / "bot" / "environment").read_text().rstrip("\0").split("\0")
    found = dict(line.split("=", 1) for line in lines)
    # Where there is no locale Python itself sets LC_CTYPE.
    assert set(found) - {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"} == {"ARENA_ADDRESS", "ARENA_TOKEN", "PYTHONUNBUFFERED"}
    assert found["ARENA_ADDRESS"] == f"unix://{root}/0/seat.sock"
    assert len(found["ARENA_TOKEN"]) >= 32
    assert (root / "bot" / "arguments").read_bytes().endswith(b"\0main.py\0")
