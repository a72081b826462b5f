"""Hashes that prove something: that a row is as it was written, and that the deals were fixed before the first one.

A row's checksum is the SHA-256 of its values in the order of its columns, each written as a letter for its type, its length
in bytes, a colon and its bytes: `i1:7` for the integer 7, `t3:abc` for text, `b2:…` for bytes, `n0:` for NULL, `f3:1.5` for a
number with a fraction.
It finds rot and accidents; somebody who can write the file can also write a new checksum, and only a fingerprint that was
noted elsewhere finds that.
"""

import hashlib
import re
from collections.abc import Iterable

from arena.errors import StoreError

_PREFIX = "sha256:"
_HASH = re.compile(f"(?:{_PREFIX})?([0-9a-f]{{64}})")


class StoredText(bytes):
    """Text as its bytes stand in the file, which may be damaged and no UTF-8 any more."""


def checksum(values: Iterable[object]) -> bytes:
    """The 32 bytes for the values of a row: what SQLite holds, text as str or StoredText."""
    digest = hashlib.sha256()
    for value in values:
        letter, content = _written(value)
        digest.update(b"%c%d:" % (letter, len(content)))
        digest.update(content)
    return digest.digest()


def commitment_of(secret: bytes) -> str:
    """What can be shown of a secret before the first deal: `sha256:` and 64 hexadecimal digits."""
    return shown_hash(hashlib.sha256(secret).digest())


def shown_hash(digest: bytes) -> str:
    """A SHA-256 as people see it."""
    return _PREFIX + digest.hex()


def parse_hash(text: str) -> str:
    """The same from what a user gives, who may have left out `sha256:` or used capitals. Raises ValueError."""
    match = _HASH.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError(f"{text!r} is not a SHA-256: it has 64 hexadecimal digits, with or without {_PREFIX} before them")
    return _PREFIX + match[1]


def _written(value: object) -> tuple[bytes, bytes]:
    if value is None:
        return b"n", b""
    if isinstance(value, float) and not value.is_integer():
        return b"f", repr(value).encode()
    if isinstance(value, int | float):  # SQLite keeps a bool as an integer, and the integer 1 as 1.0 where it expects fractions
        return b"i", b"%d" % value
    if isinstance(value, str):
        return b"t", value.encode("utf-8", "surrogatepass")  # SQLite will refuse it, and say so
    if isinstance(value, StoredText):
        return b"t", bytes(value)
    if isinstance(value, bytes):
        return b"b", value
    raise StoreError(f"SQLite holds no {type(value).__name__}")
