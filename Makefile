# Two commands are all a newcomer needs: `make demo` and `make test`. Each makes .venv by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NODE   := tests/node/node_modules/.ready
CLIENTS := tests/clients/node_modules/.ready

.PHONY: help venv demo test lock clean

help:
	@echo "make demo   watch Ralph refuse, block and pass an agent's work"
	@echo "make test   every check of the project: ruff, mypy, import-linter, pytest"
	@echo "make venv   only the environment"
	@echo "make lock   write requirements/*.txt anew (needs uv)"

venv: $(READY)

$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ralph needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $(READY)

# Real eslint, tsc, vitest, jest and an independent signature verifier, for the tests that need them.
$(NODE): tests/node/package-lock.json
	cd tests/node && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $(NODE)

# The real clients, which talk to a scripted model on loopback. Only what is in their packages, none of what they need.
$(CLIENTS): $(READY) tests/clients/package-lock.json requirements/clients.txt
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes -r requirements/clients.txt
	cd tests/clients && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $(CLIENTS)

demo: $(READY)
	$(BIN)/ralph demo

test: $(READY) $(NODE) $(CLIENTS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto --dist worksteal

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--extra fast --extra demo --extra mcp --group dev pyproject.toml -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		pyproject.toml -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--no-deps --group pyproject.toml:clients -o requirements/clients.txt

clean:
	rm -rf $(VENV) tests/node/node_modules tests/clients/node_modules .mypy_cache .ruff_cache .pytest_cache dist build
