"""Operations that change nothing, or nothing but the shape."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.nn.activation import ClampOp
from ...dialects.nn.attributes import RescaleAttr, ints
from ...dialects.nn.integers import integer_range
from ...dialects.nn.interfaces import element_type_of, shape_of, tensor_type
from ...dialects.nn.movement import Movement, Walk
from ...dialects.nn.quantise import CastOp, RescaleOp
from ...dialects.nn.quantised import is_scaled
from ...dialects.nn.rearrange import TransposeOp
from ...dialects.nn.shape import ReshapeOp

ONE = RescaleAttr.get([1 << 30], [1])
"""The factor of exactly 1."""


class MovementInPlace(RewritePattern):
    """A movement that leaves every element where it is, in row-major order, is a reshape."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, Movement) or len(op.results) != 1:
            return
        boxes = op.boxes()
        if len(boxes) != 1 or boxes[0].source is None:
            return
        box, source = boxes[0].simplified(), op.operands[boxes[0].operand]
        elements = math.prod(shape_of(source))
        dense = Walk(0, (1,)) if elements > 1 else Walk(0, ())
        if box.source == box.target == dense and math.prod(box.extents) == elements:
            rewriter.replace(op, ReshapeOp(source, _static(op)))


class ReshapeOfReshape(RewritePattern):
    """Only the last of several shapes counts; none if it is the first one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        if op.input.type == op.output.type:
            rewriter.replace(op, [], [op.input])
        elif isinstance(op.input.owner, ReshapeOp):
            rewriter.replace(op, ReshapeOp(op.input.owner.input, _static(op)))


class TransposeOfTranspose(RewritePattern):
    """Two permutations are one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        inner = op.input.owner
        if isinstance(inner, TransposeOp):
            first = ints(inner.permutation)
            rewriter.replace(op, TransposeOp(inner.input, [first[axis] for axis in ints(op.permutation)]))


class FullClamp(RewritePattern):
    """A clamp to all that the type has changes nothing."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ClampOp, rewriter: PatternRewriter) -> None:
        element = element_type_of(op.output)
        if is_scaled(element) and op.clamp.bounds == integer_range(element):
            rewriter.replace(op, [], [op.input])


class SameCast(RewritePattern):
    """A conversion to the same type changes nothing."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CastOp, rewriter: PatternRewriter) -> None:
        if op.input.type == op.output.type:
            rewriter.replace(op, [], [op.input])


class RescaleByOne(RewritePattern):
    """Elements of 8 or 16 bits that keep scale and zero point are only clamped."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RescaleOp, rewriter: PatternRewriter) -> None:
        from_zero, to_zero = ints(op.zero_points)
        same = op.input.type == op.output.type and from_zero == to_zero
        if same and op.rescale == ONE and is_scaled(element_type_of(op.output)):
            rewriter.replace(op, ClampOp(op.input, op.clamp, _static(op)))


def _static(op: Operation) -> TensorType:
    return tensor_type(op.results[0])
