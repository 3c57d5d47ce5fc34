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
    """The problem with its blocks at fixed places.

    Where an end is named blocks share bytes if their parts' lives let them: an output grows from the start over what
    an input that ends there leaves from below.

    Args:
        problem: with blocks.
        ends: for pools that are named the blocks lie below so many bytes, the first on top, or above if they do not
            fit; those whose parts are born one by one lie from the start, as all do in pools that are not named.
    """
    buffers = list(problem.buffers)
    taken: dict[tuple[str, bool], int] = {}
    fixed: set[int] = set()
    is_last = {
        id(block): _pool(problem, block) in ends and not _is_born_by_parts(problem, block) for block in problem.blocks
    }
    for block in sorted(problem.blocks, key=lambda block: is_last[id(block)]):
        pool, step = _pool(problem, block), problem.buffers[block.first].alignment
        key = pool, is_last[id(block)]
        if is_last[id(block)]:
            at = max(0, (ends[pool] - taken.get(key, 0) - extent(problem, block)) // step * step)
            at = _raised(
                problem, block, at, {i: found[1] for i in fixed if (found := buffers[i].fixed) and found[0] == pool}
            )
            taken[key] = ends[pool] - at
        else:
            at = -(-taken.get(key, 0) // step) * step
            taken[key] = at + extent(problem, block)
        for i, offset in block.offsets.items():
            buffers[i] = replace(buffers[i], fixed=(pool, at + offset))
        fixed |= block.offsets.keys()
    return replace(problem, buffers=tuple(buffers), blocks=())


def _pool(problem: Problem, block: Block) -> str:
    (pool,) = problem.candidates(block.first)
    return pool


def _is_born_by_parts(problem: Problem, block: Block) -> bool:
    return len({problem.buffers[i].ranges[0][0] for i in block.offsets}) > 1


def _raised(problem: Problem, block: Block, at: int, places: Mapping[int, int]) -> int:
    """The least place from `at` on at which a block shares no byte with what is live with it."""
    step = problem.buffers[block.first].alignment
    rivals = [
        (offset, problem.buffers[i].size, places[j], places[j] + problem.buffers[j].size)
        for i, offset in block.offsets.items()
        for j in problem.neighbours[i]
        if j in places
    ]
    while True:
        least = max(
            (end - offset for offset, size, first, end in rivals if at + offset < end and first < at + offset + size),
            default=at,
        )
        if least <= at:
            return at
        at = -(-least // step) * step
