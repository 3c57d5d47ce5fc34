"""Images of another size: `nn.resize_nearest`, `nn.resize_bilinear`.

Where an output row or column lies in the input follows from extents and flags alone; `Resize` computes it for every
row and column as TensorFlow Lite does, in float32 or in Q21.10.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag
from .interfaces import ByChannel, HasRanges, element_type_of, expect_rank, expect_shape, shape_of
from .ranges import Ranges
from .signature import SIGNATURE, FromTensor

ONE = 1 << 10
"""Steps from one element to the next where places are integers."""


class Resize(FromTensor, ByChannel, HasRanges, abc.ABC):
    """Base: NHWC input and result that differ in height and width."""

    align_corners = opt_prop_def(UnitAttr)
    """The centres of the first and last elements stay where they are."""
    half_pixel_centers = opt_prop_def(UnitAttr)
    """Elements have their centres in the middle between two integers."""
    assembly_format = (
        "$input (`align_corners` $align_corners^)? (`half_pixel_centers` $half_pixel_centers^)?" + SIGNATURE
    )

    def __init__(
        self, input: Value, output_type: TensorType, *, align_corners: bool = False, half_pixel_centers: bool = False
    ):
        flags = {"align_corners": flag(align_corners), "half_pixel_centers": flag(half_pixel_centers)}
        super().__init__(input, output_type, flags)

    def keeps_channels(self) -> bool:
        return True

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Integers between others lie between them; those of floats are rounded."""
        (input,) = operands
        return [Ranges.everything(element_type_of(self.output), input.channels)] if input.is_real else operands

    def verify_(self) -> None:
        batch, height, width, channels = expect_rank(self, "input", self.input, 4)
        shape = expect_rank(self, "result", self.output, 4)
        expect_shape(self, "result", shape, (batch, *shape[1:3], channels))
        if 0 in (height, width, *shape[1:3]):
            raise VerifyException(f"'{self.name}' op images have no elements")
        self.verify_same_elements()

    def _extents(self, axis: int) -> tuple[int, int, bool, bool]:
        extents = shape_of(self.input)[axis], shape_of(self.output)[axis]
        return *extents, self.align_corners is not None, self.half_pixel_centers is not None


@irdl_op_definition
class ResizeNearestOp(Resize):
    """The nearest element (TensorFlow Lite `reference_ops::ResizeNearestNeighbor`)."""

    name = "nn.resize_nearest"

    def places(self, axis: int) -> list[int]:
        """The input index for every output index along an axis."""
        size, result, align, half = self._extents(axis)
        aligned = align and result > 1
        scale = np.float32(size - 1) / np.float32(result - 1) if aligned else np.float32(size) / np.float32(result)
        place = (np.arange(result).astype(np.float32) + np.float32(0.5 if half else 0)) * scale
        # Rounded halves away from zero, which for what is not negative is the floor of the exact value plus 1/2.
        index = np.floor(place.astype(np.float64) + 0.5) if align else np.floor(place)
        return [int(value) for value in np.clip(index, 0, size - 1)]


@irdl_op_definition
class ResizeBilinearOp(Resize):
    """The weighted mean of the four nearest elements (TensorFlow Lite `reference_ops::ResizeBilinear`).

    Floats and unsigned bytes: weights in float32, bytes rounded halves up. Signed integers: weights of 10 fractional
    bits, rounded halves away from zero.
    """

    name = "nn.resize_bilinear"

    def verify_(self) -> None:
        super().verify_()
        if self.align_corners is not None and self.half_pixel_centers is not None:
            raise VerifyException(f"'{self.name}' op cannot align both corners and half pixels")

    def real_places(self, axis: int) -> tuple[list[int], list[int], npt.NDArray[np.float32]]:
        """Lower and upper input index and the float32 fraction beyond the lower one, for every output index."""
        size, result, align, half = self._extents(axis)
        half_step = np.float32(0.5)
        aligned = align and result > 1
        scale = np.float32(size - 1) / np.float32(result - 1) if aligned else np.float32(size) / np.float32(result)
        index = np.arange(result).astype(np.float32)
        place = (index + half_step) * scale - half_step if half else index * scale
        lower = np.maximum(np.floor(place).astype(np.int64), 0)
        upper = np.minimum(np.ceil(place).astype(np.int64), size - 1)
        return _inside(lower, size), _inside(upper, size), place - lower.astype(np.float32)

    def integer_places(self, axis: int) -> tuple[list[int], list[int], npt.NDArray[np.int16]]:
        """Return it with the fraction in units of `1 / ONE`, as int16."""
        size, result, align, half = self._extents(axis)
        if align and result > 1:
            scale = (ONE * (size - 1) + (result - 1) // 2) // (result - 1)
        else:
            scale = (ONE * size + result // 2) // result
        place = np.arange(result) * scale + (scale // 2 - ONE // 2 if half else 0)
        # Divisions are rounded toward zero.
        lower = np.maximum(np.sign(place) * (np.abs(place) // ONE), 0)
        beyond = place + ONE - 1
        upper = np.minimum(np.sign(beyond) * (np.abs(beyond) // ONE), size - 1)
        return _inside(lower, size), _inside(upper, size), (place - ONE * lower).astype(np.int16)


def _inside(indices: npt.NDArray[np.int64], size: int) -> list[int]:
    """Rounded scales may lead beyond the last element, where the reference reads what lies there."""
    return [min(max(int(index), 0), size - 1) for index in indices]
