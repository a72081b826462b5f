"""Wants to take back its first answer."""

from raw import greeted

raw = greeted()
while True:
    turn = raw.turn()
    raw.answer(turn.number, turn.legal[0])
    raw.answer(turn.number, turn.legal[-1])
