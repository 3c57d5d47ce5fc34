"""Floats quantised by rows while the model runs, and their products with int8 weights.

Source: TensorFlow Lite `tensor_utils::PortableSymmetricQuantizeFloats`, `PortableAsymmetricQuantizeFloats`,
`PortableMatrixBatchVectorMultiplyAccumulate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from xdsl.dialects.arith import ExtFOp, TruncFOp
from xdsl.dialects.builtin import f32, f64, i8, i32
from xdsl.dialects.math import AbsFOp
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.nn import ConstantOp
from ..builder import Value
from .kernel import Kernel
from .requantise import fits_int32, saturated_integer

_LOWEST, _HIGHEST = -128, 127

Load = Callable[[Value], SSAValue]
"""The element of a row at an index."""


End: TypeAlias = Callable[[Kernel, SSAValue, SSAValue], SSAValue]
"""From an element and what was found before, which begins with 0, to an end of the range of both."""


def _largest_magnitude(k: Kernel, value: SSAValue, found: SSAValue) -> SSAValue:
    return _largest(k, k.emit(AbsFOp(value)), found)


def _largest(k: Kernel, value: SSAValue, found: SSAValue) -> SSAValue:
    return k.select(k.comparef("olt", found, value), value, found, "extreme")


def _least(k: Kernel, value: SSAValue, found: SSAValue) -> SSAValue:
    return k.select(k.comparef("ogt", found, value), value, found, "extreme")


def ends(*, asymmetric: bool) -> Sequence[End]:
    """Return what must be known of a row before its elements can be quantised."""
    return (_least, _largest) if asymmetric else (_largest_magnitude,)


@dataclass(frozen=True)
class RowQuantisation:
    """Quantisation of one row."""

    scale: SSAValue
    inverse: SSAValue
    """Factor that elements are multiplied with."""
    zero_point: SSAValue | None
    """None in the symmetric form, where it is 0."""

    @staticmethod
    def of(k: Kernel, length: int, load: Load, *, asymmetric: bool) -> RowQuantisation:
        """From the range of the row's elements."""
        found = [
            k.reduce("i", 0, length, k.floating(0.0), lambda i, last, end=end: end(k, load(i), last), "extreme")
            for end in ends(asymmetric=asymmetric)
        ]
        return RowQuantisation.within(k, found)

    @staticmethod
    def within(k: Kernel, found: Sequence[SSAValue]) -> RowQuantisation:
        """From what was found for `ends`."""
        return _symmetric(k, found[0]) if len(found) == 1 else _asymmetric(k, *found)

    def apply(self, k: Kernel, value: SSAValue) -> SSAValue:
        """An element as int8."""
        return quantised(k, value, self.inverse, self.zero_point)


def quantised(k: Kernel, value: SSAValue, inverse: SSAValue, zero_point: SSAValue | None) -> SSAValue:
    """An element as int8, from the inverse of the scale; without a zero point in the symmetric form."""
    steps = k.mulf(value, inverse)
    if zero_point is None:
        return k.narrow(saturated_integer(k, k.round_half_away(steps), -_HIGHEST, _HIGHEST), i8)
    rounded = k.round_half_away(k.addf(k.to_float(zero_point), steps))
    return k.narrow(saturated_integer(k, rounded, _LOWEST, _HIGHEST), i8)


def _symmetric(k: Kernel, largest: SSAValue) -> RowQuantisation:
    one, steps = k.floating(1.0), k.floating(float(_HIGHEST))
    is_zero = k.comparef("oeq", largest, k.floating(0.0))
    scale = k.select(is_zero, one, k.divf(largest, steps), "scale")
    return RowQuantisation(scale, k.divf(steps, k.select(is_zero, one, largest)), None)


def _asymmetric(k: Kernel, least: SSAValue, most: SSAValue) -> RowQuantisation:
    """Return the more precise one of the two zero points that fit the ends.

    The range's width is a float32, all else in double.
    """
    width = k.emit(ExtFOp(k.subf(most, least), f64))
    least, most = (k.emit(ExtFOp(value, f64)) for value in (least, most))
    one = k.floating(1.0, f64)
    is_zero = k.comparef("oeq", least, most)
    spread = k.select(is_zero, one, width)
    exact = k.divf(spread, k.floating(float(_HIGHEST - _LOWEST), f64))
    candidates: list[SSAValue] = []
    errors: list[SSAValue] = []
    for end, bound in ((least, _LOWEST), (most, _HIGHEST)):
        steps = k.divf(end, exact)
        candidates.append(k.subf(k.floating(float(bound), f64), steps))
        errors.append(k.addf(k.floating(float(abs(bound)), f64), k.emit(AbsFOp(steps))))
    nearer = k.select(k.comparef("olt", errors[0], errors[1]), candidates[0], candidates[1])
    rounded = saturated_integer(k, k.round_half_away(nearer), _LOWEST, _HIGHEST)
    zero_point = k.select(is_zero, 0, rounded, "zero_point")
    scale = k.select(is_zero, k.floating(1.0), k.emit(TruncFOp(exact, f32)), "scale")
    inverse = k.emit(TruncFOp(k.divf(one, k.emit(ExtFOp(scale, f64))), f32))
    return RowQuantisation(scale, inverse, zero_point)


def multiply_add(
    k: Kernel, acc: SSAValue, value: SSAValue, weight: SSAValue, zero_point: Value, products: int
) -> SSAValue:
    """The int32 sum after one more product of int8; at most `products` are added up."""
    product = k.mul(k.sub(k.extend(value), zero_point), k.extend(weight))
    return k.add(acc, product, "acc", wraps=not fits_int32(products * 255 * 128))


Finish: TypeAlias = Callable[[SSAValue, AffineExpr, Sequence[AffineExpr]], None]
"""Stores a sum; it is given the place of the row and that of the unit."""


class HybridRows:
    """Rows of floats, kept as int8 in buffers of their own for tasks of products with several rows of weights."""

    def __init__(self, k: Kernel, rows: int, length: int, hint: str, *, asymmetric: bool):
        self._k = k
        self._rows = rows
        self._length = length
        self._asymmetric = asymmetric
        self._buffer = k.scratch([rows, length], i8, hint)
        self._scales = k.scratch([rows], f32, f"{hint}_scale")
        self._zero_points = k.scratch([rows], i32, f"{hint}_zero_point") if asymmetric else None

    def quantise(self, load: Callable[[Value, Value], SSAValue]) -> None:
        """Take the elements of all rows; `load` gives that of a row at an index."""
        k = self._k
        with k.loop("n", 0, self._rows) as n:
            found = RowQuantisation.of(k, self._length, lambda i: load(n, i), asymmetric=self._asymmetric)
            k.store(found.scale, self._scales, [n])
            if self._zero_points is not None and found.zero_point is not None:
                k.store(found.zero_point, self._zero_points, [n])
            with k.loop("i", 0, self._length) as i:
                k.store(found.apply(k, load(n, i)), self._buffer, [n, i])

    def products(
        self,
        tensor: SSAValue,
        hint: str,
        units: Mapping[str, int],
        scale: float,
        finish: Finish,
    ) -> None:
        """A task of the sums of products with rows of weights of one scale, as floats.

        Args:
            tensor: the int8 weights, an operand of the operator that has not been asked for yet.
            hint: their name.
            units: the dimensions of the rows of weights, by name.
            scale: of the weights.
            finish: stores a sum; it is given the place of the row and that of the unit.
        """
        k = self._k
        weights = k.input(tensor, hint, (*units.values(), self._length))
        zero_points = self._zero_points
        sums = None if zero_points is None else _weight_sums(k, tensor, list(units.values()))
        nest = k.nest({"n": self._rows, **units}, {"i": self._length})
        n, *unit, i = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            value, weight = k.load(self._buffer, [n, i], "value"), k.load(weights, [*unit, i], "weight")
            zero_point = 0 if zero_points is None or sums is not None else k.load(zero_points, [n], "zero_point")
            return [multiply_add(k, state[0], value, weight, zero_point, self._length)]

        def end(state: list[SSAValue]) -> None:
            total = state[0]
            if zero_points is not None and sums is not None:
                # A row's zero point is known as late as the row; what it is multiplied with is not.
                raised = k.mul(k.load(zero_points, [n], "zero_point"), k.load(sums, unit, "sum"), wraps=True)
                total = k.value(k.sub(total, raised, "total", wraps=True), i32)
            factor = k.mulf(k.load(self._scales, [n]), k.floating(scale), "scale")
            finish(k.mulf(k.to_float(total), factor), n, unit)

        nest.build(lambda: [k.value(0, i32)], step, end)


def _weight_sums(k: Kernel, weights: SSAValue, shape: Sequence[int]) -> SSAValue | None:
    """A table of the sums of each row of weights, in a shape; None if they are no constants."""
    if not isinstance(weights.owner, ConstantOp):
        return None
    sums = weights.owner.array.astype(np.int32).sum(axis=-1, dtype=np.int32)
    return k.table(sums.reshape(shape), "sums")
