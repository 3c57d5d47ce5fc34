"""The pass `lower-affine-to-scf`: affine loops, branches, accesses and maps become `scf`, `memref` and `arith`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import affine, memref, scf, vector
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...dialects.upstream.affine import MaxOp
from ...dialects.upstream.memref import RMW_KINDS
from . import affine_expressions as expressions
from .combine import combine, neutral
from .nest import nest
from .rewriting import rewrite


def _before(op: Operation) -> Builder:
    return Builder(InsertPoint.before(op))


class LowerAccess(RewritePattern):
    """Loads and stores, of scalars and of vectors."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        indices = expressions.results(_before(op), op.map.data, op.indices)
        match op:
            case affine.LoadOp():
                made = memref.LoadOp.get(op.memref, indices)
            case affine.StoreOp():
                made = memref.StoreOp.get(op.value, op.memref, indices)
            case affine.VectorLoadOp():
                made = vector.LoadOp(op.memref, indices, op.result.type)
            case affine.VectorStoreOp():
                made = vector.StoreOp(op.value, op.memref, indices)
        made.location = op.location
        rewriter.replace(op, made)


class LowerMap(RewritePattern):
    """`apply`, `min`, `max`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: affine.ApplyOp | affine.MinOp | MaxOp, rewriter: PatternRewriter, /) -> None:
        build = _before(op)
        values = expressions.results(build, op.map.data, op.operands)
        match op:
            case affine.ApplyOp():
                value = values[0]
            case affine.MinOp():
                value = expressions.smallest(build, values)
            case MaxOp():
                value = expressions.largest(build, values)
        rewriter.replace(op, [], [value])


class LowerFor(RewritePattern):
    """Loops, whose bounds are the largest and the smallest results of their maps."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: affine.ForOp, rewriter: PatternRewriter, /) -> None:
        build = _before(op)
        lower = expressions.largest(build, expressions.results(build, op.lowerBoundMap.data, op.lowerBoundOperands))
        upper = expressions.smallest(build, expressions.results(build, op.upperBoundMap.data, op.upperBoundOperands))
        step = expressions.constant(build, op.step.value.data)
        body = rewriter.move_region_contents_to_new_regions(op.body)
        _yield(body.block, rewriter)
        loop = scf.ForOp(lower, upper, step, op.inits, body)
        loop.location = op.location
        rewriter.replace(op, loop)


class LowerIf(RewritePattern):
    """Branches."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: affine.IfOp, rewriter: PatternRewriter, /) -> None:
        condition = expressions.holds(_before(op), op.condition.data, op.args)
        then, otherwise = (rewriter.move_region_contents_to_new_regions(region) for region in op.regions)
        for region in (then, otherwise):
            if region.blocks:
                _yield(region.block, rewriter)
        made = scf.IfOp(condition, op.res.types, then, otherwise)
        made.location = op.location
        rewriter.replace(op, made)


class LowerParallel(RewritePattern):
    """Parallel loops, one after the other; what they reduce goes through them as a loop-carried value."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: affine.ParallelOp, rewriter: PatternRewriter, /) -> None:
        build = _before(op)
        lower = self._bounds(build, op, expressions.largest, op.lowerBoundsMap.data, op.lowerBoundsGroups, 0)
        taken = op.lowerBoundsMap.data.num_dims + op.lowerBoundsMap.data.num_symbols
        upper = self._bounds(build, op, expressions.smallest, op.upperBoundsMap.data, op.upperBoundsGroups, taken)
        steps = [expressions.constant(build, step.value.data) for step in op.steps]
        kinds = [_kind(kind) for kind in op.reductions]
        initial = [neutral(build, kind, type_) for kind, type_ in zip(kinds, op.res.types, strict=True)]
        source = rewriter.move_region_contents_to_new_regions(op.body).block
        nested = nest(build, list(zip(lower, upper, steps, strict=True)), initial, source, op)
        last = nested.block.last_op
        assert isinstance(last, affine.YieldOp), "a parallel loop ends in affine.yield"
        inner = Builder(InsertPoint.before(last))
        passed = [
            combine(inner, kind, carried, new)
            for kind, carried, new in zip(kinds, nested.carried, last.arguments, strict=True)
        ]
        rewriter.replace(last, scf.YieldOp(*passed))
        rewriter.replace(op, [], nested.results)

    @staticmethod
    def _bounds(
        build: Builder, op: affine.ParallelOp, choose: Callable[..., SSAValue], map: Any, groups: Any, begin: int
    ) -> list[SSAValue]:
        values = expressions.results(build, map, op.map_operands[begin : begin + map.num_dims + map.num_symbols])
        bounds: list[SSAValue] = []
        for size in groups.get_values():
            bounds.append(choose(build, values[:size]))
            values = values[size:]
        return bounds


def _kind(kind: Attribute) -> str:
    if isinstance(kind, StringAttr):
        return kind.data
    return RMW_KINDS[cast("IntegerAttr", kind).value.data]


def _yield(block: Block, rewriter: PatternRewriter) -> None:
    """End a block in `scf.yield`."""
    last = block.last_op
    if isinstance(last, affine.YieldOp):
        rewriter.replace(last, scf.YieldOp(*last.arguments))
    elif not isinstance(last, scf.YieldOp):
        block.add_op(scf.YieldOp())


@dataclass(frozen=True)
class LowerAffineToScfPass(ModulePass):
    """Lower `affine` to `scf`, `memref`, `vector` and `arith`."""

    name: ClassVar[str] = "lower-affine-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        patterns = (LowerAccess(), LowerMap(), LowerFor(), LowerIf(), LowerParallel())
        rewrite(op, patterns, lambda inner: inner.name.startswith("affine."))
