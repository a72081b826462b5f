"""A filter of system calls for the strict tier, as the program that the kernel takes.

It refuses, with EPERM, calls that let two seats signal each other through files that both can read, and a few that have a
history of kernel faults and that no bot needs. Everything else is allowed: the walls are the namespaces, this is the paint.
"""

import platform
import struct

_LOAD_WORD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_IF_SET = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_OFFSET_NUMBER = 0
_OFFSET_ARCHITECTURE = 4
_OFFSET_COMMAND = 24  # the low half of the second argument; both machines are little-endian
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | 1  # SECCOMP_RET_ERRNO | EPERM
_KILL = 0x80000000
_X32 = 0x40000000

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

REFUSED: dict[str, dict[str, int]] = {
    "x86_64": {
        "flock": 73,
        "ptrace": 101,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "inotify_init": 253,
        "inotify_add_watch": 254,
        "migrate_pages": 256,
        "move_pages": 279,
        "inotify_init1": 294,
        "perf_event_open": 298,
        "fanotify_init": 300,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "userfaultfd": 323,
        "bpf": 321,
        "io_uring_setup": 425,
        "io_uring_enter": 426,
        "io_uring_register": 427,
    },
    "aarch64": {
        "flock": 32,
        "inotify_init1": 26,
        "inotify_add_watch": 27,
        "ptrace": 117,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "migrate_pages": 238,
        "move_pages": 239,
        "perf_event_open": 241,
        "fanotify_init": 262,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "bpf": 280,
        "userfaultfd": 282,
        "io_uring_setup": 425,
        "io_uring_enter": 426,
        "io_uring_register": 427,
    },
}
"""The refused calls by machine, with the numbers of the kernel's tables."""


FCNTL = {"x86_64": 72, "aarch64": 25}
REFUSED_COMMANDS = {
    "F_GETLK": 5,
    "F_OFD_GETLK": 36,
    "F_SETLEASE": 1024,
    "F_GETLEASE": 1025,
    "F_NOTIFY": 1026,
}
"""Commands of fcntl that tell of another process's lock on a file, or of its reading in a folder. Locking is allowed."""


def is_supported() -> bool:
    """Whether there is a filter for this machine."""
    return platform.machine() in REFUSED


def filter_program(machine: str) -> bytes:
    """The filter for a machine of REFUSED, as an array of the kernel's sock_filter structures in native byte order."""
    refused = sorted(REFUSED[machine].values())
    commands = sorted(REFUSED_COMMANDS.values())
    # What follows the numbers: the jump over the commands, their load, the commands, and the two ends.
    to_allow = len(commands) + 2
    program = [
        (_LOAD_WORD, 0, 0, _OFFSET_ARCHITECTURE),
        (_JUMP_IF_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD_WORD, 0, 0, _OFFSET_NUMBER),
    ]
    if machine == "x86_64":  # the same calls under the numbers of the x32 interface
        program.append((_JUMP_IF_SET, len(refused) + to_allow + 1, 0, _X32))
    program += [(_JUMP_IF_EQUAL, len(refused) - index + to_allow, 0, number) for index, number in enumerate(refused)]
    program += [(_JUMP_IF_EQUAL, 0, to_allow - 1, FCNTL[machine]), (_LOAD_WORD, 0, 0, _OFFSET_COMMAND)]
    program += [(_JUMP_IF_EQUAL, len(commands) - index, 0, number) for index, number in enumerate(commands)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
