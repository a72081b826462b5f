"""The blocks that were planned so far, one after the other: which match has which number."""

import json
from collections import Counter
from collections.abc import Iterable

from arena.errors import StoreError
from arena.records.model import MatchKey
from arena.tournament.pairings import Circle, Listed, Pairing, iter_pairings
from arena.tournament.schedule import Block, Restart, Seatings


class Plan:
    """Blocks in the order in which they are played; matches are numbered through."""

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.blocks: list[Block] = []
        self.match_count = 0
        for block in blocks:
            self.add(block)

    def add(self, block: Block) -> None:
        """What is played after all of it."""
        self.blocks.append(block)
        self.match_count += block.match_count

    def match_number(self, key: MatchKey) -> int:
        """The public number of a match, from 1. Raises ValueError for a match that is not planned."""
        first = 0
        for block in self.blocks:
            if key.number in block.sets:
                try:
                    return first + block.match_number(key)
                except ValueError:
                    pass  # its pairing may be in a later block
            first += block.match_count
        raise ValueError(f"{key} is not a match of this plan")


def matches_by_pairing(block: Block) -> Counter[Pairing]:
    """How many matches each pairing of a block plays."""
    return Counter(dict.fromkeys(iter_pairings(block.pairings), block.matches_of_pairing))


def block_json(block: Block) -> str:
    """A block for the store."""
    pairings = block.pairings
    content = {
        "pairings": pairings.pairs if isinstance(pairings, Listed) else "all",
        "sets": [block.sets.start, block.sets.stop],
        "seatings": block.seatings,
        "restart": block.restart,
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def parse_block(text: str, teams: Iterable[str]) -> Block:
    """A block from the store; teams: of the run, for the block in which all of them meet. Raises StoreError."""
    try:
        content = json.loads(text)
        pairs = content["pairings"]
        start, stop = map(int, content["sets"])
        return Block(
            pairings=Circle(tuple(teams)) if pairs == "all" else Listed(tuple((str(a), str(b)) for a, b in pairs)),
            sets=range(start, stop),
            seatings=Seatings(content["seatings"]),
            restart=Restart(content["restart"]),
        )
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise StoreError(f"a block of the run's plan is damaged: {error!r}") from error
