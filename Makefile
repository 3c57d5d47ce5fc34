# `make run` and `make test` need python3 (3.11 or later, with venv), make and a C compiler; they set up the rest.

PYTHON ?= python3
CC ?= cc
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DIGITS := examples/digits
BUILD := build/digits
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal

# Each start of a program would compile all of its modules again.
unexport PYTHONDONTWRITEBYTECODE
# What passed is run again where something that it depends on has changed (build/verdicts), and compilers and what they
# made are asked once (build/kept). `make test FRESH=1` runs everything, and begins with no answers.
export STILLPOOL_FRESH := $(FRESH)
CHANGED := $(if $(FRESH),,--changed)

.PHONY: run test quick quick-lit quick-pytest lint types lit pytest sweep sweep-long package docs lowest bench mutate format setup clean

# Compile the shipped model, build it into a C application, run that on real samples, and compare with TFLite Micro.
run: $(READY)
	$(BIN)/stillpool compile $(DIGITS)/digits.tflite -o $(BUILD)
	$(BIN)/python $(DIGITS)/samples_header.py > $(BUILD)/samples.h
	$(CC) -std=c99 -O2 -Wall -Wextra -I$(BUILD)/include -I$(BUILD) \
	    $(BUILD)/src/digits.c $(BUILD)/src/digits_data.c $(DIGITS)/main.c -o $(BUILD)/application -lm
	$(BUILD)/application
	@if $(BIN)/python -c 'import tflite_micro' 2> /dev/null; \
	    then $(BIN)/stillpool verify $(DIGITS)/digits.tflite; \
	    else echo "not verified: tflite-micro is not installed"; fi
	$(BIN)/python $(DIGITS)/pools.py $(BUILD)/manifest.json

# Side by side, each once: the type checker runs on one core.
test: $(READY)
	@$(MAKE) --no-print-directory --jobs lint types lit pytest

# What an editor's save deserves: lit but for its slowest, and tests that run no program and compile no model.
quick: $(READY)
	@$(MAKE) --no-print-directory --jobs quick-lit quick-pytest

quick-lit: $(READY)
	$(BIN)/lit --succinct --param quick=1 test

quick-pytest: $(READY)
	$(PYTEST) --quick $(CHANGED)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@[ ! -e .git ] || $(BIN)/reuse lint --quiet

types: $(READY)
	$(BIN)/pyright

lit: $(READY)
	$(BIN)/lit --succinct test

pytest: $(READY)
	$(PYTEST) $(CHANGED)

# Tests that take more than 0.5 s, and thousands of generated cases, of each test at most three; takes minutes.
sweep: $(READY)
	$(PYTEST) -m sweep $(CHANGED)

# The same and more of it: every case, and every size that `make sweep` reduces is whole. Takes hours.
sweep-long: $(READY)
	STILLPOOL_SWEEP=long $(PYTEST) -m sweep

# The wheel, installed into an empty environment outside the checkout.
package: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile -m packaging

# The least versions of everything that the package depends on, in an environment of their own.
LOWEST := build/lowest
lowest: $(READY)
	$(PYTHON) -m venv --without-pip $(LOWEST)
	$(BIN)/python test/packaging/lowest.py > $(LOWEST)/constraints.txt
	$(BIN)/python -m pip --python $(LOWEST)/bin/python install --quiet --disable-pip-version-check --constraint $(LOWEST)/constraints.txt \
	    --editable '.[verify,emulate,scale,cpsat,tune]' pytest pytest-xdist hypothesis jsonschema lit filecheck
	$(LOWEST)/bin/python -m pytest --numprocesses auto --dist worksteal test/cli/test_verbs.py \
	    test/cli/test_emulated_verbs.py test/cli/test_narrow_tables.py test/run/test_artifact.py \
	    test/frontends/test_import_models.py test/planner/test_planner.py

# The site of docs/ in build/site, without a warning.
docs: $(READY)
	@$(BIN)/python -c 'import material' 2> /dev/null || \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(READY)
	$(BIN)/python bench/compile_time.py
	$(BIN)/python bench/planner.py
	$(BIN)/python bench/run_models.py

# Changes of operators and constants that no test notices: `make mutate MUTATE='planner/greedy.py --each 0'`. Takes hours.
MUTATE :=
mutate: $(READY)
	$(BIN)/python bench/mutate.py $(MUTATE)

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

setup: $(READY)

# The reference interpreters have no wheels for some machines; what compares with them is skipped there.
$(READY): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,verify]' || \
	    { echo "cannot install everything; trying without the reference interpreters"; \
	      $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; }
	touch $@

clean:
	rm -rf build
