"""Means of four elements through floats: `nn.real_resize`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DenseArrayBase, TensorType, UnitAttr, f32, i8, i16, i32
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag, integers, reals
from .attributes import ClampAttr
from .interfaces import ByChannel, FusesClamp, element_type_of, expect_length, expect_rank, expect_shape, shape_of
from .quantised import verify_clamp
from .signature import SIGNATURE, FromTensor

Weights = npt.NDArray[np.float32]


@irdl_op_definition
class RealResizeOp(FromTensor, FusesClamp, ByChannel):
    """Weighted mean of the four nearest elements in float32, as ONNX's Resize (onnxruntime `UpsampleBilinear`).

    NHWC input and result. `rows` and `columns` say where rows and columns of the result lie in the input. The weight
    of an element is the product of a vertical and a horizontal one. Products are added from left to right, then from
    top to bottom. Integers are `(x - zero_point) * scale`. The mean is divided by the result's scale and rounded,
    halves to even, or toward zero with `truncates`. The zero point is added, then it is clamped.
    """

    name = "nn.real_resize"
    rows = prop_def(DenseArrayBase.constr(f32))
    """Place of each row of the result, inside the input."""
    columns = prop_def(DenseArrayBase.constr(f32))
    """Place of each column of the result, inside the input."""
    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of operand and result; none of floats."""
    scales = opt_prop_def(DenseArrayBase.constr(f32))
    """Scales of operand and result; none of floats."""
    truncates = opt_prop_def(UnitAttr)
    """Whether fractions are dropped."""
    clamp = opt_prop_def(ClampAttr)
    """Range of the result; none of floats."""
    assembly_format = (
        "$input `rows` $rows `columns` $columns (`zero_points` $zero_points^)? (`scales` $scales^)?"
        " (`truncates` $truncates^)? (`clamp` $clamp^)?" + SIGNATURE
    )

    def __init__(
        self,
        input: Value,
        *,
        rows: Sequence[float],
        columns: Sequence[float],
        output_type: TensorType,
        zero_points: Sequence[int] | None = None,
        scales: Sequence[float] | None = None,
        truncates: bool = False,
        clamp: ClampAttr | None = None,
    ):
        properties = {"rows": reals(rows), "columns": reals(columns), "zero_points": integers(zero_points)}
        more = {"scales": reals(scales), "truncates": flag(truncates), "clamp": clamp}
        super().__init__(input, output_type, {**properties, **more})

    def fuses_clamp(self) -> bool:
        """Integers are clamped last, floats not at all."""
        return self.clamp is not None

    def keeps_channels(self) -> bool:
        return True

    def neighbours(self, axis: int) -> tuple[list[int], list[int], Weights, Weights]:
        """Lower and upper index for every result along an axis, and the weight of each."""
        size = shape_of(self.input)[axis]
        places = np.array((self.rows if axis == 1 else self.columns).get_values(), np.float32)
        lower = np.floor(places).astype(np.int64)
        upper = np.minimum(lower + 1, size - 1)
        beyond, before = (np.abs(places - ends.astype(np.float32)) for ends in (lower, upper))
        # The last element is both.
        beyond[lower == upper] = before[lower == upper] = 0.5
        return lower.tolist(), upper.tolist(), before, beyond

    def verify_(self) -> None:
        batch, *space, channels = expect_rank(self, "input", self.input, 4)
        expect_shape(self, "result", shape_of(self.output), (batch, len(self.rows), len(self.columns), channels))
        for name, places, size in zip(("rows", "columns"), (self.rows, self.columns), space, strict=True):
            if not all(0 <= place <= size - 1 for place in places.get_values()):
                raise VerifyException(f"'{self.name}' op {name} must lie from 0 to {size - 1}")
        element = element_type_of(self.output)
        if element not in (i8, i16, f32):
            raise VerifyException(f"'{self.name}' op elements must be i8, i16 or f32, got {element}")
        self.verify_same_elements()
        needed = None in (self.zero_points, self.scales, self.clamp)
        if needed if element != f32 else {self.zero_points, self.scales, self.truncates, self.clamp} != {None}:
            raise VerifyException(f"'{self.name}' op integers, and they alone, have zero points, scales and a clamp")
        if self.zero_points is not None and self.scales is not None:
            expect_length(self, "zero_points", len(self.zero_points), 2)
            expect_length(self, "scales", len(self.scales), 2)
            verify_clamp(self, self.clamp, element)
