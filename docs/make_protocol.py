"""Makes docs/protocol.md from proto/arena/v1/bot.proto and the introduction in this file.

    python docs/make_protocol.py

The comments of the proto are the protocol's documentation; a test compares the page with what this makes.
"""

import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from textwrap import dedent

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from grpc_tools import protoc

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "protocol.md"
INTRODUCTION = """\
# The protocol, for writing a client in a new language

This page is made from the comments of [bot.proto](../proto/arena/v1/bot.proto) by `docs/make_protocol.py`.

A client is some fifty lines:

1. Read `ARENA_ADDRESS` and `ARENA_TOKEN` from the environment. Dial the address without TLS, and not through a proxy.
2. Call `arena.v1.Referee/Play` with the metadata `arena-token: <ARENA_TOKEN>`. It is one call with a stream in each
   direction, and it stays open.
3. Send `BotMessage{hello: {versions: [1], name, language}}`.
4. Read messages. For a `turn`, send `BotMessage{answer: {turn: turn.number, move: one of turn.legal}}`. Leave every
   other message alone, also those that you do not know.
5. When the referee ends the call, exit: with 0 if its status is OK, with another code and a line on stderr if it is
   not.

What to know besides:

- One message is open at a time. There is nothing to do in parallel, and no need to answer anything but turns.
- The time runs from the write of a turn to the arrival of its answer. Where `pondering` is forbidden, as it is by
  default, your processes are stopped while you are not asked: what you do on `match_start` or `game_result` runs when
  the next turn comes, on its time. The first turn of a process has time on top, which is in its `move_ms`.
- A late answer is a fault, and so is one that is not legal: another move is played, and a `fault` message tells you
  why. Read it in your log.
- Print what you like, to either stream: it goes to a log. After its cap the stream is closed.
- In a sandbox your folder is at `/bot`, read-only; `/tmp` is yours, small, and empty at each start. There is no
  network.

`sample_bots/greedy_*` are complete clients in several languages, and `tests/golden/transcripts/` has recorded
matches, one message a line in protobuf's JSON form, with the answers that the `greedy` strategy gives:
`tests/kits/test_golden.py` plays them to a new kit.

## Without gRPC: run_stdio

Where a language has no gRPC, `run_stdio` in bot.yaml (in place of `run`) starts your program behind a bridge of the
arena's. The bridge makes the call and greets; your program reads lines from stdin and writes lines to stdout:

- Every `RefereeMessage` is one line of JSON on your stdin. It is an object with one key, which says what it is: `welcome`,
  `matchStart`, `turn`, `gameResult`, `matchResult` or `fault`. A line with a turn begins with `{"turn":{`, and no other
  line does. Leave the others alone, also those that you do not know.
- Answer a turn, and nothing else, with one line of JSON on stdout: a `Move`, such as
  `{"kind":"MOVE_KIND_LEAD","cards":["CARD_6C","CARD_7C"]}`. Every entry of the turn's `legal` is such an object: copy one.
  An `Answer` will do as well: `{"turn":7,"move":{"kind":"MOVE_KIND_PASS"}}`.
- Write the whole line and its end at once, and flush: most languages keep back what they write to a pipe.
- When stdin ends, exit.

The JSON is protobuf's mapping of the messages on this page: `stock_count` is called `stockCount`, an enum value goes by its
name, and a 0, `false` or empty list is written out (only the `optional` fields may be missing). What the bridge writes
is in ASCII, with `\\uXXXX` for everything else, without a space between two tokens, and in the order of the fields here.
What you write may have spaces between tokens, may leave out `cards` when there are none and `turn`, and may give enums by
number.

These end the program and count as a crash, with a line in your log that says why: it exits or closes its stdout; its line is
not JSON, or neither of the two objects, or has unknown or repeated keys, no kind, or a kind or card that does not exist;
its line is longer than 64 KiB (65,536 bytes) with its end; it writes a line that no turn had asked for. A move that is well
formed and not legal is a fault like any other bot's, and so is silence when the time is over: the late answer still has to be
written, and does no harm. What goes to stderr is in the log.

Bridge and program run together inside the same limits (the bridge takes some 40 MiB and ten threads of them), on the same
clock (it takes about a millisecond of a turn), and with the same view. The program does not get `ARENA_ADDRESS` and
`ARENA_TOKEN`.
`sample_bots/greedy_awk` and `sample_bots/first_c` are such programs.
"""
_TYPES = {
    FieldDescriptorProto.TYPE_UINT32: "uint32",
    FieldDescriptorProto.TYPE_STRING: "string",
    FieldDescriptorProto.TYPE_BOOL: "bool",
}


def make_page() -> str:
    """The whole page."""
    file = read_proto()
    notes = {tuple(location.path): location.leading_comments for location in file.source_code_info.location}
    detached = [text for location in file.source_code_info.location for text in location.leading_detached_comments]
    parts = [INTRODUCTION, "## In the proto's own words", "", *(f"```\n{dedent(text).rstrip()}\n```" for text in detached), ""]
    for index, service in enumerate(file.service):
        for number, method in enumerate(service.method):
            parts += [f"## {service.name}.{method.name}", "", f"```\n{dedent(notes[6, index, 2, number]).rstrip()}\n```", ""]
    for index, message in enumerate(file.message_type):
        parts += _iter_message(message, index, notes)
    for index, enum in enumerate(file.enum_type):
        parts += _iter_enum(enum, index, notes)
    return "\n".join(parts).rstrip() + "\n"


def read_proto() -> FileDescriptorProto:
    """The proto with its comments."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        include = str(files("grpc_tools") / "_proto")
        status = protoc.main(
            [
                "protoc",
                f"-I{PROJECT / 'proto'}",
                f"-I{include}",
                "--include_source_info",
                f"--descriptor_set_out={out}",
                "arena/v1/bot.proto",
            ]
        )
        if status:
            raise SystemExit("protoc did not read the proto")
        return FileDescriptorSet.FromString(out.read_bytes()).file[0]


def _iter_message(message: DescriptorProto, index: int, notes: dict[tuple[int, ...], str]) -> Iterator[str]:
    yield f"## {message.name}"
    yield ""
    yield _reflow(notes[4, index])
    yield ""
    yield "| field | number | type | |"
    yield "|---|---|---|---|"
    note = ""
    for number, field in enumerate(message.field):
        # A comment stands for the fields below it that have none.
        note = _reflow(notes.get((4, index, 2, number)) or note)
        yield f"| `{field.name}` | {field.number} | {_type(field)} | {note} |"
    yield ""


def _iter_enum(enum: EnumDescriptorProto, index: int, notes: dict[tuple[int, ...], str]) -> Iterator[str]:
    yield f"## {enum.name}"
    yield ""
    yield _reflow(notes[5, index])
    yield ""
    if len(enum.value) > 12:
        yield ", ".join(f"`{value.name}` = {value.number}" for value in enum.value)
    else:
        yield "| value | number | |"
        yield "|---|---|---|"
        for number, value in enumerate(enum.value):
            yield f"| `{value.name}` | {value.number} | {_reflow(notes.get((5, index, 2, number), ''))} |"
    yield ""


def _type(field: FieldDescriptorProto) -> str:
    name = _TYPES.get(field.type) or field.type_name.rpartition(".")[2]
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def _reflow(comment: str) -> str:
    """A comment as one paragraph a block."""
    blocks = [" ".join(block.split()) for block in comment.split("\n\n")]
    return "\n\n".join(block for block in blocks if block)


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
