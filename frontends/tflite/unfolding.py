"""How large a model is once every subgraph stands where operators run it: what compiling it costs.

Branches and loops are compiled in place, so a file of a few operators can stand for millions: subgraphs that run two
others each double with every level.
"""

from __future__ import annotations

from ...errors import UnsupportedError
from .schema import Model

MOST_OPERATORS = 10_000
"""Operators that are compiled; the largest public models have some thousand."""

MOST_NESTED = 32
"""Levels of subgraphs within subgraphs; C compilers need not take more than 127 levels of blocks."""


def check_size(model: Model, subgraph: int) -> None:
    """Check what an entry unfolds to, without unfolding it.

    Args:
        model: whose subgraph indices are sound.
        subgraph: the entry.

    Raises:
        UnsupportedError: it is too large; says how large. Subgraphs that run themselves are left to the import.
    """
    sizes: dict[int, tuple[int, int]] = {}
    entered: set[int] = set()
    stack = [subgraph]
    while stack:
        index = stack[-1]
        operators = model.subgraphs[index].operators
        inner = [called for operator in operators for called in operator.subgraphs]
        waiting = [called for called in dict.fromkeys(inner) if called not in sizes and called not in entered]
        if index not in entered and waiting:
            entered.add(index)
            stack += waiting
            continue
        stack.pop()
        found = [sizes.get(called, (0, 0)) for called in inner]
        sizes[index] = (
            len(operators) + sum(count for count, _ in found),
            max((depth for _, depth in found), default=-1) + 1,
        )
    operators, depth = sizes[subgraph]
    remedy = "compile it in parts"
    if operators > MOST_OPERATORS:
        count = str(operators) if operators < 1 << 32 else f"over 2**{operators.bit_length() - 1}"
        raise UnsupportedError(
            f"{model.source} stands for {count} operators, with each subgraph in the place where it is run; at most "
            f"{MOST_OPERATORS} can be compiled",
            remedy=remedy,
        )
    if depth > MOST_NESTED:
        raise UnsupportedError(
            f"{model.source} has subgraphs nested {depth} deep; at most {MOST_NESTED} can be compiled", remedy=remedy
        )
