"""What the tests of the table have in common."""

from tests.seat_tools import nothing_left_fixture, root_fixture

__all__ = ["nothing_left_fixture", "root_fixture"]
