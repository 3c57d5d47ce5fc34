"""Blocks: buffers that lie as one piece, and where the piece goes if an algorithm cannot choose its place itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from .problem import Block, Problem

AT_THE_START: Mapping[str, int] = MappingProxyType({})


def extent(problem: Problem, block: Block) -> int:
    """Bytes of a block."""
    return max(at + problem.buffers[i].size for i, at in block.offsets.items())


def settled(problem: Problem, ends: Mapping[str, int] = AT_THE_START) -> Problem:
    """The problem with its blocks at fixed places, one beside the other.

    Args:
        problem: with blocks.
        ends: for pools that are named the blocks lie below so many bytes, the first on top; in others from the start.
    """
    buffers = list(problem.buffers)
    taken: dict[str, int] = {}
    for block in problem.blocks:
        first = problem.buffers[block.first]
        (pool,) = problem.candidates(block.first)
        size, step = extent(problem, block), first.alignment
        if pool in ends:
            at = (ends[pool] - taken.get(pool, 0) - size) // step * step
            taken[pool] = ends[pool] - at
        else:
            at = -(-taken.get(pool, 0) // step) * step
            taken[pool] = at + size
        for i, offset in block.offsets.items():
            buffers[i] = replace(buffers[i], fixed=(pool, at + offset))
    return replace(problem, buffers=tuple(buffers), blocks=())
