"""A model that is too long for a screen."""

from __future__ import annotations

from stillpool.targets.interfaces.description import Buffer, Constants, Description, Operator, Pool


def long_model(count: int) -> Description:
    """A chain of `count` operators: each output lives until the next operator has run."""
    operators = tuple(Operator(index, index, "ADD", f"t{index}", 0, f"f{index}") for index in range(count))
    buffers = tuple(
        Buffer(f"t{i}", "activation", "sram", 4096 * (i % 2), 4096 if i == 77 else 1024, i, min(i + 1, count - 1))
        for i in range(count)
    )
    pool = Pool("sram", "sram", "workspace", 8192, 16, size_limit=10000)
    return Description("long", "long", (), (), (pool,), buffers, operators, (), Constants())
