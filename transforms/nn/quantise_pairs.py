"""Elements that become reals and, by the same scale, elements again."""

from __future__ import annotations

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.nn.interfaces import element_type_of
from ...dialects.nn.quantise import DequantizeOp, QuantizeOp
from ...dialects.nn.quantised import is_scaled


class QuantizePairs(RewritePattern):
    """float32 holds every step of 16 bits: nothing is rounded on the way there and back."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        before = op.input.owner
        if not isinstance(before, DequantizeOp) or before.input.type != op.output.type:
            return
        same = before.scale == op.scale and before.zero_point == op.zero_point
        if same and is_scaled(element_type_of(op.output)):
            rewriter.replace(op, [], [before.input])
