"""Runs away from its first question."""

import os

from raw import greeted

greeted().turn()
os._exit(4)
