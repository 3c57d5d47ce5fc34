"""Tensors: what names of an ONNX graph stand for.

A tensor computes itself when somebody asks: as floats, as integers of a scale, or as a table of what an operator makes
of the 256 values of a quantised tensor. So DequantizeLinear, an operator and QuantizeLinear become one integer
operation, and where nobody quantises floats they stay floats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from .stored import Stored

Array = npt.NDArray[np.generic]

MOVED = {"uint8": 128, "uint16": 32768}
"""Distance of elements without a sign from the integers that stand for them."""
_ENDS = {"int8": 128, "uint8": 128, "int16": 32768, "uint16": 32768}
REACH = {name: (-ends, ends - 1) for name, ends in _ENDS.items()}
"""Range of quantised elements as they are stored."""


@dataclass(frozen=True)
class Quantised:
    """The scale of quantised elements, and bounds of what they stand for."""

    scale: float
    zero_point: int
    """Zero point as it is stored."""
    dtype: str
    least: float = -np.inf
    most: float = np.inf

    def steps(self, reals: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        """Integers for reals, as QuantizeLinear computes them."""
        with np.errstate(all="ignore"):
            rounded = np.rint(np.asarray(reals, np.float32) / np.float32(self.scale)).astype(np.float64)
        lower, upper = REACH[self.dtype]
        return np.clip(np.nan_to_num(rounded, nan=0.0) + self.zero_point, lower, upper).astype(np.int64)

    @property
    def bytes(self) -> int:
        """Bytes of an element."""
        return np.dtype(self.dtype).itemsize

    @property
    def is_bounded(self) -> bool:
        """Whether there are bounds beside those of the type."""
        return bool(np.isfinite(self.least) or np.isfinite(self.most))

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and most element."""
        lower, upper = REACH[self.dtype]
        ends = np.array([self.least, self.most], np.float32)
        least, most = (int(value) for value in self.steps(ends))
        return max(lower, least), min(upper, most)

    def limited(self, least: float, most: float) -> Quantised:
        """Return the quantisation with bounds inside of both."""
        most = min(self.most, most)
        return Quantised(self.scale, self.zero_point, self.dtype, min(max(self.least, least), most), most)


class Lazy:
    """Something that is emitted when it is first asked for."""

    def __init__(self, make: Callable[[], Stored]):
        self._make = make

    @cached_property
    def stored(self) -> Stored:
        """The emitted value."""
        return self._make()


@dataclass(frozen=True)
class Steps:
    """Integers of which the floats are `(x - zero_point) * scale`."""

    integers: Lazy
    quantised: Quantised


@dataclass(frozen=True)
class Table:
    """Floats that follow from one 8-bit integer each."""

    integers: Lazy
    reals: npt.NDArray[np.float32]
    """For -128 to 127."""


@dataclass(frozen=True)
class Weights:
    """A constant as integers, with a scale and zero point for the tensor or for each slice along an axis."""

    integers: npt.NDArray[np.int64]
    scales: npt.NDArray[np.float32]
    zero_points: npt.NDArray[np.int64]
    axis: int


@dataclass(frozen=True)
class Tensor:
    """A tensor of a graph."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    value: Lazy
    """The elements; those without a sign as they are stored."""
    array: Array | None = None
    """Elements of a constant."""
    weights: Weights | None = None
    """Integers of a constant that is dequantised."""
    steps: Steps | None = None
    table: Table | None = None
    quantise: Callable[[Quantised], Stored | None] | None = None
    """Makes integers of a scale without floats between; None where there is no such operation."""
    flat: Tensor | None = None
    """The tensor of which this one is the rows, without a transposition between."""
    cache: dict[tuple[int, Quantised], Stored] = field(default_factory=dict)
    """By the graph that asks, since a branch does not give to what is outside."""

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape)) if self.shape else 1


def same_steps(tensors: Sequence[Tensor]) -> Quantised | None:
    """The scale that quantised tensors share; None if they do not."""
    scales = {None if tensor.steps is None else tensor.steps.quantised for tensor in tensors}
    return scales.pop() if len(scales) == 1 else None
