"""Strides of dense row-major tensors, and walks over them in the fewest dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides in elements of a dense row-major tensor."""
    return tuple(math.prod(shape[d + 1 :]) for d in range(len(shape)))


def broadcast_strides(shape: Sequence[int], result: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense row-major operand along the dimensions of a result to which it broadcasts."""
    padded = (1,) * (len(result) - len(shape)) + tuple(shape)
    return tuple(0 if extent == 1 else stride for extent, stride in zip(padded, row_major(padded), strict=True))


@dataclass(frozen=True)
class Merged:
    """A domain in the fewest dimensions: extents, and for each walk its strides along them."""

    extents: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]


def merge(extents: Sequence[int], strides: Sequence[Sequence[int]]) -> Merged:
    """Join neighbouring dimensions that every walk goes through as through one; those of extent 1 are left out.

    Args:
        extents: of the dimensions, outermost first.
        strides: for each walk its steps along the dimensions; 0 where it stays in place.
    """
    found: list[int] = []
    steps: list[tuple[int, ...]] = []
    for d, extent in enumerate(extents):
        if extent == 1:
            continue
        here = tuple(walk[d] for walk in strides)
        if found and steps[-1] == tuple(extent * step for step in here):
            found[-1], steps[-1] = found[-1] * extent, here
        else:
            found.append(extent)
            steps.append(here)
    return Merged(tuple(found), tuple(tuple(step[walk] for step in steps) for walk in range(len(strides))))
