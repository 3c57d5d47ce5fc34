"""The project as a plain directory: header, source, data, self-test, report, manifest."""

from __future__ import annotations

from ..interfaces.native import Native

MAKEFILE = """\
# Builds and runs the self-test on this machine: make
CC ?= cc
CFLAGS ?= -O2 -Wall -Wextra
SOURCES = test_{m}.c ../src/{m}.c ../src/{m}_data.c

.PHONY: check clean
check: test_{m}
	./test_{m}

test_{m}: $(SOURCES) ../include/{m}.h
	$(CC) -std=c99 $(CFLAGS) -I../include $(SOURCES) -o $@ -lm

clean:
	rm -f test_{m}
"""


def code(native: Native, header: str, source: str, data: str, constants: str | None = None) -> dict[str, bytes]:
    """The files that an application compiles: {relative path: bytes}; `constants` where there are constant pools."""
    m = native.m
    pools = {} if constants is None else {f"include/{m}_constants.h": constants.encode()}
    return {
        **pools,
        f"include/{m}.h": header.encode(),
        f"src/{m}.c": source.encode(),
        f"src/{m}_data.c": data.encode(),
    }


def surroundings(native: Native, self_test: str, report: str) -> dict[str, bytes]:
    """The files beside the code: the self-test with its Makefile, and the report for people."""
    m = native.m
    return {
        f"test/test_{m}.c": self_test.encode(),
        "test/Makefile": MAKEFILE.format(m=m).encode(),
        "report/memory.txt": report.encode(),
    }
