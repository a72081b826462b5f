"""`arena doctor`: what this machine offers for running bots, and what would make it better."""

import asyncio
import platform
import sys
from importlib.metadata import version

import click
from rich.table import Table
from rich.text import Text

from arena import __version__
from arena.cli.scope import enter_scope
from arena.seat.isolation.probe import Finding, probe_tiers
from arena.seat.isolation.tier import NEEDS, NOT_STOPPED, Limits
from arena.show.console import open_console


@click.command()
def doctor() -> None:
    """Show which isolation of bots works on this machine, and the one command that would raise it."""
    enter_scope()
    console = open_console(sys.stdout)
    console.print(
        Text(
            f"arena {__version__}, Python {platform.python_version()}, grpcio {version('grpcio')}, "
            f"protobuf {version('protobuf')}, {platform.system()} {platform.release()}, {platform.machine()}"
        )
    )
    findings = asyncio.run(probe_tiers(Limits()))
    table = Table("isolation", "here", "needs", "does not stop", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for finding in findings:
        tier = finding.tier
        table.add_row(
            tier, "works" if finding.works else "no", NEEDS[tier], NOT_STOPPED[tier], style="" if finding.works else "dim"
        )
    console.print(Text(), table, Text())
    for line in _advice(findings):
        console.print(Text(line), soft_wrap=True)


def _advice(findings: tuple[Finding, ...]) -> list[str]:
    """What keeps the next stronger tier from working, and the command that would change it."""
    working = [finding for finding in findings if finding.works]
    lines = []
    if working:
        lines.append(f"Tournaments here use {working[-1].tier}.")
        if not working[-1].with_proc:
            lines.append("/proc cannot be mounted inside here: bots run without it.")
    for finding in findings:
        if not finding.works and (not working or finding.tier.strength > working[-1].tier.strength):
            lines.append(f"{finding.tier} does not work: {finding.problem}.")
            if finding.remedy:
                lines.append(f"To raise it: {finding.remedy}")
            break
    return lines
