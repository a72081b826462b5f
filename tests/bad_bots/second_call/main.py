"""Dials again while its first call goes on."""

import sys

from raw import Raw, greeted

raw = greeted()
second = Raw()
second.hello()
print("ATTACK FAILED: refused" if second.read() is None else "ATTACK SUCCEEDED: two calls", file=sys.stderr, flush=True)
raw.play()
