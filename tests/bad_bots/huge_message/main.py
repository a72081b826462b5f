"""One very large message in place of an answer."""

from raw import greeted, linger

raw = greeted()
raw.turn()
raw.send(bytes(200 * 1024 * 1024))
raw.read()
linger()
