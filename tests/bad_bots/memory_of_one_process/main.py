"""Asks for 8 GiB and uses it page by page, up to 1 GiB."""

from arena.bot import Bot, serve

from attack import succeeded


class Big(Bot):
    def choose(self, turn):
        memory = bytearray(8 << 30)
        for at in range(0, 1 << 30, 4096):
            memory[at] = 1
        succeeded("1 GiB")
        return turn.legal[0]


serve(Big())
