"""`nn.softmax`."""

from __future__ import annotations

from collections.abc import Mapping, Set

from xdsl.dialects.builtin import FloatAttr, f32, i8, i16
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from .interfaces import expect_length
from .normalise import Exponentials
from .quantised import UI8
from .signature import SIGNATURE

_NEEDED: Mapping[tuple[Attribute, Attribute], Set[str]] = {
    (i8, i8): {"rescale", "diff_min"},
    (i8, i16): {"rescale", "diff_min"},
    (UI8, UI8): {"rescale", "diff_min"},
    (i16, i16): {"rescale"},
    (f32, f32): {"beta"},
}
"""Properties by the element types of operand and result."""


@irdl_op_definition
class SoftmaxOp(Exponentials):
    """Softmax over the last dimension.

    Rule for 8 bits (TensorFlow Lite `reference_ops::Softmax` for integers, on gemmlowp fixed point): the difference to
    the row's maximum is rescaled to Q5.26 and exponentiated; differences below `diff_min` count as 0; the sum is
    Q12.19, its reciprocal found by three Newton steps, and the products rounded to the output scale 1/256 (1/65536 for
    16-bit results) with the lowest element as zero point. Rule for 16 bits (`reference_ops::SoftmaxInt16`): differences
    are rescaled so that -65535 is -10; exponentials and the reciprocal of their sum come from interpolated tables of
    513 entries; the output scale is 1/32768, the zero point 0. There is one factor: input scale times beta, to Q5.26,
    for 16 bits to 10/65535. Float rule: `exp((x - max) * beta) / sum`.
    """

    name = "nn.softmax"
    beta = opt_prop_def(FloatAttr.constr(type=f32))
    """Factor on the input before exponentiation, float only."""

    assembly_format = "$input (`rescale` $rescale^)? (`diff_min` $diff_min^)? (`beta` $beta^)?" + SIGNATURE

    def verify_(self) -> None:
        types = self.verify_rows(_NEEDED)
        given = {name for name in ("rescale", "diff_min", "beta") if name in self.properties}
        if given != _NEEDED[types]:
            raise VerifyException(
                f"'{self.name}' op needs {' and '.join(sorted(_NEEDED[types]))}, and no more, for {types[0]} elements"
            )
        if self.rescale is not None:
            expect_length(self, "rescale", len(self.rescale.multiplier), 1)
