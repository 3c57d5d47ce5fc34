"""The workspace of models as whole tensors and row by row, for each place of their inputs: the table of docs/rows.md.

    python bench/rows.py MODELS...

MODELS are `.tflite` files. Outputs lie in the workspace. Plans are those that `compile` makes, without C. A cell with
three numbers is whole tensors, rows, and what no order of rows takes less than; one with two, of an input that comes by
rows, is the last two. Arenas are the least that TensorFlow Lite Micro (90b983c2, with CMSIS-NN) runs in on a Cortex-M4,
found by bisection.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stillpool.report.io_choices import IoChoice

HEADS = ("model", "input in the workspace", "the caller's", "by rows", "TFLM's arena")
ARENAS = {
    "ad01_int8": 3_024,
    "kws_int8": 22_832,
    "micro_speech_quantized": 6_848,
    "person_detect": 82_320,
    "resnet8_float": 199_120,
    "resnet8_int8": 55_008,
    "strww_int8": 16_608,
    "trained_lstm_int8": 4_064,
    "vww_int8": 100_720,
}
"""Bytes, its own structures included."""


def measured(paths: Sequence[Path]) -> Iterator[tuple[str, ...]]:
    """The row of each model; a dash for what is refused or impossible."""
    from stillpool.driver.compile.prepare import prepare
    from stillpool.errors import StillpoolError
    from stillpool.report.io_choices import io_choices

    for path in paths:
        try:
            inside, outside, *streamed = io_choices(prepare(path, rows="on"))
        except StillpoolError:
            yield path.stem, *["-"] * (len(HEADS) - 1)
            continue
        by_rows = min(streamed, key=lambda one: one.rows or 0, default=None)
        arena = f"{ARENAS[path.stem]:,}" if path.stem in ARENAS else "-"
        yield path.stem, _cell(inside), _cell(outside), "-" if by_rows is None else _cell(by_rows), arena


def _cell(choice: IoChoice) -> str:
    sizes = [size for size in (choice.whole, choice.rows) if size is not None]
    return " / ".join(f"{size:,}" for size in [*sizes, choice.bound])


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
