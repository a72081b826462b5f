"""What the tests of the SDK have in common with those of chairs."""

from tests.seat_tools import nothing_left_fixture, root_fixture

__all__ = ["nothing_left_fixture", "root_fixture"]
