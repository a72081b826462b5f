"""A chair asks its bot for moves, and what it makes of what comes back, or does not."""

import asyncio
import re
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.rules.cards import SEATS
from arena.rules.match import GameResult
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import TimeControl
from arena.seat import connection
from arena.seat.chair import Chair
from arena.seat.trouble import Trouble, TroubleKind
from arena.v1 import bot_pb2 as pb
from tests.seat_tools import (
    NULL,
    RULES,
    TEAMS,
    TIME,
    ask,
    ask_for_reply,
    ask_for_trouble,
    is_alive,
    is_soon_gone,
    new_game,
    started,
    until,
    write_bot,
    write_raw_bot,
)

GAME = GameResult(
    number=0,
    dealer=SEATS[0],
    leader=SEATS[1],
    card_points=(70, 50),
    tricks=(5, 4),
    defeat_points=(0, 2),
    taker=SEATS[2],
)


def play(
    root: Path,
    source: str,
    test: Callable[[Chair], Awaitable[None]],
    *,
    time_control: TimeControl = TIME,
    log_bytes: int = 100_000,
) -> None:
    """Run a test with the chair of a raw bot that has been told of a match."""

    async def main() -> None:
        async with started(write_raw_bot(root / "bot", source), root, time_control=time_control, log_bytes=log_bytes) as chair:
            await test(chair)

    asyncio.run(main())


def trouble_of(root: Path, source: str, *, log_bytes: int = 100_000) -> Trouble:
    """The trouble that a bot makes in its first turn; it would have ten minutes for each, and is not waited for."""
    troubles: list[Trouble] = []

    async def test(chair: Chair) -> None:
        troubles.append(await ask_for_trouble(chair))
        assert not chair.is_ready
        (root / "bot" / "done").touch()
        assert (await ask_for_trouble(chair)).kind is not TroubleKind.LATE

    time_control = TimeControl(move_ms=600_000, bank_ms=0, max_faults=1)
    play(root, source, test, time_control=time_control, log_bytes=log_bytes)
    assert troubles[0].turn == 1
    return troubles[0]


def test_an_answer_is_what_was_sent_legal_or_not(root: Path) -> None:
    source = """
    raw = greeted()
    turn = raw.turn()
    raw.answer(turn.number, turn.legal[-1])
    turn = raw.turn()
    raw.answer(turn.number, pb.Move(kind="MOVE_KIND_LEAD", cards=["CARD_AS", "CARD_6C"]))
    raw.play()
    """

    async def test(chair: Chair) -> None:
        assert (await ask_for_reply(chair)).move == new_game().legal_moves()[-1]
        reply = await ask_for_reply(chair)
        assert reply.move == parse_move("lead 6C AS")
        assert reply.text == "lead 6C AS"
        assert chair.is_ready

    play(root, source, test)


def test_an_answer_that_is_no_move_is_described_in_few_words(root: Path) -> None:
    source = """
    raw = greeted()
    for move in (
        pb.Move(),
        pb.Move(kind=1, cards=[1, 1]),
        pb.Move(kind=99, cards=[-5, 0, 37]),
        pb.Move(kind=1, cards=[7] * 60_000),
    ):
        raw.answer(raw.turn().number, move)
    # A message that nobody knows, in a field that nobody knows.
    raw.send(pb.BotMessage(answer=pb.Answer(turn=raw.turn().number)).SerializeToString() + b"\\xfa\\x07\\x03\\x1b[2")
    raw.play()
    """

    async def test(chair: Chair) -> None:
        for text in ("kind 0, 0 cards: ", "kind 1, 2 cards: 1, 1", "kind 99, 3 cards: -5, 0, 37"):
            reply = await ask_for_reply(chair)
            assert (reply.move, reply.text) == (None, text)
        reply = await ask_for_reply(chair)
        assert reply.move is None
        assert reply.text.startswith("kind 1, 60000 cards: 7, 7,")
        assert len(reply.text) < 100
        assert (await ask_for_reply(chair)).move is None
        assert (await ask_for_reply(chair)).move is not None

    play(root, source, test)


def test_no_answer_takes_all_the_time_and_the_whole_bank(root: Path) -> None:
    source = """
    raw = greeted()
    times = []
    for _ in range(4):
        turn = raw.turn()
        times.append((turn.move_ms, turn.bank_ms))
    print(times, flush=True)
    raw.play()
    """

    async def test(chair: Chair) -> None:
        begun = time.monotonic()
        trouble = await ask_for_trouble(chair)
        assert time.monotonic() - begun >= 0.25
        assert (trouble.kind, trouble.turn, trouble.think_us) == (TroubleKind.LATE, 1, 250_000)
        assert trouble.detail == "no answer within 0.250 s"
        assert trouble.exit_status is None
        assert not chair.is_ready
        begun = time.monotonic()
        trouble = await ask_for_trouble(chair)
        assert time.monotonic() - begun >= 0.1
        assert (trouble.turn, trouble.think_us) == (2, 100_000)
        # Another match, another bank; the bot is the same.
        await chair.begin_match(teams=TEAMS, rules=RULES, time=TimeControl(move_ms=50, bank_ms=70, max_faults=3))
        assert (await ask_for_trouble(chair)).think_us == 120_000
        assert (await ask_for_trouble(chair)).think_us == 50_000
        await until((root / "0" / "stdout.log").read_text)

    play(root, source, test, time_control=TimeControl(move_ms=100, bank_ms=150, max_faults=3))
    assert (root / "0" / "stdout.log").read_text() == "[(100, 150), (100, 0), (50, 70), (50, 0)]\n"


def test_an_answer_just_in_time_counts_and_is_paid_from_the_bank(root: Path) -> None:
    source = """
    raw = greeted()
    for seconds in (0.3, 0):
        turn = raw.turn()
        time.sleep(seconds)
        raw.answer(turn.number, turn.legal[0])
    print(raw.turn().bank_ms, flush=True)
    """

    async def test(chair: Chair) -> None:
        slow, fast = await ask_for_reply(chair), await ask_for_reply(chair)
        assert slow.think_us >= 300_000
        assert fast.think_us < slow.think_us
        await ask(chair)
        left_us = 20_000_000 - max(0, slow.think_us - 100_000) - max(0, fast.think_us - 100_000)
        assert (root / "0" / "stdout.log").read_text() == f"{left_us // 1000}\n"

    # A bank that even a machine that stands still for seconds does not use up.
    play(root, source, test, time_control=TimeControl(move_ms=100, bank_ms=20_000, max_faults=3))


def test_a_late_answer_is_ignored_and_the_bot_is_in_order_once_it_answers_again(root: Path) -> None:
    source = """
    import pathlib
    raw = greeted()
    late = raw.turn()
    turn = raw.turn()
    raw.answer(late.number, late.legal[1])
    raw.answer(late.number, late.legal[1])
    raw.answer(turn.number + 1, turn.legal[1])
    raw.answer(turn.number, turn.legal[0])
    raw.answer(turn.number, turn.legal[1])
    raw.play()
    """

    async def test(chair: Chair) -> None:
        assert (await ask_for_trouble(chair)).kind is TroubleKind.LATE
        assert not chair.is_ready
        await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
        for number in (2, 3, 4):
            reply = await ask_for_reply(chair)
            assert (reply.turn, reply.move) == (number, new_game().legal_moves()[0])
            assert chair.is_ready

    play(root, source, test, time_control=TimeControl(move_ms=100, bank_ms=0, max_faults=3))


class Tied:
    """A connection on which the answer and the deadline come in the same round of the event loop, the answer first."""

    async def send(self, message: bytes) -> None:
        loop = asyncio.get_running_loop()
        at = loop.time() + 0.05
        move = pb.Move(kind=pb.MOVE_KIND_LEAD, cards=[pb.CARD_AS])
        loop.call_at(at, self._answer.set_result, connection.Arrived(move, at))
        loop.call_soon(time.sleep, 0.3)

    def open_turn(self, number: int) -> "asyncio.Future[connection.Arrived]":
        self._answer: asyncio.Future[connection.Arrived] = asyncio.get_running_loop().create_future()
        return self._answer

    def close_turn(self) -> None:
        pass


def test_an_answer_in_time_counts_though_the_deadline_is_found_in_the_same_moment(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(chair: Chair) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(chair, "_connection", Tied())
            reply = await ask_for_reply(chair)
        assert reply.text == "lead AS"
        assert reply.think_us < 100_000

    play(root, "greeted().play()", test, time_control=TimeControl(move_ms=100, bank_ms=0, max_faults=3))


CRASHES = {
    "an exit in the middle of a turn": ("os._exit(3)", "it exited with status 3", 3),
    "an orderly exit": ("os._exit(0)", "it exited with status 0", 0),
    "a signal": ("os.kill(os.getpid(), 11)", "it was ended by signal 11 (SIGSEGV)", -signal.SIGSEGV),
    "an exception": ("raise ValueError('no move')", "it exited with status 1", 1),
}


@pytest.mark.parametrize("name", CRASHES)
def test_a_crash_tells_its_exit_status(root: Path, name: str) -> None:
    source, detail, status = CRASHES[name]
    begin = "raw = greeted()\nraw.turn()\nprint('last words', file=sys.stderr, flush=True)\n"
    trouble = trouble_of(root, begin + source)
    assert (trouble.kind, trouble.detail, trouble.exit_status) == (TroubleKind.ENDED, detail, status)
    assert "last words" in trouble.stderr_tail


def test_a_crash_while_nobody_asks_shows_in_the_next_turn(root: Path) -> None:
    async def test(chair: Chair) -> None:
        await ask_for_reply(chair)
        await until(lambda: not chair.is_ready)
        trouble = await ask_for_trouble(chair)
        assert (trouble.kind, trouble.exit_status) == (TroubleKind.ENDED, 4)

    source = "raw = greeted(); turn = raw.turn(); raw.answer(turn.number, turn.legal[0]); time.sleep(0.2); os._exit(4)"
    play(root, source, test)


@pytest.mark.parametrize("apart", ["", "os.setsid()"])
def test_a_bot_is_over_when_its_process_is_though_a_child_holds_the_call(root: Path, apart: str) -> None:
    # gRPC does not live through a fork: the child only keeps the descriptors, in the bot's process group or out of it.
    source = f"""
    raw = greeted()
    raw.turn()
    if not os.fork():
        {apart or "pass"}
        open("child", "w").write(str(os.getpid()))
        time.sleep(1000)
    while not os.path.exists("child"):
        time.sleep(0.01)
    time.sleep(0.1)
    os._exit(5)
    """
    trouble = trouble_of(root, source)
    assert (trouble.kind, trouble.exit_status) == (TroubleKind.ENDED, 5)
    assert is_soon_gone(int((root / "bot" / "child").read_text()))


def test_a_bot_that_went_on_in_another_process_is_over_too(root: Path) -> None:
    # It never was in the process that we started: it dials after that one has exited.
    source = """
    import subprocess
    if sys.argv[1:] != ["again"]:
        os.waitpid(subprocess.Popen([sys.executable, "main.py", "again"], start_new_session=True).pid, os.WNOHANG)
        while not os.path.exists("greeted"):
            pass
        os._exit(0)
    """
    rest = """
    raw = greeted()
    open("child", "w").write(str(os.getpid()))
    open("greeted", "w")
    while raw.read():
        pass
    """

    manifest = write_raw_bot(root / "bot", source, rest)

    async def test() -> None:
        async with started(manifest, root) as chair:
            trouble = await ask_for_trouble(chair)
            assert (trouble.kind, trouble.exit_status) == (TroubleKind.ENDED, 0)
            child = int((root / "bot" / "child").read_text())
            await until(lambda: not is_alive(child))  # its call was ended, so it went

    asyncio.run(test())


PROTOCOL = {
    "no message": ("raw.send(b'\\xff' * 10)", "it sent bytes that are no BotMessage"),
    "two greetings": ("raw.hello()", "it greeted twice"),
    "too long": ("raw.send(b'x' * 65537)", "it sent a message of 65,537 bytes; at most 65,536 are allowed"),
    "far too long": ("raw.send(b'x' * 3_000_000)", "it cancelled its call, or sent a message far over the limit of 64 KiB"),
    "cancelled": ("raw.call.cancel()", "it cancelled its call, or sent a message far over the limit of 64 KiB"),
    "a flood": (
        "[raw.answer(99, pb.Move()) for _ in range(10_000)]",
        "it sent more than 64 messages in a row that answer no open turn",
    ),
}


@pytest.mark.parametrize("name", PROTOCOL)
def test_what_the_protocol_forbids(root: Path, name: str) -> None:
    source, detail = PROTOCOL[name]
    trouble = trouble_of(root, f"raw = greeted()\nraw.turn()\n{source}\nlinger()")
    assert (trouble.kind, trouble.detail, trouble.exit_status) == (TroubleKind.PROTOCOL, detail, None)


def test_a_call_that_was_ended_by_a_bot_that_runs_on(root: Path) -> None:
    trouble = trouble_of(root, "raw = greeted(); raw.turn(); raw.send(None); linger()")
    assert (trouble.kind, trouble.detail, trouble.exit_status) == (TroubleKind.ENDED, "it ended its call", None)


def test_a_bot_that_does_not_read_holds_nobody_up_for_long(root: Path) -> None:
    # Its call takes no more than the first bytes that fit into the window, for it is stopped.
    source = """
    raw = greeted()
    if not os.path.exists("done"):
        print("stopping", flush=True)
        os.kill(os.getpid(), 19)
    raw.play()
    """

    async def test(chair: Chair) -> None:
        await until((root / "0" / "stdout.log").read_text)
        begun = time.monotonic()
        for _ in range(1000):
            await chair.tell_game(GAME)
            await chair.tell_fault("x" * 60_000, played=Move(MoveKind.PASS), faults=1, max_faults=3)
            if not chair.is_ready:
                break
        assert not chair.is_ready, "everything was taken by a bot that does not read"
        for _ in range(1000):
            await chair.tell_game(GAME)
        trouble = await ask_for_trouble(chair)
        assert (trouble.kind, trouble.detail) == (TroubleKind.ENDED, "it does not read what it is sent")
        assert time.monotonic() - begun < 30
        (root / "bot" / "done").touch()
        assert await chair.start() is None  # only SIGKILL ends a process that is stopped
        await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
        assert (await ask_for_reply(chair)).turn == 1

    play(root, source, test)


def test_at_the_cap_of_its_log_a_bot_can_print_no_more_and_is_told_so(root: Path) -> None:
    source = """
    import signal
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    raw = greeted()
    raw.turn()
    while True:
        print("noise " * 1000, flush=True)
    """
    trouble = trouble_of(root, source, log_bytes=30_000)
    assert trouble.exit_status == -signal.SIGPIPE
    assert trouble.detail == ("it was ended by signal 13 (SIGPIPE); it could print no more, its log of 30,000 bytes was full")
    log = (root / "0" / "stdout.log").read_bytes()
    assert re.fullmatch(rb"[noise \n]{30000}\n\[[^\n]*\]\n", log)


def test_what_a_bot_prints_is_no_answer_and_buys_no_time(root: Path) -> None:
    source = """
    raw = greeted()
    raw.turn()
    while True:
        print("still thinking", flush=True)
        time.sleep(0.01)
    """

    async def test(chair: Chair) -> None:
        trouble = await ask_for_trouble(chair)
        assert (trouble.kind, trouble.think_us) == (TroubleKind.LATE, 300_000)

    play(root, source, test, time_control=TimeControl(move_ms=200, bank_ms=100, max_faults=3))


def test_a_tail_that_is_no_text(root: Path) -> None:
    trouble = trouble_of(root, "raw = greeted(); raw.turn(); os.write(2, b'\\xff\\xfe goat \\x00'); os._exit(1)")
    assert trouble.stderr_tail == "\ufffd\ufffd goat \0"


def test_a_bug_of_ours_is_never_a_trouble(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with started(write_bot(root / "bot", NULL), root) as chair:
            await ask_for_reply(chair)
            monkeypatch.setattr(connection, "_parse", lambda data: data.no_such_attribute)
            with pytest.raises(HostError, match="bug of ours"):
                await ask(chair)

    asyncio.run(test())
