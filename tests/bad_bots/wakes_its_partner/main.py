"""Whoever is asked sends SIGCONT to everybody, and both think all the time."""

from attack import ponder, wake_others

ponder(wake_others)
