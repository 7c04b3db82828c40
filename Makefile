# Each target sets up what it needs: Python 3.11 or newer, python3-venv and make are enough.
# PIP_ARGS goes to pip, for another index or a CUDA build of torch.

PYTHON ?= python3
PIP_ARGS ?=
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test test-integration test-others test-all check format golden bench sample-report audit-dependencies lock clean

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

# Two processes, since much of an integration test is waiting: it halves the time on two cores.
# Each prints what it has to say when it ends.
test: check
	@echo "The tests take some ten minutes on two cores."
	@$(MAKE) --no-print-directory -j2 --keep-going --output-sync=target test-integration test-others

test-integration: $(READY)
	@$(BIN)/pytest -p no:cacheprovider -m "not slow and not gpu" tests/integration

test-others: $(READY)
	@$(BIN)/pytest -m "not slow and not gpu" --ignore=tests/integration

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

# Asks a public list of known weaknesses, so it needs the network; pip-audit is no part of phrasenet.
# Exit codes of the last line: 0 none known, 1 some known, 2 the list could not be asked about all.
audit-dependencies: $(READY)
	$(PYTHON) -m venv .venv/audit
	.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) pip-audit
	$(BIN)/python -m benchmarks.dependency_audit .venv/audit/bin/pip-audit requirements.lock

lock:
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check $(PIP_ARGS) -e '.[dev]'
	echo '# Everything that `make setup` installs, pinned. Made by `make lock` from pyproject.toml.' > requirements.lock
	$(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//; /^colorama==/d' >> requirements.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
