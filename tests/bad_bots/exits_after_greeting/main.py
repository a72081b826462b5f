"""Greets and is gone."""

import os

from raw import greeted

raw = greeted()  # kept: a call that nobody refers to is cancelled
os._exit(0)
