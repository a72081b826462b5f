"""More words than the referee has patience for."""

from arena.v1 import bot_pb2 as pb
from raw import greeted

raw = greeted()
turn = raw.turn()
for _ in range(10_000):
    raw.answer(0, pb.Move(kind=pb.MOVE_KIND_PASS))
raw.answer(turn.number, turn.legal[0])
raw.play()
