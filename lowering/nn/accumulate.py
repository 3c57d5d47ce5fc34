"""Multiply-accumulate of convolutions and matrix products: its start, its step and its end."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ...dialects.nn import ConstantOp, Conv2DOp, RescaleAttr
from ...dialects.nn.accumulate import Accumulate, Hybrid
from ...dialects.nn.interfaces import element_type_of
from ...dialects.nn.quantised_sums import QuantisedSums
from .hybrid import multiply_add
from .kernel import Kernel
from .nest import Nest, Place
from .requantise import RealRequantiser, Requantiser, clamp_float, largest_magnitude
from .storage import UI8

ELEMENTS = (i8, UI8, i16, i32, i64, f32)
"""Element types of operands and results; i32 and i64 are those of biases."""


@dataclass(frozen=True)
class Factor:
    """One factor of the products."""

    at: Sequence[Place]
    clip: bool = False
    """Whether points outside of the tensor are left out of the sum."""


class Accumulator(abc.ABC):
    """The arithmetic of one operator of the family; its operands and result are memrefs of the operator's shapes."""

    def __init__(self, k: Kernel, op: Accumulate):
        self._k = k
        self._op = op
        self._input = k.input(op.input, "input")
        self._filter = k.input(op.filter, "filter")
        self._bias = None if op.bias is None else k.input(op.bias, "bias")
        self._output = k.output(op.output)

    @staticmethod
    def of(k: Kernel, op: Accumulate, products: int) -> Accumulator:
        """The float32, the quantised or the hybrid arithmetic; at most `products` products go into one result."""
        if op.hybrid is not None:
            return HybridAccumulator(k, op, op.hybrid, products)
        if op.quantised is not None:
            return QuantisedAccumulator(k, op, op.quantised, products)
        return FloatAccumulator(k, op)

    def build(self, nest: Nest, *, input: Factor, filter: Factor, channel: Place, output: Sequence[Place]) -> None:
        """Complete a nest that folds products of an input and a filter element.

        Args:
            nest: its fold runs over the products of one result.
            input: where the input elements lie, in the input's shape.
            filter: where the filter elements lie.
            channel: the output channel, for what is known by channel.
            output: where the result lies.
        """
        k = self._k

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            value = k.load(self._input, input.at, "value", clip=input.clip)
            weight = k.load(self._filter, filter.at, "weight", clip=filter.clip)
            return [self._multiply_add(state[0], value, weight, input.at[0])]

        def finish(state: list[SSAValue]) -> None:
            k.store(self._result(state[0], channel, output[0]), self._output, output)

        nest.build(lambda: [self._start(channel)], step, finish, ordered=self.ORDERED)

    ORDERED: ClassVar[bool] = False
    """Whether the sum depends on the order of its terms."""

    @abc.abstractmethod
    def _start(self, channel: Place) -> SSAValue:
        """The accumulator before the first product."""

    @abc.abstractmethod
    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, row: Place) -> SSAValue:
        """The accumulator after one more product."""

    @abc.abstractmethod
    def _result(self, acc: SSAValue, channel: Place, row: Place) -> SSAValue:
        """The result element for a sum."""


class FloatAccumulator(Accumulator):
    """Sums from 0 and adds the bias last, as TensorFlow Lite's reference kernels do."""

    ORDERED = True

    def _start(self, channel: Place) -> SSAValue:
        return self._k.floating(0.0)

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, row: Place) -> SSAValue:
        return self._k.addf(acc, self._k.mulf(value, weight), "acc")

    def _result(self, acc: SSAValue, channel: Place, row: Place) -> SSAValue:
        if self._bias is not None:
            acc = self._k.addf(acc, self._k.load(self._bias, [channel]))
        return clamp_float(self._k, acc, self._op.clamp)


class HybridAccumulator(FloatAccumulator):
    """Sums int8 products in int32 and goes to floats then; slices of the input have their own scales."""

    ORDERED = False

    def __init__(self, k: Kernel, op: Accumulate, hybrid: Hybrid, products: int):
        super().__init__(k, op)
        zero_points, scales = hybrid.row_zero_points, hybrid.filter_scales
        self._row_scales = k.input(hybrid.row_scales, "row_scales")
        self._row_zero_points = None if zero_points is None else k.input(zero_points, "row_zero_points")
        self._filter_scale = k.floating(scales[0])
        self._filter_scales = None if len(scales) == 1 else k.table(np.array(scales, np.float32), "scale")
        self._products = products

    def _start(self, channel: Place) -> SSAValue:
        return self._k.value(0, i32)

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, row: Place) -> SSAValue:
        k = self._k
        zero_point = 0 if self._row_zero_points is None else k.load(self._row_zero_points, [row], "zero_point")
        return multiply_add(k, acc, value, weight, zero_point, self._products)

    def _result(self, acc: SSAValue, channel: Place, row: Place) -> SSAValue:
        k = self._k
        filter_scale = self._filter_scale if self._filter_scales is None else k.load(self._filter_scales, [channel])
        row_scale = k.load(self._row_scales, [row])
        if isinstance(self._op, Conv2DOp) and self._row_zero_points is not None:
            # This kernel of the reference multiplies by one scale after the other.
            product = k.mulf(k.mulf(k.to_float(acc), filter_scale), row_scale)
        else:
            scale = k.mulf(row_scale, filter_scale, "scale")
            product = k.mulf(k.to_float(acc), scale)
        return super()._result(product, channel, row)


class QuantisedAccumulator(Accumulator):
    """Sums in int32 or int64 from the bias.

    Additions are marked as not overflowing only where the ranges of the elements, the number of products and the
    constant bias prove it; others wrap.
    """

    def __init__(self, k: Kernel, op: Accumulate, quantised: QuantisedSums, products: int):
        super().__init__(k, op)
        product = largest_magnitude(element_type_of(op.input), quantised.input_zero_point) * largest_magnitude(
            element_type_of(op.filter), quantised.filter_zero_point
        )
        self._quantised = quantised
        self._type = quantised.accumulator
        self._bound = min(products * product + largest_bias(op.bias), 1 << (self._type.width.data - 1))
        to_output = quantised.output_zero_point, quantised.clamp, element_type_of(op.output)
        self._requantiser = (
            Requantiser(k, quantised.factor, *to_output, self._type)
            if isinstance(quantised.factor, RescaleAttr)
            else RealRequantiser(quantised.factor, *to_output)
        )

    def _start(self, channel: Place) -> SSAValue:
        return self._k.value(0, self._type) if self._bias is None else self._k.load(self._bias, [channel], "acc")

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, row: Place) -> SSAValue:
        k, quantised = self._k, self._quantised
        product = k.mul(
            k.sub(k.extend(value), quantised.input_zero_point), k.sub(k.extend(weight), quantised.filter_zero_point)
        )
        wide, wraps = k.extend(product, self._type), self._bound >> (self._type.width.data - 1) > 0
        return k.add(acc, wide, "acc", wraps=wraps)

    def _result(self, acc: SSAValue, channel: Place, row: Place) -> SSAValue:
        if element_type_of(self._op.output) == self._type:
            return acc
        return self._requantiser.apply(self._k, acc, channel, self._bound)


def largest_bias(bias: SSAValue | None) -> int:
    """The largest magnitude of a bias; 2**63 if it is known at run time only."""
    if bias is None:
        return 0
    if not isinstance(bias.owner, ConstantOp):
        return 2**63
    return max((abs(int(value)) for value in bias.owner.array.flat), default=0)
