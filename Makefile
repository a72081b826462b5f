# Two commands: `make demo` plays a small tournament, `make test` runs every check. The rest is for developers.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-long lint proto bench clean

demo: $(VENV)/installed
	$(BIN)/arena tournament tournaments/quick.yaml --again

test: lint
	$(BIN)/pytest --numprocesses 2 --dist worksteal

# What counts in thousands, or waits for minutes.
test-long: $(VENV)/developed
	ARENA_LONG=1 $(BIN)/pytest tests/isolation/test_survival.py tests/tournament/test_coverage.py tests/tournament/test_dask.py tests/cli/test_kills.py \
		tests/cli/test_endurance.py --timeout 7200

lint: $(VENV)/developed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The generated code is committed; a test compares it with what this makes.
proto: $(VENV)/developed
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=. --pyi_out=. --grpc_python_out=. proto/arena/v1/bot.proto

bench: $(VENV)/developed
	$(BIN)/pip install --quiet --constraint constraints.txt '.[bench]'
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/referee.py

$(VENV)/created:
	$(PYTHON) -c 'import sys; sys.exit("arena needs Python 3.11 or newer: make PYTHON=python3.11 demo" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/installed: $(VENV)/created pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/developed: $(VENV)/installed
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
