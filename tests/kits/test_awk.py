"""The kit in awk plays alike under every awk that is here: none of them is the one that POSIX describes."""

import json
import shutil
import subprocess

import pytest
from google.protobuf.json_format import Parse

from arena.bot.bridge import line_of, parse_answer
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_move
from tests.kits.record import PROJECT
from tests.kits.test_golden import TRANSCRIPTS, turns

KIT = PROJECT / "sample_bots" / "greedy_awk"
AWKS = (("awk",), ("mawk",), ("gawk", "--posix"), ("busybox", "awk"), ("original-awk",))
FOUND = [words for words in AWKS if shutil.which(words[0])]


@pytest.mark.parametrize("words", FOUND, ids=" ".join)
def test_every_awk_gives_the_recorded_answers(words: tuple[str, ...]) -> None:
    """All turns go through one process here: what it keeps of one turn must not change the next."""
    recorded = [pair for transcript in TRANSCRIPTS for pair in turns(transcript)]
    lines = [line_of(pb.RefereeMessage(turn=turn)) for turn, _ in recorded]
    ran = subprocess.run([*words, "-f", "strategy.awk"], cwd=KIT, input=b"".join(lines), capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    answers = ran.stdout.splitlines(keepends=True)
    assert [decode_move(parse_answer(line, 1).move) for line in answers] == [move for _, move in recorded]


@pytest.mark.parametrize("words", FOUND, ids=" ".join)
def test_a_turn_without_a_move_ends_it_with_a_word(words: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [*words, "-f", "strategy.awk"], cwd=KIT, input='{"turn":{"number":1}}\n', capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "no legal move found" in ran.stderr


def test_the_example_of_the_readme() -> None:
    """The line is one that the bridge could write, and the answer is the one that the page says."""
    line = (KIT / "turn.json").read_bytes()
    assert line_of(Parse(line, pb.RefereeMessage())) == line
    ran = subprocess.run(["sh", "bot.sh"], cwd=KIT, input=line, capture_output=True, check=True)
    assert json.loads(ran.stdout) == {"kind": "MOVE_KIND_BEAT", "cards": ["CARD_7S"]}
    assert ran.stdout.decode().strip() in (KIT / "README.md").read_text(encoding="utf-8")
