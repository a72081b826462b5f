"""docs/protocol.md says what the proto says."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_made_from_the_proto() -> None:
    spec = importlib.util.spec_from_file_location("make_protocol", DOCS / "make_protocol.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert (DOCS / "protocol.md").read_text(encoding="utf-8") == maker.make_page(), "run python docs/make_protocol.py"
