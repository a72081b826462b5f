"""What a process may do that is root in a namespace of its own, and what it may do as it is."""

import ctypes
import os

from attack import attempt, call, play

libc = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_MOUNTS, READ_WRITE = 0x10000000, 0x20000, 32 | 4096
for name, flags in (("user", NEW_USER), ("mount", NEW_MOUNTS)):
    if os.fork() == 0:
        with attempt(f"{name} namespace"):
            call(libc, "unshare", flags)
        os._exit(0)
    os.wait()
if os.getcwd() == "/bot":
    with attempt("mount again, to write"):
        call(libc, "mount", None, b"/bot", None, READ_WRITE, None)
    with attempt("unmount"):
        call(libc, "umount2", b"/bot", 2)
    with attempt("another root"):
        os.chroot("/tmp")
    with attempt("device"):
        os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0))
    with attempt("another user"):
        os.setuid(0 if os.getuid() else 1)
play()
