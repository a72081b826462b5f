"""The schedule of a run held against what its format plans, given the results before: nobody left out a part of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.records.summary import MatchSummary
from arena.records.verify import Difference
from arena.tournament.formats import Format, Swiss
from arena.tournament.growing import Growing
from arena.tournament.history import History
from arena.tournament.pairings import Listed, iter_pairings
from arena.tournament.schedule import Block


class PlanCheck:
    """Plans once more while the matches go by in the order of their numbers, without a gap up to the last block.

    Two things cannot be planned again: what was played because there was time for it, and which of several equally good draws a
    Swiss round is. Of those it is seen whether they could have been planned.
    """

    def __init__(self, format_: Format, blocks: Sequence[Block]) -> None:
        self._format = format_
        self._blocks = blocks
        self._history = History()
        self._end = 0

    def add(self, match: MatchSummary) -> None:
        """The next match, as it stands in the finished run."""
        if self._format.looks_back:
            self._history.add(match)

    def iter_differences(self, last: int) -> Iterator[Difference]:
        """What is wrong with the blocks that were planned after match `last`."""
        while last == self._end and len(self._history.blocks) < len(self._blocks):
            block = self._blocks[len(self._history.blocks)]
            if not self._is_planned(block):
                yield Difference(
                    what=f"part {len(self._history.blocks) + 1} of the schedule",
                    stored=_shown(block),
                    right="what the configuration and the results before give",
                )
            self._history.blocks.append(block)
            self._end += block.match_count

    def iter_end_differences(self) -> Iterator[Difference]:
        """Whether a finished run was over; after all its matches."""
        if not self._has_budget and (block := self._format.next_block(self._history)) is not None:
            yield Difference(what=f"part {len(self._blocks) + 1} of the schedule", stored="nothing", right=_shown(block))

    @property
    def _has_budget(self) -> bool:
        return isinstance(self._format, Growing) and self._format.budget_seconds is not None

    def _is_planned(self, block: Block) -> bool:
        if isinstance(self._format, Growing) and self._has_budget:
            usual = self._format.play.block(block.pairings, first=block.sets.start, sets=len(block.sets))
            return block == usual and set(iter_pairings(block.pairings)) <= set(iter_pairings(self._format.pairings))
        planned = self._format.next_block(self._history)
        if planned is None or not isinstance(self._format, Swiss):
            return block == planned
        is_drawn = isinstance(block.pairings, Listed) and self._format.can_draw(block.pairings.pairs, self._history)
        return is_drawn and block == replace(planned, pairings=block.pairings)


def _shown(block: Block) -> str:
    """A block in a few words, also one of very many pairings."""
    pairings = block.pairings
    count = pairings.rounds * pairings.tables
    first = " against ".join(pairings.at(0, 0)) if count else "nobody"
    return (
        f"{count} pairings, the first {first}, sets {block.sets.start + 1} to {block.sets.stop}, "
        f"seatings {block.seatings}, restart {block.restart}"
    )
