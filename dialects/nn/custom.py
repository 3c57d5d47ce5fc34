"""Operators that stillpool does not know: `nn.custom` on tensors, `nn.custom_call` on their buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BytesAttr, DenseArrayBase, MemRefType, StringAttr, TensorType, f32, i8, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class CustomOp(IRDLOperation):
    """Runs a C function of the application on tensors; `options` are the bytes that the model file gives it.

    `scales` and `zero_points` are those of operands, then results; a scale of 0 says that there is none.
    """

    name = "nn.custom"
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    function = prop_def(StringAttr)
    scales = prop_def(DenseArrayBase.constr(f32))
    zero_points = prop_def(DenseArrayBase.constr(i32))
    options = prop_def(DenseArrayBase.constr(i8))
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$function `(` $inputs `)` `scales` $scales `zero_points` $zero_points `options` $options"
        " attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        function: str,
        inputs: Sequence[SSAValue],
        output_types: Sequence[TensorType],
        *,
        scales: Sequence[float],
        zero_points: Sequence[int],
        options: bytes,
    ):
        super().__init__(
            operands=[list(inputs)],
            result_types=[list(output_types)],
            properties={
                "function": StringAttr(function),
                "scales": DenseArrayBase.from_list(f32, scales),
                "zero_points": DenseArrayBase.from_list(i32, zero_points),
                "options": DenseArrayBase(i8, BytesAttr(options)),
            },
        )

    def verify_(self) -> None:
        verify_call(self, self.function, len(self.inputs) + len(self.outputs), self.scales, self.zero_points)


@irdl_op_definition
class CustomCallOp(IRDLOperation):
    """Runs a C function of the application on buffers; attributes as of `nn.custom`, and the type of every buffer."""

    name = "nn.custom_call"
    inputs = var_operand_def(MemRefType)
    outputs = var_operand_def(MemRefType)
    function = prop_def(StringAttr)
    scales = prop_def(DenseArrayBase.constr(f32))
    zero_points = prop_def(DenseArrayBase.constr(i32))
    options = prop_def(DenseArrayBase.constr(i8))
    types = prop_def(DenseArrayBase.constr(i32))
    """Place of each element type in `TYPES`, of inputs, then outputs: buffers do not tell truth values and bytes."""
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, source: CustomOp, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], types: Sequence[int]):
        properties: dict[str, Attribute] = {
            "function": source.function,
            "scales": source.scales,
            "zero_points": source.zero_points,
            "options": source.options,
            "types": DenseArrayBase.from_list(i32, types),
        }
        super().__init__(operands=[list(inputs), list(outputs)], properties=properties)

    def verify_(self) -> None:
        count = len(self.inputs) + len(self.outputs)
        verify_call(self, self.function, count, self.scales, self.zero_points)
        if len(self.types) != count:
            raise VerifyException(f"'{self.name}' op must have {count} types, got {len(self.types)}")


TYPES = ("float32", "int8", "uint8", "int16", "int32", "int64", "bool")
"""Element types that custom operators may have, in the order of the C enumeration."""


def verify_call(
    op: Operation, function: StringAttr, tensors: int, scales: DenseArrayBase, zero_points: DenseArrayBase
) -> None:
    """Check the attributes that both operations have."""
    name = function.data
    if not (name.isascii() and name.isidentifier()):
        raise VerifyException(f"'{op.name}' op '{name}' is no name of a C function")
    if len(scales) != tensors or len(zero_points) != tensors:
        raise VerifyException(f"'{op.name}' op must have {tensors} scales and zero points")
