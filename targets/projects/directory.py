"""The project as a plain directory: header, source, data, self-test, report, manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..interfaces.interface import Interface
from .format import Format, Project

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


def code(interface: Interface, headers: Mapping[str, str], source: str, data: str | None) -> dict[str, bytes]:
    """The files that an application compiles: {relative path: bytes}; `headers` by file name."""
    stem = interface.stem
    texts = {**{f"include/{name}": text for name, text in headers.items()}, f"src/{stem}.c": source}
    if data is not None:
        texts[f"src/{stem}_data.c"] = data
    return {path: text.encode() for path, text in texts.items()}


class Directory(Format):
    """`include`, `src`, `test` and `report`."""

    name = "dir"

    def files(self, project: Project) -> dict[str, bytes]:
        """Every file in the folder of its role."""
        sources = [f"src/{path}" for path in project.sources if path.endswith(".c")]
        tests = [test.removesuffix(".c") for test in project.tests]
        return {
            **{f"include/{name}": data for name, data in project.headers.items()},
            **{f"src/{path}": data for path, data in project.sources.items()},
            **{f"test/{name}": data for name, data in project.tests.items()},
            "test/Makefile": makefile(tests, sources).encode(),
            **{f"report/{name}": data for name, data in project.reports.items()},
        }


FORMAT = Directory


def makefile(tests: Sequence[str], sources: Sequence[str]) -> str:
    """The text of `test/Makefile`: the self-tests, each linked with all `sources` (relative to the tree)."""
    return MAKEFILE.format(
        sources=" ".join(f"../{source}" for source in sources),
        tests=" ".join(tests),
        runs="".join(f"\t./{test}\n" for test in tests),
    )
