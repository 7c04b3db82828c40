# Each target sets up what it needs: Python 3.11 or newer, python3-venv and make are enough.
# PIP_ARGS goes to pip, for another index or a CUDA build of torch.

PYTHON ?= python3
PIP_ARGS ?=
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test test-all check format golden bench sample-report lock clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "phrasenet needs Python 3.11 or newer; name one with PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "python3-venv is missing; install it, on Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check $(PIP_ARGS) -r requirements.lock -e .
	@touch $(READY)

demo: $(READY)
	$(BIN)/phrasenet demo

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/pytest -m "not slow and not gpu"

test-all: check
	$(BIN)/pytest

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

golden: $(READY)
	$(BIN)/pytest tests/golden --update-golden

bench: $(READY)
	$(BIN)/python -m benchmarks

sample-report: $(READY)
	$(BIN)/python -m benchmarks.sample_report

lock:
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check $(PIP_ARGS) -e '.[dev]'
	echo '# Everything that `make setup` installs, pinned. Made by `make lock` from pyproject.toml.' > requirements.lock
	$(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//; /^colorama==/d' >> requirements.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
