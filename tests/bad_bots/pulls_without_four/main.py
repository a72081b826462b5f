"""Pulls what it has."""

from arena.v1 import bot_pb2 as pb
from raw import greeted

raw = greeted()
while True:
    turn = raw.turn()
    raw.answer(turn.number, pb.Move(kind=pb.MOVE_KIND_PULL, cards=turn.view.hand))
