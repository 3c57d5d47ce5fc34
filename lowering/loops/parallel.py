"""The pass `lower-parallel-to-for`: `scf.parallel` becomes loops in the order of its dimensions, on one processor.

What it reduces is carried through them; atomic updates are plain ones there. Loops that compare without sign become
ones that compare with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import PassFailedException

from ...dialects.upstream.scf import UNSIGNED
from .atomic import LowerAtomicUpdate
from .nest import nest
from .rewriting import rewrite


class LowerParallel(RewritePattern):
    """A parallel loop, with the regions of its `scf.reduce` in the innermost block."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ParallelOp, rewriter: PatternRewriter, /) -> None:
        bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))
        source = rewriter.move_region_contents_to_new_regions(op.body).block
        nested = nest(Builder(InsertPoint.before(op)), bounds, op.initVals, source, op)
        last = nested.block.last_op
        assert isinstance(last, scf.ReduceOp), "a parallel loop ends in scf.reduce"
        passed: list[SSAValue] = []
        for carried, new, region in zip(nested.carried, last.args, last.reductions, strict=True):
            block = region.block
            ending = block.last_op
            assert isinstance(ending, scf.ReduceReturnOp), "a reduction ends in scf.reduce.return"
            result = ending.result
            rewriter.erase(ending)
            # The reduction may return one of its arguments, which goes away with the block.
            stands_for: dict[SSAValue, SSAValue] = {block.args[0]: carried, block.args[1]: new}
            passed.append(stands_for.get(result, result))
            rewriter.inline_block(block, InsertPoint.before(last), [carried, new])
        rewriter.replace(last, scf.YieldOp(*passed))
        rewriter.replace(op, [], nested.results)


class CompareWithSign(RewritePattern):
    """An unsigned loop whose bounds are known not to be negative; others are refused, for C would need wider types."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        if UNSIGNED not in op.properties:
            return
        if not all(map(_is_natural, (op.lb, op.ub, op.step))):
            raise PassFailedException(
                f"'{op.name}' op compares without sign and its bounds are not known to be positive numbers of "
                f"{'index' if isinstance(op.lb.type, IndexType) else op.lb.type}; make them constants"
            )
        del op.properties[UNSIGNED]
        rewriter.notify_op_modified(op)


def _is_natural(value: SSAValue) -> bool:
    number = const_evaluate_operand(value)
    return number is not None and number >= 0


@dataclass(frozen=True)
class LowerParallelToForPass(ModulePass):
    """Lower `scf.parallel` and `scf.for unsigned` to `scf.for`, `memref.atomic_rmw` to a load and a store."""

    name: ClassVar[str] = "lower-parallel-to-for"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, (LowerParallel(), CompareWithSign(), LowerAtomicUpdate()), _is_lowered)


def _is_lowered(op: Operation) -> bool:
    return isinstance(op, (scf.ParallelOp, memref.AtomicRMWOp)) or UNSIGNED in op.properties
