"""`nn.custom`: a function around the call, so that the planner sees what it reads and writes."""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, IntegerType, Signedness, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute

from ....dialects.custom_types import TYPES
from ....dialects.nn.custom import CustomCallOp, CustomOp
from ....dialects.nn.interfaces import element_type_of
from ..kernel import Kernel
from ..registry import lowers


@lowers(CustomOp, (f32, i1, i8, IntegerType(8, Signedness.UNSIGNED), i16, i32, i64))
def lower_custom(op: CustomOp, k: Kernel) -> None:
    """One call with all buffers."""
    inputs = [k.input(value, "input") for value in op.inputs]
    outputs = [k.output(value) for value in op.outputs]
    types = [TYPES.index(type_name(element_type_of(value))) for value in (*op.inputs, *op.outputs)]
    k.builder.insert(CustomCallOp(op, inputs, outputs, types))


def type_name(element: Attribute) -> str:
    """NumPy's name of an element type."""
    if isinstance(element, Float32Type):
        return "float32"
    assert isinstance(element, IntegerType), "checked when the operands became arguments"
    if element.width.data == 1:
        return "bool"
    unsigned = "u" if element.signedness.data is Signedness.UNSIGNED else ""
    return f"{unsigned}int{element.width.data}"
