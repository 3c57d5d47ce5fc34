"""Tensors with a margin: `nn.pad`, `nn.mirror_pad`."""

from __future__ import annotations

import abc
import itertools
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, TensorType, UnitAttr, i64
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Properties, Value, flag, integers
from .attributes import ints
from .interfaces import element_type_of, expect_length, expect_shape, shape_of
from .movement import Box, Movement, Walk
from .signature import SIGNATURE, FromTensor


class Padding(FromTensor, Movement, abc.ABC):
    """Base: a margin of `before[d]` and `after[d]` elements around dimension d."""

    before = prop_def(DenseArrayBase.constr(i64))
    after = prop_def(DenseArrayBase.constr(i64))

    def __init__(
        self,
        input: Value,
        before: Sequence[int],
        after: Sequence[int],
        output_type: TensorType,
        properties: Properties,
    ):
        margins = {"before": integers(before, i64), "after": integers(after, i64)}
        super().__init__(input, output_type, {**margins, **properties})

    def verify_(self) -> None:
        shape = shape_of(self.input)
        expect_length(self, "before", len(self.before), len(shape))
        expect_length(self, "after", len(self.after), len(shape))
        before, after = ints(self.before), ints(self.after)
        if min((*before, *after), default=0) < 0:
            raise VerifyException(f"'{self.name}' op margins must not be negative")
        expect_shape(
            self, "result", shape_of(self.output), [a + b + c for a, b, c in zip(before, shape, after, strict=True)]
        )
        self.verify_elements()


@irdl_op_definition
class PadOp(Padding):
    """A margin of one value (TFLite `reference_ops::Pad`)."""

    name = "nn.pad"
    value = prop_def(IntegerAttr | FloatAttr)
    """Value of the margin, in the result's element type."""
    assembly_format = "$input `before` $before `after` $after `value` $value" + SIGNATURE

    def __init__(
        self,
        input: Value,
        before: Sequence[int],
        after: Sequence[int],
        value: IntegerAttr | FloatAttr,
        output_type: TensorType,
    ):
        super().__init__(input, before, after, output_type, {"value": value})

    @property
    def fill(self) -> int | float:
        return self.value.value.data

    def boxes(self) -> Sequence[Box]:
        inner, outer = shape_of(self.input), shape_of(self.output)
        before = ints(self.before)
        boxes = [Box(inner, Walk.through(outer, before), Walk.through(inner))]
        for d in range(len(outer)):
            # Inside the input's range in the dimensions before, all over in those behind.
            for begin, extent in ((0, before[d]), (before[d] + inner[d], ints(self.after)[d])):
                if extent:
                    first = [*before[:d], begin, *(0,) * (len(outer) - d - 1)]
                    boxes.append(Box((*inner[:d], extent, *outer[d + 1 :]), Walk.through(outer, first), None))
        return boxes

    def verify_(self) -> None:
        super().verify_()
        if self.value.type != element_type_of(self.output):
            raise VerifyException(f"'{self.name}' op value must have the element type {element_type_of(self.output)}")


@irdl_op_definition
class MirrorPadOp(Padding):
    """A margin that mirrors the input, with its edge (symmetric) or without (TFLite `mirror_pad.cc`)."""

    name = "nn.mirror_pad"
    symmetric = opt_prop_def(UnitAttr)
    """Whether the element at the edge is repeated."""
    assembly_format = "$input `before` $before `after` $after (`symmetric` $symmetric^)?" + SIGNATURE

    def __init__(
        self, input: Value, before: Sequence[int], after: Sequence[int], *, symmetric: bool, output_type: TensorType
    ):
        super().__init__(input, before, after, output_type, {"symmetric": flag(symmetric)})

    def boxes(self) -> Sequence[Box]:
        inner, outer = shape_of(self.input), shape_of(self.output)
        skip = 0 if self.symmetric is not None else 1
        # Along each dimension: (first place in the result, extent, first place in the input, step in the input).
        pieces = [
            [
                piece
                for piece in (
                    (0, before, before - 1 + skip, -1),
                    (before, extent, 0, 1),
                    (before + extent, after, extent - 1 - skip, -1),
                )
                if piece[1]
            ]
            for before, extent, after in zip(ints(self.before), inner, ints(self.after), strict=True)
        ]
        return [
            Box(
                tuple(extent for _, extent, _, _ in choice),
                Walk.through(outer, [first for first, _, _, _ in choice]),
                Walk.through(inner, [first for _, _, first, _ in choice], [step for _, _, _, step in choice]),
            )
            for choice in itertools.product(*pieces)
        ]

    def verify_(self) -> None:
        super().verify_()
        skip = 0 if self.symmetric is not None else 1
        for extent, before, after in zip(shape_of(self.input), ints(self.before), ints(self.after), strict=True):
            if max(before, after) > extent - skip:
                raise VerifyException(f"'{self.name}' op margin is wider than what it mirrors")
