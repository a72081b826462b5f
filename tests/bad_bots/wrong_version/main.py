"""From the future."""

from raw import Raw

raw = Raw()
raw.hello(versions=(99,))
raw.read()
