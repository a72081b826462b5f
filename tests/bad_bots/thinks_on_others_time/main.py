"""A thread that never rests."""

from attack import ponder

ponder()
