"""Doubling in the constants instead of in every result.

The short form of a rescaling starts from twice the sum (`rescaling.records`): sums of doubled weights that start from
doubled biases are that already, in the same 32 bits even where sums wrap.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import BlockArgument
from xdsl.rewriter import Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.task import NestOp


def doublings(nest: NestOp) -> list[arith.MuliOp]:
    """Return what doubles the only sum of a nest at its end; none if anything but its sign is used of the sum itself.

    A sum that may be doubled has the sign of its double.
    """
    (*_, total) = nest.finish.block.args
    found: list[arith.MuliOp] = []
    for use in total.uses:
        match use.operation:
            case arith.MuliOp(lhs=BlockArgument(), rhs=factor) as op if const_evaluate_operand(factor) == 2:
                found.append(op)
            case arith.ShRSIOp(rhs=distance) if use.index == 0 and const_evaluate_operand(distance) == 31:
                pass
            case _:
                return []
    return found


def remove(found: list[arith.MuliOp]) -> None:
    """Let the sum be its double."""
    for op in found:
        op.result.replace_all_uses_with(op.lhs)
        Rewriter.erase_op(op)
