"""A timer of POSIX may send any signal, SIGCONT too. One that is waiting when SIGSTOP comes is lost, so they come later."""

import ctypes
import signal

from attack import ponder


class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("signo", ctypes.c_int), ("notify", ctypes.c_int), ("pad", ctypes.c_char * 48)]


class Times(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in ("interval_s", "interval_ns", "first_s", "first_ns")]


def set_timers():
    """Be woken up every 50 ms, for half a second."""
    for number in range(1, 11):
        timer = ctypes.c_void_p()
        assert libc.timer_create(1, ctypes.byref(Event(signo=signal.SIGCONT)), ctypes.byref(timer)) == 0
        assert libc.timer_settime(timer, 0, ctypes.byref(Times(first_ns=number * 50_000_000)), None) == 0


libc = ctypes.CDLL(None)
ponder(before_answer=set_timers)
