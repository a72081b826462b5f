"""Control groups, version 1 and 2, behind one small interface: limits on all processes of a bot together, freezing, killing.

A machine may have version 2 alone, version 1 alone, or both, with the controllers shared between them. For each thing that is
wanted, what there is is taken: version 2 freezes, kills and counts CPU time without any controller.
"""

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.seat.isolation.tier import Limits

_PERIOD_US = 100_000
_TASK_SHARES = 1024
_REMOVE_SECONDS = 2.0
_LEFT_SECONDS = 60.0
"""Age from which an empty group is a leftover: younger ones may be about to be entered by a bot of another run."""
_PARENT = "arena"
_OWN = "arena-self"
"""Where a process moves itself below a group that was given to it: with processes in it, that could not limit its children."""


@dataclass(frozen=True, slots=True)
class Hierarchies:
    """Where groups can be made, by what they are for; `unified` is version 2, with its own controllers in `controllers`."""

    unified: Path | None
    controllers: frozenset[str]
    version1: dict[str, Path]

    @property
    def is_enough(self) -> bool:
        """Whether memory and processes can be limited and a group can be killed and frozen."""
        return self.unified is not None and all(
            name in self.controllers or name in self.version1 for name in ("memory", "pids")
        )


def find_hierarchies() -> Hierarchies:
    """The parts of the cgroup file system where this process may make groups."""
    return read_hierarchies(Path("/proc/mounts").read_text(), Path("/proc/self/cgroup").read_text())


def read_hierarchies(mounts: str, groups: str) -> Hierarchies:
    """The same from the texts of /proc/mounts and of a process's /proc/PID/cgroup."""
    unified: Path | None = None
    controllers: frozenset[str] = frozenset()
    version1: dict[str, Path] = {}
    own = _groups_by_controller(groups)
    for kind, point, options in _iter_mounts(mounts):
        if kind == "cgroup2" and "" in own:
            base = point / own[""].lstrip("/")
            base = base.parent if base.name == _OWN else base
            # Root makes its groups at the top: the one in which it is holds other processes, a shell at least.
            unified = next((folder for folder in (point, base) if os.access(folder, os.W_OK)), None)
            if unified is not None:
                controllers = frozenset((unified / "cgroup.controllers").read_text().split())
        elif kind == "cgroup":
            for name in ("memory", "pids", "cpu"):
                if name in options and name in own and os.access(base := point / own[name].lstrip("/"), os.W_OK):
                    version1[name] = base
    return Hierarchies(unified, controllers, version1)


class Cgroup:
    """The groups of one bot. `create` makes them, `remove` kills what is in them and takes them away."""

    def __init__(self, unified: Path, folders: dict[str, Path], counters: frozenset[str]) -> None:
        self._unified = unified
        self._folders = folders
        self._unified_controllers = counters
        self._freezer = unified / "cgroup.freeze"

    @classmethod
    def create(cls, name: str, limits: Limits, hierarchies: Hierarchies) -> "Cgroup":
        """Make the groups called `name` with these limits. Raises OSError when the machine does not let us."""
        if hierarchies.unified is None:
            raise FileNotFoundError("there is no cgroup version 2 here in which this process may make groups")
        wanted = hierarchies.controllers & {"memory", "pids", "cpu"}
        unified = hierarchies.unified / _PARENT
        unified.mkdir(exist_ok=True)
        if wanted:
            _enable(hierarchies.unified, wanted)
            _enable(unified, wanted)
        folders = {"": unified / name} | {
            controller: base / _PARENT / name for controller, base in hierarchies.version1.items() if controller not in wanted
        }
        for controller, folder in folders.items():
            folder.parent.mkdir(exist_ok=True)
            if controller == "cpu":
                # In version 1 our own tasks, and those of others, stand beside the parent of all bots, which would have the
                # weight of one task on one core. Now it has that of two on each.
                (folder.parent / "cpu.shares").write_text(str(2 * _TASK_SHARES * (os.cpu_count() or 1)))
            folder.mkdir()
        group = cls(folders[""], folders, frozenset(wanted))
        try:
            group._set_limits(limits)
        except OSError:
            group.remove()
            raise
        return group

    @property
    def entrances(self) -> tuple[Path, ...]:
        """The files to which a process writes its number to enter."""
        return tuple(folder / "cgroup.procs" for folder in self._folders.values())

    @property
    def oom_kills(self) -> int:
        """Processes that were killed because the group had no memory left."""
        if "memory" in self._unified_controllers:
            return _field(self._unified / "memory.events", "oom_kill")
        if "memory" in self._folders:
            return _field(self._folders["memory"] / "memory.oom_control", "oom_kill")
        return 0

    @property
    def cpu_us(self) -> int:
        """CPU time that the group has used, in microseconds."""
        return _field(self._unified / "cpu.stat", "usage_usec")

    @property
    def throttled_ns(self) -> int:
        """For how long its limit of CPU time has kept the group from running; that of each core is added up."""
        if "cpu" in self._unified_controllers:
            return _field(self._unified / "cpu.stat", "throttled_usec") * 1000
        return _field(self._folders["cpu"] / "cpu.stat", "throttled_time") if "cpu" in self._folders else 0

    @property
    def processes(self) -> list[int]:
        """The numbers of its processes, as they are outside."""
        with contextlib.suppress(OSError):
            return list(map(int, (self._unified / "cgroup.procs").read_text().split()))
        return []

    def freeze(self) -> None:
        """Stop every process of the group."""
        self._freezer.write_text("1")

    def thaw(self) -> None:
        """Let them go on."""
        self._freezer.write_text("0")

    def kill(self) -> None:
        """Kill every process of the group at once."""
        with contextlib.suppress(OSError):
            (self._unified / "cgroup.kill").write_text("1")

    def remove(self) -> None:
        """Kill what is in the groups and take them away; waits for the kernel to be done with the processes."""
        deadline = time.monotonic() + _REMOVE_SECONDS
        while True:
            self.kill()
            left = [folder for folder in self._folders.values() if not _is_removed(folder)]
            if not left or time.monotonic() > deadline:
                return
            time.sleep(0.005)

    def _set_limits(self, limits: Limits) -> None:
        quota = _PERIOD_US * limits.cpu_percent // 100
        values = {
            "memory": ("memory.max", limits.memory_bytes, "memory.limit_in_bytes", limits.memory_bytes),
            "pids": ("pids.max", limits.processes, "pids.max", limits.processes),
            "cpu": ("cpu.max", f"{quota} {_PERIOD_US}", "cpu.cfs_quota_us", quota),
        }
        for controller, (name, value, old_name, old_value) in values.items():
            if controller in self._unified_controllers:
                (self._unified / name).write_text(str(value))
            elif controller in self._folders:
                (self._folders[controller] / old_name).write_text(str(old_value))
        # Without swap the limit is the limit; not every kernel has the files.
        for file in (self._unified / "memory.swap.max", self._folders.get("memory", Path()) / "memory.memsw.limit_in_bytes"):
            if file.is_file():
                with contextlib.suppress(OSError):
                    file.write_text("0" if file.name == "memory.swap.max" else str(limits.memory_bytes))


def remove_leftovers(hierarchies: Hierarchies) -> None:
    """Take away groups in which nothing has been for a while: those of runs that were killed."""
    for base in filter(None, (hierarchies.unified, *hierarchies.version1.values())):
        with contextlib.suppress(OSError):
            for folder in (base / _PARENT).iterdir():
                with contextlib.suppress(OSError):
                    if folder.is_dir() and time.time() - folder.stat().st_mtime > _LEFT_SECONDS:
                        folder.rmdir()


def _is_removed(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def _enable(folder: Path, controllers: frozenset[str]) -> None:
    """Hand controllers on to the groups in a folder. If we are in it ourselves, we move into one of those groups."""
    control = folder / "cgroup.subtree_control"
    if controllers <= set(control.read_text().split()):
        return
    wanted = " ".join(f"+{name}" for name in sorted(controllers))
    try:
        control.write_text(wanted)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        (folder / _OWN).mkdir(exist_ok=True)
        (folder / _OWN / "cgroup.procs").write_text(str(os.getpid()))
        control.write_text(wanted)


def _field(file: Path, name: str) -> int:
    """A counter in a file of lines `name value`; 0 when the kernel does not have it."""
    with contextlib.suppress(OSError):
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    return 0


def _groups_by_controller(text: str) -> dict[str, str]:
    """A process's group by controller of version 1; under the empty name that of version 2."""
    groups = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for name in controllers.split(","):
            groups[name] = path
    return groups


def _iter_mounts(text: str) -> Iterator[tuple[str, Path, frozenset[str]]]:
    for line in text.splitlines():
        _, point, kind, options, *_ = line.split()
        if kind.startswith("cgroup"):
            yield kind, Path(point), frozenset(options.split(","))
