"""Introduces itself at length."""

from arena.v1 import bot_pb2 as pb
from raw import Raw

raw = Raw()
raw.send(pb.BotMessage(hello=pb.Hello(versions=[1], name="a" * 1_000_000)).SerializeToString())
raw.read()
