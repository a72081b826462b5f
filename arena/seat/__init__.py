"""One bot's chair: its manifest, its process, its connection, its clock and what it printed.

The rest of the program asks a chair for a move and gets a reply or a trouble; it never sees gRPC or a process.
"""

import os

# gRPC's fork handlers may hang a process that starts others while calls are open. We only ever exec, so they have no use.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
