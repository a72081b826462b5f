"""A table in the terminal: a person plays with bots, or watches them."""
