"""Greets and is gone."""

import os

from raw import greeted

greeted()
os._exit(0)
