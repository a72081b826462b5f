"""What is started right before an answer is not known to whoever stops processes after it."""

import subprocess
import sys
import time
from pathlib import Path

from attack import Null, failed, serve, succeeded


class Forks(Null):
    turns = 0

    def choose(self, turn):
        self.turns += 1
        if self.turns == 3:
            # In hundredths of a second; the time that it takes to start is its own.
            cpu = sum(map(int, Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / 100
            wall = time.monotonic() - self.started_at
            (succeeded if cpu > 0.35 * wall else failed)(f"computed for {cpu:.2f} of {wall:.2f} s")
            self.child.kill()
        if self.turns == 2:
            self.started_at = time.monotonic()
            self.child = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
        return turn.legal[0]


serve(Forks())
