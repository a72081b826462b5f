"""The folder of a contest: what was submitted, taken in safely and kept as it came."""
