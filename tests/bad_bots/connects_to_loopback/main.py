"""Dials a port that is open, and an abstract socket."""

import socket

from attack import TARGETS, attempt, play

with attempt("TCP"):
    socket.create_connection(("127.0.0.1", TARGETS["port"]), timeout=1).close()
with attempt("abstract socket"), socket.socket(socket.AF_UNIX) as connection:
    connection.connect("\0" + TARGETS["abstract"])
play()
