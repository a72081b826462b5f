"""Every exception of the project, drawn by the question: whose fault is it?

    ArenaError
    ├── UserError            what somebody gave us is wrong; the message says where, what, what would be right
    │   ├── ConfigError      a tournament file or a bot's manifest
    │   ├── NotationError    text that should be a card, a move or a game
    │   └── RunError         a run folder that is missing, in use, or not what it should be
    ├── RulesError           code of ours asked the engine for something the rules forbid
    │   └── IllegalMoveError a move that is not among the legal ones (the referee turns a bot's into a fault)
    └── HostError            the machine or we failed: the match is void, nobody loses a point
        ├── StoreError       the store could not be read or written
        ├── OverloadError    something else took this machine's processors, so that a bot was late
        └── WorkerError      a worker process of ours died

What a *bot* does wrong is no exception at all: it is data (`arena.records.Fault`) and ends in a verdict.
"""

EXIT_DONE = 0
EXIT_MISTAKE = 2
EXIT_HOST = 3
EXIT_INTERRUPTED = 130


class ArenaError(Exception):
    """The root: anything that this project raises on purpose."""

    exit_code = EXIT_HOST


class UserError(ArenaError):
    """What a person gave us is wrong; the message is complete as it stands."""

    exit_code = EXIT_MISTAKE


class ConfigError(UserError):
    """A tournament file or a bot's manifest is wrong."""


class NotationError(UserError):
    """Text that should be a card, a move or a game is not."""


class RunError(UserError):
    """A run folder is missing, in use, or belongs to something else."""


class RulesError(ArenaError):
    """The engine was asked for something that the rules do not allow; a bug of the caller."""


class IllegalMoveError(RulesError):
    """A move that is not among the legal moves of the position."""


class HostError(ArenaError):
    """We or the machine failed, never a bot."""


class StoreError(HostError):
    """The store could not be read or written."""


class OverloadError(HostError):
    """Something else took this machine's processors, so that a bot was late; the match may go well at another time."""


class WorkerError(HostError):
    """A worker process of ours ended without a result."""
