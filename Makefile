# Two commands are all a newcomer needs: `make demo` and `make test`. Each makes .venv by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NODE   := tests/node/node_modules/.ready
CLIENTS := tests/clients/node_modules/.ready
AXE    := tests/web/node_modules/.ready

PIN    := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate

# Tests wait for the disk and for other processes: with one worker for each processor, these would stand idle.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))

.PHONY: help venv demo test ready types units docs reference dist lock clean

help:
	@echo "make demo   watch Ralph refuse, block and pass an agent's work"
	@echo "make test   every check of the project: ruff, mypy, import-linter, pytest"
	@echo "make docs   the documentation as a site, in build/site"
	@echo "make dist   wheel and source archive, built twice and tried out in an empty environment"
	@echo "make reference   write schemas/ and docs/reference/ anew, after a change of commands or keys"
	@echo "make venv   only the environment"
	@echo "make lock   write requirements/*.txt anew (needs uv)"

venv: $(READY)

$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ralph needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes -r requirements/dev.txt
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

# What looks at the dashboard's accessibility.
$(AXE): tests/web/package-lock.json
	cd tests/web && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $(AXE)

demo: $(READY)
	$(BIN)/ralph demo

test:
	@$(MAKE) --no-print-directory --jobs=4 ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory --jobs=2 types units

ready: $(READY) $(NODE) $(CLIENTS) $(AXE)
	@:

types:
	$(BIN)/mypy

units:
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

# What is generated from the code. A test says so when it is not up to date.
reference: $(READY)
	$(BIN)/python -m tools.schemas
	$(BIN)/python -m tools.policies
	$(BIN)/python -m tools.reference

docs: $(READY)
	$(BIN)/mkdocs build --quiet --strict --clean

dist: $(READY)
	$(BIN)/python -m tools.dist

lock:
	$(PIN) --extra fast --extra demo --extra mcp --extra web --extra fleet --extra notify --extra otel \
		--group dev pyproject.toml -o requirements/dev.txt
	$(PIN) pyproject.toml -o requirements/run.txt
	$(PIN) --extra demo pyproject.toml -o requirements/demo.txt
	$(PIN) --no-deps --group pyproject.toml:clients -o requirements/clients.txt

clean:
	rm -rf $(VENV) tests/node/node_modules tests/clients/node_modules tests/web/node_modules .mypy_cache .ruff_cache .pytest_cache dist build
