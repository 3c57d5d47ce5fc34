"""The step `fold_zero_point`: what a zero point adds to sums of products is where these start.

`sum((x - z) * w)` is `sum(x * w) - z * sum(w)`, of which the last is known where `w` is a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Region
from xdsl.rewriter import Rewriter

from ....dialects.task import NestOp
from ....dialects.task.products import Factor, products
from ....dialects.task.rewrites import FoldZeroPoint
from ....dialects.task.syntax import Access
from ...constants import Constants, Numbers, Use, contributions, largest_sum, with_added
from ...constants.products import INT32_MAX
from .rewriting import Made, remade, rewrites


@rewrites(FoldZeroPoint)
def fold_zero_point(step: FoldZeroPoint, nest: NestOp, constants: Constants) -> Made:
    """Start from what is left, and multiply with elements as they are."""
    factors = products(nest)
    if factors is None:
        raise ValueError("the step is not a product of two narrow integers added to an i32")
    own = next((factor for factor in factors if factor.read == step.read), None)
    if own is None or not own.zero_point:
        raise ValueError(f"what the step reads as number {step.read} has no zero point")
    other = next(factor for factor in factors if factor is not own)
    reads = nest.accesses("step_reads")
    if any(access.clip for access in reads):
        raise ValueError("a read is clipped, so that the sum of the constant differs: peel first")
    starts, numbers = starts_of_elements(nest, own, other, constants)
    start = nest.start_reads[0]
    if start.has_one_use():
        constants.replace(start, starts, numbers)
        start = nest.start_reads[0]
    else:
        start = constants.add(start, starts, numbers, "folded")

    def change(group: str, number: int, access: Access) -> Access:
        return replace(access, buffer=start) if group == "start_reads" else access

    made = remade(nest, change=change)
    remove_zero_point(made.step, step.read)
    return Made([made])


def starts_of_elements(
    nest: NestOp, own: Factor, other: Factor, constants: Constants
) -> tuple[Sequence[Use], Sequence[Numbers]]:
    """From what sums start if elements count with their zero point.

    Args:
        nest: the nest.
        own: the factor that has the zero point.
        other: the constant that it is multiplied with.
        constants: of the module.

    Raises:
        ValueError: that is not known, or does not fit 32 bits.
    """
    constant = nest.accesses("step_reads")[other.read]
    uses = constants.uses(constant.buffer)
    if uses is None:
        raise ValueError("the other factor is no constant")
    channels = sorted(d for d in nest.dims_of(constant) if d < len(nest.space.data))
    values = [contributions(nest, other, channels, constants.values(use)) for use in uses]
    added = [-own.zero_point * each.sum(axis=1) for each in values]
    if any(np.abs(each).max(initial=0) > INT32_MAX for each in added):
        raise ValueError("what it adds to a sum does not fit 32 bits")
    found = with_added(nest, channels, [each.astype(np.int32) for each in added], constants)
    if found is None:
        raise ValueError("sums do not start from a constant for each channel")
    most = max(abs(extreme + own.zero_point) for extreme in own.extremes)
    if any(largest_sum(*both, most) > INT32_MAX for both in zip(values, found[1], strict=True)):
        raise ValueError("sums of elements as they are may leave 32 bits")
    return found


def remove_zero_point(step: Region, read: int) -> None:
    """Let the step multiply what it reads by that number as it is."""
    product = next(op for op in step.block.ops if isinstance(op, arith.MuliOp))
    (widened,) = (use.operation.results[0] for use in step.block.args[read].uses)
    for number, operand in enumerate(product.operands):
        if isinstance(less := operand.owner, arith.SubiOp | arith.AddiOp) and less.lhs is widened:
            product.operands[number] = widened
            if less.result.first_use is None:
                Rewriter.erase_op(less)
