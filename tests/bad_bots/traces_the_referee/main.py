"""PTRACE_SEIZE stops nothing, and ends with us; then the other way, through the memory."""

import ctypes

from attack import TARGETS, attempt, call, play

libc = ctypes.CDLL(None, use_errno=True)
with attempt("ptrace"):
    call(libc, "ptrace", 0x4206, TARGETS["referee"], None, None)
    call(libc, "ptrace", 17, TARGETS["referee"], None, None)
with attempt("memory"):
    open(f"/proc/{TARGETS['referee']}/mem", "rb").close()
play()
