"""Takes a name; whoever comes second finds it taken."""

import socket

from attack import TARGETS, failed, play, succeeded

connection = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
try:
    connection.bind("\0" + TARGETS["word"])
    failed("nobody was there")
except OSError as error:
    succeeded(error)
play()
