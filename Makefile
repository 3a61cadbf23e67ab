# Two commands do everything: `make generate` (the main job) and `make test`.
# Each sets up its own virtual environment from pinned versions first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready
PEERS := .peers
PEERS_READY := $(PEERS)/.ready

.PHONY: generate test test-long check lint peers bench clean help

generate: $(READY)  ## regenerate generated/ from schema/ and templates/
	$(BIN)/acp-codegen generate

check: $(READY)  ## tell whether generated/ is up to date; writes nothing
	$(BIN)/acp-codegen check

test: $(READY) peers  ## check, lint and all tests
	$(BIN)/acp-codegen check
	$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(READY)  ## formatting and types
	$(BIN)/black --quiet --check codegen tests benchmarks examples .github/action
	$(BIN)/mypy
	$(BIN)/pyright

test-long: $(READY)  ## property tests with many more examples
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest tests/test_laws.py tests/test_session_laws.py tests/test_convert_laws.py

# A peer that cannot be installed is no failure: its tests are skipped and say why.
peers:  ## other SDKs for tests/test_peers.py; needs Node and the package registries
	@if ! command -v npm > /dev/null; then echo "peers: npm is not installed, tests with other SDKs are skipped"; \
	elif ! $(MAKE) --no-print-directory $(PEERS_READY); then echo "peers: not installable now, tests with other SDKs are skipped"; fi

bench: $(BENCH_READY)  ## cost of codecs, import and folding, beside peers
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/fold.py

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) $(PEERS) build dist .mypy_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*##/\1\t/'

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/pyright --version  # fetches its checker now, so that later runs need no network
	touch $(READY)

$(BENCH_READY): $(READY) requirements-bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt -c requirements.txt
	touch $(BENCH_READY)

$(PEERS_READY): tests/peers/package.json tests/peers/requirements.txt
	rm -rf $(PEERS)
	mkdir -p $(PEERS)
	cp tests/peers/package.json $(PEERS)
	npm install --prefix $(PEERS) --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error --fetch-retries=0 --fetch-timeout=20000
	$(PYTHON) -m venv $(PEERS)/venv
	$(PEERS)/venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 -r tests/peers/requirements.txt
	touch $@
