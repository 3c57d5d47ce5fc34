"""Planning problems of any size: what a transformer's layers allocate, and random lifetimes."""

from __future__ import annotations

import numpy as np

from stillpool.planner import Buffer, Pool, Problem

KINDS = ("transformer", "random")


def generate(kind: str, count: int, seed: int = 0) -> Problem:
    """`count` buffers in one pool without a limit; equal arguments give an equal problem."""
    make = {"transformer": _transformer, "random": _random}[kind]
    first, last, size = make(count, np.random.default_rng(seed))
    rows = zip(first.tolist(), last.tolist(), size.tolist(), strict=True)
    return Problem(tuple(Buffer(f"b{n}", s, ((a, b),)) for n, (a, b, s) in enumerate(rows)), (Pool("workspace"),))


def _transformer(count: int, source: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Blocks of a residual stream that outlives the block, projections and scores that do not, and scratch per step.

    Sequence lengths vary from block to block, and one tensor in 500 is kept for a skip connection some blocks later.
    """
    per_block = 24
    block, place = np.divmod(np.arange(count), per_block)
    length = source.integers(16, 512, block[-1] + 1)[block]
    widths = source.choice([64, 96, 128, 192, 256, 384, 512], block[-1] + 1)[block]
    is_scores = place % 8 == 5
    size = np.where(is_scores, length * length, length * widths * source.choice([1, 1, 1, 2, 4], count))
    is_scratch = place % 8 == 7
    size = np.where(is_scratch, source.integers(64, 8192, count), size)
    first = np.arange(count)
    life = np.where(place == 0, per_block + 2, np.where(is_scratch, 1, source.integers(2, 8, count)))
    life = np.where(source.random(count) < 0.002, source.integers(4, 40, count) * per_block, life)
    return first, first + life, size


def _random(count: int, source: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Births at random, lives of a wide range, sizes over four decades."""
    first = source.integers(0, 4 * count, count)
    life = 1 + source.exponential(200, count).astype(np.int64)
    life = np.where(source.random(count) < 0.001, source.integers(1000, 200_000, count), life)
    size = np.exp(source.uniform(np.log(16), np.log(160_000), count)).astype(np.int64)
    return first, first + life, size
