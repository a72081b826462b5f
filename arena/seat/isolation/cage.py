"""One life of one bot inside its tier: the command, the freezer, the end of everything that it started."""

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import HostError
from arena.seat.isolation import seccomp
from arena.seat.isolation.cgroup import Cgroup, find_hierarchies
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.isolation.tree import ProcessTree
from arena.seat.isolation.usage import Usage, processes_cpu_ns, read_threads
from arena.seat.isolation.user import SeatUser
from arena.seat.isolation.wrapper import Launch, Place, limits_launch, sandbox_launch

_SIGNALLED = range(129, 129 + 64)
"""bubblewrap ends with 128 plus the signal's number when a signal ended the bot."""
_MODE_SEAT = 0o500
_MODE_SOCKET = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """How the bots of a run are isolated, as the probe found it to work. with_proc: whether /proc is mounted inside.

    freezes: bots are stopped while they are not asked anything.
    """

    tier: Tier
    limits: Limits
    with_proc: bool = True
    freezes: bool = True


class Cage:
    """Made for one start of a bot; `close` leaves no process, group, user or descriptor behind."""

    def __init__(self, isolation: Isolation, place: Place) -> None:
        """Take what the tier needs. Raises HostError when the machine does not give it."""
        self._isolation = isolation
        self._place = place
        self._tree: ProcessTree | None = None
        self._user: SeatUser | None = None
        self._group: Cgroup | None = None
        self._filter: int | None = None
        self._status: tuple[int, int] | None = None
        self._told = b""
        self._is_frozen = False
        try:
            self._take()
        except OSError as error:
            self.close()
            raise HostError(f"a bot could not be isolated: {error}") from error

    def launch(self, command: Sequence[str], environment: dict[str, str]) -> Launch:
        """What to execute so that `command` runs in the tier with this environment."""
        isolation = self._isolation
        if self._status is None:
            return limits_launch(command, self._place, limits=isolation.limits, environment=environment)
        return sandbox_launch(
            command,
            self._place,
            limits=isolation.limits,
            environment=environment,
            user=self._user.uid if self._user else None,
            entrances=self._group.entrances if self._group else (),
            seccomp_fd=self._filter,
            status_fd=self._status[1],
            with_proc=isolation.with_proc,
        )

    def watch(self, pid: int) -> None:
        """The launched process runs under this number."""
        if self._group is None:
            self._tree = ProcessTree(pid, spared=0 if self._isolation.tier is Tier.LIMITS else 1)

    def freeze(self) -> None:
        """Stop every process of the bot, when the run wants that."""
        if self._isolation.freezes and not self._is_frozen:
            self._is_frozen = True
            if self._group is not None:
                self._group.freeze()
            elif self._tree is not None:
                self._tree.freeze()

    def freeze_again(self) -> None:
        """Stop what `freeze` did not find, which has no time to look every time."""
        if self._is_frozen and self._tree is not None:
            self._tree.freeze_all()

    def thaw(self) -> None:
        """Let them go on."""
        if self._is_frozen:
            self._is_frozen = False
            if self._group is not None:
                self._group.thaw()
            elif self._tree is not None:
                self._tree.thaw()

    def check_command(self, command: Sequence[str]) -> None:
        """Raise OSError when the program of a bot is not there or cannot be run, as far as it shows from outside."""
        if self._isolation.tier is not Tier.LIMITS:
            return
        program = command[0] if os.sep not in command[0] else str(self._place.bot / command[0])
        if shutil.which(program) is None:
            number = errno.EACCES if Path(program).exists() else errno.ENOENT
            raise OSError(number, os.strerror(number), command[0])

    def exit_status(self, status: int | None) -> int | None:
        """The bot's own exit status, negative for a signal, from that of the launched process."""
        if status is None or status not in _SIGNALLED or self._isolation.tier is Tier.LIMITS:
            return status
        return 128 - status

    def has_failed(self, status: int) -> bool:
        """Whether the launched process exited with this status without coming to run the bot: not the bot's fault."""
        if self._status is None or status <= 0:
            return False
        read_end, _ = self._status
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(read_end, 4096):
                self._told += chunk
        return b'"exit-code"' not in self._told

    @property
    def oom_kills(self) -> int:
        """Processes of the bot that the kernel killed for memory; 0 where nobody counts."""
        return self._group.oom_kills if self._group else 0

    @property
    def cores(self) -> float:
        """How many of the machine's a table needs for this bot: at least one."""
        return max(1.0, self._isolation.limits.cpu_percent / 100)

    def processes(self) -> frozenset[int]:
        """Those of the bot whose processor time is missing once they end; empty where a group keeps count."""
        return frozenset(self._tree.processes) if self._group is None and self._tree is not None else frozenset()

    def cpu_ns(self, processes: frozenset[int]) -> int:
        """Processor time that the bot has used; processes: as they were found, since looking for them takes long."""
        return self._group.cpu_us * 1000 if self._group is not None else processes_cpu_ns(processes)

    def usage(self) -> Usage:
        """A look at what it has used and waited for; takes some 20 microseconds a thread."""
        processes = self.processes()
        if self._group is None:
            return Usage(cpu_ns=self.cpu_ns(processes), threads=read_threads(processes), processes=processes)
        return Usage(
            cpu_ns=self.cpu_ns(processes),
            threads=read_threads(self._group.processes),
            throttled_ns=self._group.throttled_ns,
        )

    def close(self) -> None:
        """End whatever is left and give back what was taken; takes until the kernel is done with it. Safe to call again."""
        self.thaw()
        group, self._group = self._group, None
        user, self._user = self._user, None
        opened, self._filter, self._status = (self._filter, *(self._status or ())), None, None
        if group is not None:
            group.remove()
        if user is not None:
            user.release()
        for descriptor in opened:
            if descriptor is not None:
                os.close(descriptor)

    def _take(self) -> None:
        if self._isolation.tier is Tier.LIMITS:
            return
        self._status = os.pipe()
        os.set_blocking(self._status[0], False)
        if os.getuid() == 0:
            self._user = SeatUser.acquire()
            self._hand_over(self._user.uid)
        if self._isolation.tier is Tier.STRICT:
            self._group = Cgroup.create(f"seat-{secrets.token_hex(8)}", self._isolation.limits, find_hierarchies())
            self._filter = _filter_descriptor()

    def _hand_over(self, uid: int) -> None:
        """Let the bot's user, and nobody else but us, reach the socket."""
        seat = self._place.seat
        for path, mode in ((seat, _MODE_SEAT), (seat / "seat.sock", _MODE_SOCKET)):
            if path.exists():
                os.chown(path, uid, uid)
                path.chmod(mode)


def _filter_descriptor() -> int:
    """A descriptor from which the filter of system calls can be read once."""
    read_end, write_end = os.pipe()
    os.write(write_end, seccomp.filter_program(os.uname().machine))
    os.close(write_end)
    return read_end


def make_reachable(folder: Path) -> None:
    """Let bots' users pass through a folder of ours to their own below it, without listing it."""
    folder.chmod(0o711)
