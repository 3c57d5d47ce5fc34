"""A margin of zeros becomes the padding of the convolution that reads it."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, i64
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.nn.attributes import ints
from ...dialects.nn.conv import Convolution
from ...dialects.nn.padding import PadOp


class PadIntoWindow(RewritePattern):
    """Taps outside of the input count as zero points, which is what the margin holds."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, Convolution) or not isinstance(pad := op.input.owner, PadOp):
            return
        before, after = ints(pad.before), ints(pad.after)
        if len(before) != 4 or any((before[0], after[0], before[3], after[3])) or not _holds_zeros(pad, op):
            return
        more = (before[1], after[1], before[2], after[2])
        pads = [own + margin for own, margin in zip(ints(op.pads), more, strict=True)]
        op.properties["pads"] = DenseArrayBase.from_list(i64, pads)
        op.operands[0] = pad.input
        rewriter.notify_op_modified(op)


def _holds_zeros(pad: PadOp, op: Convolution) -> bool:
    if isinstance(pad.value, FloatAttr):
        return pad.value.value.data == 0 and op.zero_points is None
    return op.zero_points is not None and pad.value.value.data == ints(op.zero_points)[0]
