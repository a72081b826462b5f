"""The two looks of the table; both paint every cell, so that they do not depend on the colours of the terminal."""

from textual.theme import Theme

DARK = Theme(
    name="felt",
    dark=True,
    primary="#7fc8a9",
    secondary="#9ab8d8",
    background="#0d2820",
    surface="#12342a",
    panel="#194437",
    foreground="#eef3ec",
    accent="#ffd75e",
    warning="#ffc14d",
    error="#ff9a8f",
    success="#8fe0b0",
)
LIGHT = Theme(
    name="linen",
    dark=False,
    primary="#1f6b4b",
    secondary="#2c4f7c",
    background="#dfeae1",
    surface="#d2e0d5",
    panel="#c3d5c8",
    foreground="#10201a",
    accent="#6b4400",
    warning="#6b4400",
    error="#8f1510",
    success="#0b4a2e",
)
