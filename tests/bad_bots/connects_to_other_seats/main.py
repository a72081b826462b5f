"""Dials its opponents' sockets and its partner's, by path, link and tree of another process."""

import socket

from attack import TARGETS, attempt, play

for path in TARGETS["seats"]:
    for way in (path, "/proc/1/root" + path):
        with attempt(f"connect to {way}"), socket.socket(socket.AF_UNIX) as connection:
            connection.connect(way)
play()
