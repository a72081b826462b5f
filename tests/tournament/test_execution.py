"""The section `execution`: what is refused, and that it may change in the middle of a run."""

from pathlib import Path
from typing import Any

import pytest

from arena.tournament.config import canonical_json, differences
from tests.tournament.files import MINIMAL, load, refusal

ADDRESS = "tcp://10.0.0.1:8786"


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"engine": "dask"}, "execution: dask needs `address`: where the scheduler listens"),
        ({"address": ADDRESS}, "execution.address: belongs to `engine: dask`, and this is local; leave it out"),
        ({"engine": "local", "address": ADDRESS}, "execution.address: belongs to `engine: dask`"),
        ({"engine": "dsk", "address": ADDRESS}, "did you mean dask?"),
        ({"engine": "dask", "adress": ADDRESS}, "execution.adress: there is no such key; did you mean address?"),
    ],
)
def test_what_does_not_go_together_is_refused(home: Path, section: dict[str, Any], told: str) -> None:
    assert told in refusal(home, MINIMAL | {"execution": section})


@pytest.mark.parametrize(
    "address",
    [
        None,
        8786,
        "",
        "10.0.0.1:8786",
        "tcp://10.0.0.1",
        "tcp://10.0.0.1:0",
        "tcp://10.0.0.1:65536",
        "tcp://:8786",
        "http://10.0.0.1:8786",
        "tcp://10.0.0.1:8786/x",
        "tcp://a b:1",
    ],
)
def test_what_is_no_address_is_refused(home: Path, address: object) -> None:
    told = refusal(home, MINIMAL | {"execution": {"engine": "dask", "address": address}})
    assert "execution.address: must be the address that the scheduler prints, such as tcp://10.0.0.1:8786" in told


@pytest.mark.parametrize("address", [ADDRESS, "tls://node-1.example.org:1", "tcp://[fe80::1]:65535"])
def test_addresses_of_schedulers_are_taken(home: Path, address: str) -> None:
    assert load(home, MINIMAL | {"execution": {"engine": "dask", "address": address}}).address == address


def test_it_may_change_in_the_middle_of_a_run(home: Path) -> None:
    texts = [
        canonical_json(load(home, MINIMAL | section))
        for section in (
            {},
            {"execution": {"engine": "dask", "address": ADDRESS}},
            {"execution": {"engine": "dask", "address": "tcp://b:1"}},
        )
    ]
    assert len(set(texts)) == 3
    assert [differences(one, other) for one in texts for other in texts] == [[]] * 9
