"""The game itself, as pure functions and values: no I/O, no clock, no threads, no global randomness.

Read in this order: `cards`, `options`, `moves`, `deal`, `game`, `view`, `match`, `notation`.
"""
