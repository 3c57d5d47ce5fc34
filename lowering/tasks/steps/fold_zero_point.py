"""The step `fold_zero_point`: what a zero point adds to sums of products is where these start.

`sum((x - z) * w)` is `sum(x * w) - z * sum(w)`, of which the last is known where `w` is a constant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects import arith
from xdsl.ir import Region
from xdsl.rewriter import Rewriter

from ....dialects.task import NestOp
from ....dialects.task.products import products
from ....dialects.task.step import Count, Rewrite
from ...constants import Constants, starts_of_elements
from .rewriting import Made, remade, rewrites


@dataclass(frozen=True)
class FoldZeroPoint(Rewrite):
    """A zero point of a factor of products is taken off what the sums start from, not off each element.

    The other factor is a constant, and so is what the sums start from.
    """

    read: Count
    """Number of the factor among what the step reads."""


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
    uses, starts = starts_of_elements(nest, own, other, constants)
    start = constants.put(nest.start_reads[0], uses, starts, "folded")
    start_reads = [replace(access, buffer=start) for access in nest.accesses("start_reads")]
    made = remade(nest, accesses={"start_reads": start_reads})
    remove_zero_point(made.step, step.read)
    return Made([made])


def remove_zero_point(step: Region, read: int) -> None:
    """Let the step multiply what it reads by that number as it is."""
    product = next(op for op in step.block.ops if isinstance(op, arith.MuliOp))
    (widened,) = (use.operation.results[0] for use in step.block.args[read].uses)
    for number, operand in enumerate(product.operands):
        if isinstance(less := operand.owner, arith.SubiOp | arith.AddiOp) and less.lhs is widened:
            product.operands[number] = widened
            if less.result.first_use is None:
                Rewriter.erase_op(less)
