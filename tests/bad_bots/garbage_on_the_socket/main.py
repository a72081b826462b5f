"""Three connections that make no sense, held open, and one that plays."""

import os
import socket
from urllib.parse import unquote

from raw import greeted

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes(3) + b"\4" + bytes(5)

held = []
for data in (os.urandom(100_000), PREFACE + SETTINGS + b"\0\x40\0\1\4\0\0", PREFACE[:10]):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(unquote(os.environ["ARENA_ADDRESS"].removeprefix("unix://")))
    try:
        connection.sendall(data)
    except OSError:
        pass
    held.append(connection)
greeted().play()
