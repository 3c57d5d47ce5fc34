"""Savings by the channels that go, and that nothing becomes more: the table of docs/channels.md.

    python bench/channels.py MODELS... [--targets CPU,...] [--optimize speed,balanced,size]

MODELS are `.tflite` files. Instructions and flash are the estimates that decide, RAM is the workspace that is planned.
A cell with an arrow is without the step `channels` and with it. Ways to compile a model that lose none have one row
together. The exit code is 1 if any number becomes larger.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stillpool.driver.compile.compilation import Compilation

HEADS = ("model", "processor", "optimize", "channels gone", "MACs", "weights", "instructions", "flash", "RAM")


@dataclass(frozen=True)
class Measured:
    """A model with its channels or without."""

    channels: int
    """Channels that went."""
    macs: int
    weights: int
    """Bytes."""
    instructions: int
    flash: int
    ram: int

    @staticmethod
    def of(compilation: Compilation) -> Measured:
        """Compile to loops, and plan."""
        from stillpool.driver.compile.lost_channels import lost_channels
        from stillpool.driver.compile.network_cost import flash, network_cost

        compilation = compilation.decided
        lost = lost_channels(compilation.module("nn"))
        module = compilation.lowered_once()
        cost = network_cost(module, compilation.plan.scheduled_for)
        return Measured(
            sum(one.channels_without - one.channels for one in lost),
            sum(one.macs for one in lost),
            sum(one.weights for one in lost),
            cost.instructions,
            flash(module, cost),
            sum(compilation.workspace_bytes().values()),
        )


def rows(path: Path, targets: Sequence[str], objectives: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The rows of a model, and as the last cell of each what became more, if anything."""
    from stillpool.driver.compile.lost_channels import lost_channels
    from stillpool.driver.compile.prepare import prepare

    whole = prepare(path)
    lost = lost_channels(whole.module("nn"))
    macs, weights = sum(one.macs_without for one in lost), sum(one.weights_without for one in lost)
    ways, kept = len(targets) * len(objectives), 0
    for target, optimize in itertools.product(targets, objectives) if lost else ():
        # One model: both share what is compiled of it.
        without, with_it = (
            prepare(whole.model, target=target, optimize=optimize, no_clean_up=off) for off in (("channels",), ())
        )
        after = Measured.of(with_it)
        if not after.channels:
            kept += 1
            continue
        before = Measured.of(without)
        pairs = {"instructions": (before.instructions, after.instructions), "flash": (before.flash, after.flash)}
        pairs["RAM"] = before.ram, after.ram
        more = ", ".join(name for name, (one, other) in pairs.items() if other > one)
        cells = [_arrow(macs, after.macs), _arrow(weights, after.weights), *(_arrow(*both) for both in pairs.values())]
        yield path.stem, target, optimize, f"{after.channels:,}", *cells, more
    if not lost or kept:
        which = "all" if not lost or kept == ways else "others"
        yield path.stem, which, which, "0", *["-"] * 5, ""


def _arrow(before: int, after: int) -> str:
    return f"{before:,} → {after:,}"


def main() -> int:
    """Measure and print, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--targets", default="cortex-m4,cortex-m0plus,cortex-m55")
    parser.add_argument("--optimize", default="speed,balanced,size")
    arguments = parser.parse_args()
    print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS), flush=True)
    worse = 0
    for path in arguments.models:
        for *cells, more in rows(path, arguments.targets.split(","), arguments.optimize.split(",")):
            print("| " + " | ".join(cells) + " |", flush=True)
            if more:
                worse += 1
                print(f"{cells[:3]}: more {more}", file=sys.stderr, flush=True)
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
