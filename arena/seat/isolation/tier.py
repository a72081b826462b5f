"""The tiers, strongest last, and the limits that hold in all of them as far as the tier can enforce them."""

from dataclasses import dataclass
from enum import StrEnum


class Tier(StrEnum):
    """How strongly bots are isolated; docs/security.md has the table of what each tier stops."""

    LIMITS = "limits"
    SANDBOX = "sandbox"
    STRICT = "strict"

    @property
    def strength(self) -> int:
        """0 is the weakest."""
        return list(Tier).index(self)


NEEDS = {
    Tier.LIMITS: "nothing",
    Tier.SANDBOX: "bubblewrap and user namespaces",
    Tier.STRICT: "root, bubblewrap, user namespaces, cgroups, and a Python that other users can read",
}
NOT_STOPPED = {
    Tier.LIMITS: "bots can read and write files of the user who runs arena, use the network, and see or signal each other",
    Tier.SANDBOX: "a bot can take more memory over several processes than its limit, and CPU from the others",
    Tier.STRICT: "bots can still signal each other through timing and shared caches",
}
"""What people are told under the table: the first thing that the tier does not stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one bot may use, in every tier as far as it can be enforced there (docs/security.md).

    memory_mib: of all its processes together (one process in `limits` and `sandbox`), at least 64. processes: threads and
    processes together, at least 16. cpu_percent: of one core, at least 10 (`strict` only). disk_mib: what it can write to its
    temporary folder, which is the largest single file too, at least 1.
    """

    memory_mib: int = 1024
    processes: int = 64
    cpu_percent: int = 100
    disk_mib: int = 64

    @property
    def memory_bytes(self) -> int:
        """Of memory_mib."""
        return self.memory_mib * 1024 * 1024

    @property
    def disk_bytes(self) -> int:
        """Of disk_mib."""
        return self.disk_mib * 1024 * 1024
