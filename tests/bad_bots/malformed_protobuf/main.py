"""What it sends cannot be parsed."""

from raw import greeted

raw = greeted()
raw.turn()
raw.send(bytes.fromhex("ffffffffffffffff0a"))
raw.play()
