# Every target sets up .venv by itself; Python 3.11 and make are all that has to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
# adk, with its sessions in the data folder or on the PostgreSQL server.
ADK := $(BIN)/python -m agents.adk_sessions

.PHONY: start web run api test soak check format eval eval-large eval-tab bench gate lock clean help

help:            ## list the targets
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/'

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

# uv takes seconds where pip takes a minute; plain pip does where uv cannot be had.
define install
	@if $(BIN)/uv --version >/dev/null 2>&1; \
	then $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python -c requirements.lock -e '.$(1)'; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.$(1)'; fi
	@touch $@
endef

$(VENV)/.run: pyproject.toml requirements.lock | $(BIN)/python
	$(call install,)

$(VENV)/.dev: pyproject.toml requirements.lock | $(BIN)/python
	$(call install,[dev])

$(VENV)/.eval: pyproject.toml requirements.lock | $(BIN)/python
	$(call install,[dev$(comma)eval])
comma := ,

start: $(VENV)/.run     ## set up everything and open the page to study with
	$(BIN)/tutor serve --port $(PORT) --open

web: $(VENV)/.run       ## open the tutor in adk web
	$(ADK) web --port $(PORT) agents

run: $(VENV)/.run       ## talk to the tutor in the terminal
	$(ADK) run agents

api: $(VENV)/.run       ## serve the tutor over HTTP
	$(ADK) api_server --port $(PORT) agents

test: $(VENV)/.dev      ## run all tests
	$(BIN)/python -m pytest -n 4 --dist worksteal  # more than cores: many tests wait for a process

soak: $(VENV)/.dev      ## fuzz and break it for long: what `make test` tries a little of, many times over
	SOAK=1 nice -n 5 $(BIN)/python -m pytest -n 2 --dist worksteal -m "soak or scaled" --durations=25

check: $(VENV)/.dev     ## formatting, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev    ## format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# A data folder of their own, so that nobody's learning records are near; ADK's remarks on its own state are left out.
EVAL_ENV = env -u TUTOR_DATABASE_URL -u TUTOR_COURSE_DIR -u QDRANT_URL TUTOR_MODEL=embedded TUTOR_EMBEDDER=wordllama TUTOR_DATA_DIR=$$data PYTHONWARNINGS=ignore

eval: $(VENV)/.eval     ## run the eval sets with the embedded model
	@data=$$(mktemp -d) && trap 'rm -rf "$$data"' EXIT && \
	$(EVAL_ENV) $(BIN)/adk eval agents evals/*.evalset.json --config_file_path evals/test_config.json --log_level WARNING && \
	$(EVAL_ENV) $(BIN)/python -m evals.runner evals/sessions/*.evalset.json

eval-large: $(VENV)/.eval   ## run the eval sets that need a large model and its key
	$(BIN)/python -m evals.large_model

eval-tab: $(VENV)/.eval     ## open adk web with the eval sets in its Evals tab
	cp evals/*.evalset.json agents/
	@data=$$(mktemp -d) && trap 'rm -rf "$$data"' EXIT && $(EVAL_ENV) $(BIN)/adk web --port $(PORT) agents

bench: $(VENV)/.dev     ## run the benchmarks and rewrite evals/RESULTS.md
	$(BIN)/python -m evals all --write

gate: $(VENV)/.dev      ## show every quality figure beside its floor; fails below one
	$(BIN)/python -m evals gate

lock: $(BIN)/python     ## resolve all versions anew
	$(BIN)/uv pip compile --quiet --python-version 3.11 --all-extras --no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml -o requirements.lock

clean:                  ## remove the virtual environment
	rm -rf $(VENV)
