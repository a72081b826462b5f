"""Competitions between programs that play Kozel on 4 cards."""

__version__ = "0.1.0"
