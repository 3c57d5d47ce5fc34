"""The Makefile that runs the self-tests of a project on this machine, in every layout."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

_MAKEFILE = """\
# Builds and runs the self-tests on this machine: make
CC ?= cc
CFLAGS ?= -O2 -Wall -Wextra
SOURCES = {sources}
TESTS = {tests}

.PHONY: check clean
check: $(TESTS)
{runs}
$(TESTS): %: %.c $(SOURCES) $(wildcard {include}/*.h){blobs}
	$(CC) -std=c99 $(CFLAGS) -I{include} $< $(SOURCES) -o $@ -lm

clean:
	rm -f $(TESTS)
"""


def self_test_makefile(
    folder: str, include: str, tests: Sequence[str], sources: Sequence[str], blobs: Sequence[str] = ()
) -> str:
    """Text of `folder/Makefile`: `tests`, each linked with all `sources`, which take in `blobs`; paths are relative to
    the tree.
    """
    return _MAKEFILE.format(
        sources=" ".join(posixpath.relpath(source, folder) for source in sources),
        include=posixpath.relpath(include, folder),
        blobs="".join(f" {posixpath.relpath(blob, folder)}" for blob in blobs),
        tests=" ".join(tests),
        runs="".join(f"\t./{test}\n" for test in tests),
    )
