"""Its name, and what it prints, are not text."""

import os

from raw import Raw

os.write(1, bytes(range(256)))
os.write(2, b"\x1b[2J\x1b]0;mine\x07" + bytes(range(128, 256)) + b"\n")
raw = Raw()
name = b"\xff\xfe\xfd"
body = b"\x0a\x01\x01\x12" + bytes([len(name)]) + name
raw.send(b"\x0a" + bytes([len(body)]) + body)
raw.read()
