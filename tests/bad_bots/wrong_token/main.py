"""Claims to be somebody else."""

from raw import Raw

raw = Raw(token="let me in")
raw.hello()
raw.read()
