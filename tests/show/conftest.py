import pytest


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever terminal the tests are started from, the printing under test knows nothing of it."""
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "UNICODE_VERSION"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def colour_terminal(monkeypatch: pytest.MonkeyPatch, plain_surroundings: None) -> None:
    """Consoles that are opened now take their stream for a terminal with colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
