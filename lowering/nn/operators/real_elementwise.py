"""`nn.real_binary`: quantised elements to floats and back, one place at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import i8, i16
from xdsl.ir import SSAValue

from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.real_elementwise import RealBinary, RealBinaryOp
from ..kernel import Kernel
from ..pointwise import lower_binary
from ..real_steps import from_steps, to_steps
from ..registry import lowers

_FUNCTIONS: Mapping[RealBinary, Callable[[Kernel, SSAValue, SSAValue], SSAValue]] = {
    RealBinary.ADD: lambda k, a, b: k.addf(a, b),
    RealBinary.SUB: lambda k, a, b: k.subf(a, b),
    RealBinary.MUL: lambda k, a, b: k.mulf(a, b),
    RealBinary.DIV: lambda k, a, b: k.divf(a, b),
}


@lowers(RealBinaryOp, (i8, i16))
def lower_real_binary(op: RealBinaryOp, k: Kernel) -> None:
    """Sums, differences, products and quotients."""
    lower_binary(op, k, _scalar)


def _scalar(op: RealBinaryOp, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    zero_points, scales = ints(op.zero_points), [float(scale) for scale in op.scales.get_values()]
    a, b = (from_steps(k, *each) for each in zip((lhs, rhs), zero_points[:2], scales[:2], strict=True))
    real = _FUNCTIONS[op.function.data](k, a, b)
    return to_steps(k, real, zero_points[2], scales[2], op.clamp, element_type_of(op.output))
