"""Largest values of an index, from the bounds of the loops around it."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.ir import BlockArgument, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand


def most(value: SSAValue) -> int | None:
    """The largest value of an index that is not negative; None if it is not known."""
    number = const_evaluate_operand(value)
    if number is not None:
        return number
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        return _counter(loop) if value.index == 0 and isinstance(loop, scf.ForOp) else None
    match owner := value.owner:
        case arith.AddiOp():
            left, right = most(owner.lhs), most(owner.rhs)
            return None if left is None or right is None else left + right
        case arith.MuliOp():
            left, right = most(owner.lhs), most(owner.rhs)
            return None if left is None or right is None or min(left, right) < 0 else left * right
        case arith.MinSIOp():
            found = [bound for bound in (most(owner.lhs), most(owner.rhs)) if bound is not None]
            return min(found, default=None)
        case _:
            return None


def _counter(loop: scf.ForOp) -> int | None:
    """The last value of a loop's counter."""
    lower, upper, step = const_evaluate_operand(loop.lb), most(loop.ub), const_evaluate_operand(loop.step)
    if upper is None or step is None or step <= 0:
        return None
    if lower is None or const_evaluate_operand(loop.ub) is None:
        return upper - 1
    return lower + (upper - 1 - lower) // step * step if upper > lower else lower
