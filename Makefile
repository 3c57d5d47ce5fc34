# `make run` and `make test` need python3 (3.11 or later, with venv), make and a C compiler; they set up the rest.

PYTHON ?= python3
CC ?= cc
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
EXAMPLE := build/digits

.PHONY: run test lit pytest lint format types sweep bench clean

$(READY): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,verify]'
	touch $@

# Compile the shipped model, build it into a C application, and run that on real samples.
run: $(READY)
	$(BIN)/stillpool compile examples/digits/digits.tflite -o $(EXAMPLE)
	$(BIN)/python examples/digits/samples_header.py > $(EXAMPLE)/samples.h
	$(CC) -std=c99 -O2 -Wall -Wextra -I$(EXAMPLE)/include -I$(EXAMPLE) \
	    $(EXAMPLE)/src/digits.c $(EXAMPLE)/src/digits_data.c examples/digits/main.c -o $(EXAMPLE)/digits -lm
	$(EXAMPLE)/digits
	$(BIN)/stillpool verify examples/digits/digits.tflite
	$(BIN)/python examples/digits/pools.py $(EXAMPLE)/manifest.json

test: lint types lit pytest

lit: $(READY)
	$(BIN)/lit --quiet test

pytest: $(READY)
	$(BIN)/python -m pytest --numprocesses auto

# Thousands of generated cases; takes minutes.
sweep: $(READY)
	$(BIN)/python -m pytest --numprocesses auto -m sweep

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/pyright

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python bench/compile_time.py

clean:
	rm -rf build
