"""The project as a plain directory: header, source, data, self-test, report, manifest."""

from __future__ import annotations

from collections.abc import Sequence

from ..interfaces.native import Native

MAKEFILE = """\
# Builds and runs the self-tests on this machine: make
CC ?= cc
CFLAGS ?= -O2 -Wall -Wextra
SOURCES = {sources}
TESTS = {tests}

.PHONY: check clean
check: $(TESTS)
{runs}
$(TESTS): %: %.c $(SOURCES) $(wildcard ../include/*.h)
	$(CC) -std=c99 $(CFLAGS) -I../include $< $(SOURCES) -o $@ -lm

clean:
	rm -f $(TESTS)
"""
"""Of one model or of several."""


def code(native: Native, header: str, source: str, data: str | None, constants: str | None = None) -> dict[str, bytes]:
    """The files that an application compiles: {relative path: bytes}; `constants` where there are constant pools."""
    m = native.m
    optional = {f"include/{m}_constants.h": constants, f"src/{m}_data.c": data}
    return {
        **{path: text.encode() for path, text in optional.items() if text is not None},
        f"include/{m}.h": header.encode(),
        f"src/{m}.c": source.encode(),
    }


def makefile(models: Sequence[str], sources: Sequence[str]) -> str:
    """The text of `test/Makefile`: the self-test of each model, linked with all `sources` (relative to the tree)."""
    return MAKEFILE.format(
        sources=" ".join(f"../{source}" for source in sources),
        tests=" ".join(f"test_{m}" for m in models),
        runs="".join(f"\t./test_{m}\n" for m in models),
    )


def surroundings(native: Native, self_test: str, report: str, others: Sequence[str] = ()) -> dict[str, bytes]:
    """The files beside the code: the self-test with its Makefile, and the report; `others` are linked too."""
    m = native.m
    return {
        f"test/test_{m}.c": self_test.encode(),
        "test/Makefile": makefile([m], [f"src/{m}.c", f"src/{m}_data.c", *others]).encode(),
        "report/memory.txt": report.encode(),
    }
