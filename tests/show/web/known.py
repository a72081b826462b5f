"""What a seat got to know of a game's cards, worked out from the deal and the record alone."""

from arena.records.model import GameRecord
from arena.rules.cards import NEXT_SEAT, Seat
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules


def known_cards(record: GameRecord, rules: Rules, seat: Seat) -> set[int]:
    """The indicator, what it was dealt and drew, and what others laid face up, also if a pull took it back.

    Every card that is dealt or drawn is played in the end, so what a seat held is what it played for good, and what a pull gave
    back to it or it was dealt is among that.
    """
    known = {record.deal.indicator}
    for decision in record.decisions:
        kind = decision.move.kind
        cards = {card for card in range(36) if decision.move.cards >> card & 1}
        if not decision.is_heard and decision.seat != seat:
            continue
        if decision.seat == seat or kind is not MoveKind.DISCARD or rules.discards is Discards.OPEN:
            known |= cards
    deck = record.deal.deck
    first = NEXT_SEAT[record.dealer]
    known |= {card for place, card in enumerate(deck[:16]) if (first + place) % 4 == seat}
    return known
