"""Templates to text: the one door through which anything reaches a page.

Everything that a template prints is escaped (autoescape), and text is first made harmless: a team's name cannot hold what
would move or hide the text around it. What runs from right to left stands in `bdi` elements.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena import __version__
from arena.show.text import harmless

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
_PACKAGE = "arena.show.web"


def render(template: str, **values: Any) -> str:
    """A page or a part of one.

    Pages need `assets`: what leads from the page to the folder that holds the folder assets, such as `../`, or None to put
    styles and scripts into the page itself.
    """
    return _environment().get_template(template).render(values)


def asset_text(name: str) -> str:
    """A style sheet or a script of a report."""
    if name == "stage.js":
        return f"document.getElementById('stage').innerHTML = {_script_json(render('stage.html'))};\n"
    return files(_PACKAGE).joinpath("static", name).read_text(encoding="utf-8")


def signed(value: float | None) -> str:
    """A difference as `+3.2`, two digits at most where that is enough; a dash for None."""
    if value is None:
        return DASH
    text = f"{abs(value):.0f}" if abs(value) >= 9.95 else f"{abs(value):.1f}"
    if not float(text):
        return "0"
    return ("+" if value > 0 else MINUS) + text


def decimal(value: float | None, places: int = 2) -> str:
    """A number with so many places; a dash for None."""
    return DASH if value is None else f"{value:.{places}f}".replace("-", MINUS)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", MINUS)


def duration(milliseconds: float | None) -> str:
    """A time in three digits and its unit; a dash for None."""
    if milliseconds is None:
        return DASH
    value, unit = (milliseconds / 1000, "s") if milliseconds >= 1000 else (milliseconds, "ms")
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def _script_json(data: object) -> Markup:
    """JSON that can stand inside a script element, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Nothing outside of strings has these characters.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _inline(name: str) -> Markup:
    return Markup(asset_text(name))


def _finalize(value: object) -> object:
    if not isinstance(value, str) or isinstance(value, Markup) or (value.isascii() and value.isprintable()):
        return value
    return harmless(value)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(signed=signed, decimal=decimal, duration=duration, tick=_tick, script_json=_script_json)
    environment.globals.update(inline=_inline, version=__version__)
    return environment
