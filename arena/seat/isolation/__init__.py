"""What a bot is kept from: three tiers, what each needs, and the exact command that puts a bot into one.

Read in this order: `tier`, `wrapper`, `seccomp`, `cgroup`, `keeper`, `cage`, `probe`.
"""
