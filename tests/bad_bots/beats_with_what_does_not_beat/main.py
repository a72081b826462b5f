"""Calls every discard a beat."""

from arena.v1 import bot_pb2 as pb
from raw import greeted

raw = greeted()
while True:
    turn = raw.turn()
    moves = [move for move in turn.legal if move.kind == pb.MOVE_KIND_DISCARD]
    beats = [move.cards for move in turn.legal if move.kind == pb.MOVE_KIND_BEAT]
    wrong = [pb.Move(kind=pb.MOVE_KIND_BEAT, cards=move.cards) for move in moves if move.cards not in beats]
    raw.answer(turn.number, wrong[0] if wrong else turn.legal[0])
