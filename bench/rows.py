"""The workspace of models as whole tensors and row by row, as the table of docs/rows.md.

    python bench/rows.py MODELS...

MODELS are `.tflite` files. Inputs and outputs lie in the workspace. Plans are those that `compile` makes, without C.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

HEADS = ("model", "whole tensors, bytes", "rows, bytes", "saved", "planning rows, s of CPU")


def measured(paths: Sequence[Path]) -> Iterator[tuple[str, ...]]:
    """The row of each model; a dash for what is refused."""
    from stillpool.driver.compile import prepare
    from stillpool.errors import StillpoolError

    for path in paths:
        try:
            whole = sum(prepare(path).workspace_bytes().values())
            start = time.process_time()
            rows = sum(prepare(path, rows="on").workspace_bytes().values())
            seconds = time.process_time() - start
        except StillpoolError:
            yield path.stem, "-", "-", "-", "-"
            continue
        yield path.stem, f"{whole:,}", f"{rows:,}", f"{100 * (whole - rows) / whole:.0f} %", f"{seconds:.1f}"


def main() -> None:
    """Measure and print, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=Path)
    given = parser.parse_args()
    for row in (HEADS, ["---"] * len(HEADS)):
        print(f"| {' | '.join(row)} |", flush=True)
    for row in measured(given.models):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
