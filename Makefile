# Set up, run and check qiyan. `make demo` and `make test` need only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Wheels are kept, so that a second set-up works without a network.
WHEELS ?= $(HOME)/.cache/qiyan/wheels
READY := $(VENV)/.ready

# Installs from the kept wheels alone, which needs no network.
KEPT = $(BIN)/python -m pip install --quiet --no-index --find-links $(WHEELS) -e '.[dev]'

.PHONY: demo test lint types bench accuracy train clean

demo: $(READY)
	$(BIN)/qiyan demo

test: lint types
	$(BIN)/pytest

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m tests.bench

accuracy: $(READY)
	$(BIN)/python -m tests.accuracy

train: $(READY)
	$(BIN)/python -m pip install --quiet -e '.[train]'
	$(BIN)/python -m models.training

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (the first time this takes a minute or two)"
	@$(KEPT) 2>/dev/null || { \
		$(BIN)/python -m pip wheel --quiet --wheel-dir $(WHEELS) 'setuptools>=77' '.[dev]' && $(KEPT); }
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info
