"""Consoles: what they can show, and a reader that has left."""

import contextlib
import io
import os

import pytest

from arena.show.console import ASCII_GLYPHS, FULL_GLYPHS, Printer, open_console


@pytest.mark.parametrize(("encoding", "glyphs"), [("utf-8", FULL_GLYPHS), ("ascii", ASCII_GLYPHS), ("cp1251", ASCII_GLYPHS)])
def test_symbols_fall_back_to_letters(encoding: str, glyphs: object) -> None:
    assert Printer(encoding).glyphs == glyphs


def test_ascii_glyphs_are_ascii() -> None:
    for name in ("suits", "hidden", "rule", "dash", "arrow", "ellipsis"):
        assert getattr(ASCII_GLYPHS, name).isascii()


def test_text_is_printed_as_it_stands() -> None:
    stream = io.StringIO()
    open_console(stream).print("[red]x[/red] :goat: 12 'a'")
    assert stream.getvalue() == "[red]x[/red] :goat: 12 'a'\n"


def test_reader_that_has_left_is_told_to_the_command_line() -> None:
    """`arena replay RUN 1 | head -1`: the error comes out as it is, so that it can be given its exit code."""
    reading, writing = os.pipe()
    os.close(reading)
    stream = os.fdopen(writing, "w")
    with pytest.raises(BrokenPipeError):
        open_console(stream).print("x" * 100_000)
    with contextlib.suppress(BrokenPipeError):
        stream.close()
