"""A clamp becomes the fused activation of the operator before it."""

from __future__ import annotations

import math

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects import nn_keys
from ...dialects.nn.activation import ClampOp
from ...dialects.nn.attributes import ClampAttr, OriginAttr
from ...dialects.nn.interfaces import FusesClamp, element_type_of


class FuseActivations(RewritePattern):
    """Bounds of the one after the other are the first ones, brought into the second."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ClampOp, rewriter: PatternRewriter) -> None:
        producer = op.input.owner
        if not isinstance(producer, FusesClamp) or not producer.fuses_clamp() or op.input.has_more_than_one_use():
            return
        first = producer.properties.get("clamp")
        if element_type_of(op.input) != element_type_of(op.output) or not isinstance(first, ClampAttr | None):
            return
        producer.properties["clamp"] = composed(first, op.clamp)
        rewriter.notify_op_modified(producer)
        _take_name(producer, op)
        rewriter.replace(op, [], [op.input])


def _take_name(producer: Operation, op: ClampOp) -> None:
    """The producer now makes the tensor of the clamp."""
    origin, last = nn_keys.ORIGIN.get(producer.attributes), nn_keys.ORIGIN.get(op.attributes)
    if origin is not None and last is not None:
        nn_keys.ORIGIN.put(producer.attributes, OriginAttr(origin.index, origin.opcode, last.tensor))
    producer.results[0].name_hint = op.output.name_hint or producer.results[0].name_hint


def composed(first: ClampAttr | None, second: ClampAttr) -> ClampAttr:
    """The clamp that does what two do in a row."""
    lower, upper = (-math.inf, math.inf) if first is None else first.bounds
    least, most = second.bounds
    return ClampAttr.get(min(max(lower, least), most), min(max(upper, least), most))
