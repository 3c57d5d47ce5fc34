"""The pass `nn-split-heads`: what is computed of a concatenation is computed of its pieces, where rows follow.

Detectors put the heads of several sizes after each other and then make reals or scores of all. Row by row each head
goes that way by itself: only the last tensor is whole, and the pieces can be born in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.rewriter import Rewriter

from ...dialects.nn.interfaces import Elementwise, element_type_of, shape_of
from ...dialects.nn.joining import ConcatOp
from ...dialects.nn.shape import ReshapeOp
from ...dialects.nn.softmax import SoftmaxOp


class SplitHeads(RewritePattern):
    """An operator of one element, of the last dimension or of nothing but the shape moves before the concatenation."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, Elementwise | SoftmaxOp | ReshapeOp) or len(op.operands) != 1 or len(op.results) != 1:
            return
        joined, result = op.operands[0].owner, op.results[0]
        if not isinstance(joined, ConcatOp) or not joined.output.has_one_use() or not _is_leading(joined):
            return
        axis = joined.axis.value.data
        if isinstance(op, SoftmaxOp) and axis == len(shape_of(result)) - 1:
            return
        shapes = [shape_of(piece) for piece in joined.pieces]
        if isinstance(op, ReshapeOp):
            found = _reshaped(shapes, shape_of(result))
            if found is None:
                return
            axis, shapes = found
        if isinstance(op, Elementwise) and shape_of(result) != shape_of(joined.output):
            return
        made = [
            _of_piece(op, piece, TensorType(element_type_of(result), shape))
            for piece, shape in zip(joined.pieces, shapes, strict=True)
        ]
        whole = ConcatOp([one.results[0] for one in made], axis, TensorType(element_type_of(result), shape_of(result)))
        whole.attributes |= joined.attributes
        whole.output.name_hint = result.name_hint
        rewriter.replace(op, [*made, whole])
        rewriter.erase(joined)


def _is_leading(joined: ConcatOp) -> bool:
    """Whether the pieces lie after each other in memory."""
    return math.prod(shape_of(joined.output)[: joined.axis.value.data]) == 1


def _reshaped(pieces: Sequence[Sequence[int]], shape: Sequence[int]) -> tuple[int, list[tuple[int, ...]]] | None:
    """The axis along which pieces lie in another shape of the whole, and their shapes then; None if there is none."""
    axis = next((d for d, extent in enumerate(shape) if extent != 1), 0)
    inside = math.prod(shape[axis + 1 :])
    if not shape or not inside or any(math.prod(piece) % inside for piece in pieces):
        return None
    return axis, [(*shape[:axis], math.prod(piece) // inside, *shape[axis + 1 :]) for piece in pieces]


def _of_piece(op: Operation, piece: SSAValue, type: TensorType) -> Operation:
    made = op.clone({op.operands[0]: piece})
    Rewriter.replace_value_with_new_type(made.results[0], type)
    return made


@dataclass(frozen=True)
class NnSplitHeadsPass(ModulePass):
    """Move operators of concatenations to their pieces; bits stay, functions become more."""

    name: ClassVar[str] = "nn-split-heads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(SplitHeads()).rewrite_module(op)
