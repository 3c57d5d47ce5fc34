"""Buffers whose place is given: what has to hold before anything is placed around them."""

from __future__ import annotations

from ..errors import UsageError
from .first_fit import forbidden
from .problem import Problem


def check_fixed(problem: Problem) -> None:
    """Reject fixed buffers that no plan can honour.

    Raises:
        UsageError: a fixed buffer names no pool of the problem or a negative offset, or two of them share bytes that
            they may not share; names the buffers.
    """
    names = {pool.name for pool in problem.pools}
    given = {i: buffer.fixed for i, buffer in enumerate(problem.buffers) if buffer.fixed is not None}
    for index, (pool, offset) in given.items():
        name = problem.buffers[index].name
        if pool not in names:
            raise UsageError(f"buffer '{name}' is fixed in pool '{pool}', which does not exist")
        if offset < 0:
            raise UsageError(f"buffer '{name}' is fixed at offset {offset}, before its pool begins")
    for index, (pool, offset) in given.items():
        for other in problem.neighbours[index]:
            if other < index and other in given and given[other][0] == pool:
                first, end = forbidden(problem, index, other, given[other][1])
                if first <= offset < end:
                    a, b = problem.buffers[other].name, problem.buffers[index].name
                    raise UsageError(f"buffers '{a}' and '{b}' are fixed in pool '{pool}' so that they share bytes")
