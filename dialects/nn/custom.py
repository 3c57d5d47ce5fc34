"""Operators that stillpool does not know: `nn.custom` on tensors, `nn.custom_call` on their buffers."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import BytesAttr, DenseArrayBase, MemRefType, StringAttr, TensorType, f32, i8, i32
from xdsl.ir import SSAValue
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

from ..accesses import Access, answers_for
from ..values import integers
from .signature import SIGNATURE


class Custom(IRDLOperation, abc.ABC):
    """Base: the C function, what it is told about the tensors, and the bytes that the model file gives it."""

    function = prop_def(StringAttr)
    scales = prop_def(DenseArrayBase.constr(f32))
    """Scales of operands, then results; 0 says that there is none."""
    zero_points = prop_def(DenseArrayBase.constr(i32))
    options = prop_def(DenseArrayBase.constr(i8))
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_call(self, tensors: int) -> None:
        """Check the attributes of a call with so many tensors."""
        name = self.function.data
        if not (name.isascii() and name.isidentifier()):
            raise VerifyException(f"'{self.name}' op '{name}' is no name of a C function")
        if len(self.scales) != tensors or len(self.zero_points) != tensors:
            raise VerifyException(f"'{self.name}' op must have {tensors} scales and zero points")


@irdl_op_definition
class CustomOp(Custom):
    """Runs a C function of the application on tensors."""

    name = "nn.custom"
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    assembly_format = (
        "$function `(` $inputs `)` `scales` $scales `zero_points` $zero_points `options` $options" + SIGNATURE
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
                "zero_points": integers(zero_points),
                "options": DenseArrayBase(i8, BytesAttr(options)),
            },
        )

    def verify_(self) -> None:
        self.verify_call(len(self.inputs) + len(self.outputs))


@irdl_op_definition
class CustomCallOp(Custom):
    """Runs a C function of the application on buffers."""

    name = "nn.custom_call"
    inputs = var_operand_def(MemRefType)
    outputs = var_operand_def(MemRefType)
    types = prop_def(DenseArrayBase.constr(i32))
    """Place of each type in `custom_types.TYPES`, of inputs, then outputs: buffers do not tell `bool` from `uint8`."""
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, source: CustomOp, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], types: Sequence[int]):
        super().__init__(
            operands=[list(inputs), list(outputs)],
            properties={**source.properties, "types": integers(types)},
        )

    def verify_(self) -> None:
        count = len(self.inputs) + len(self.outputs)
        self.verify_call(count)
        if len(self.types) != count:
            raise VerifyException(f"'{self.name}' op must have {count} types, got {len(self.types)}")


@answers_for(CustomCallOp)
def _custom_call(op: CustomCallOp) -> Sequence[Access]:
    """All of the inputs may be read, and of the outputs written; nothing of these read, which hold what was before."""
    reads = [Access(value, is_write=False, is_sure=False) for value in dict.fromkeys(op.inputs)]
    return [*reads, *(Access(value, is_write=True, is_sure=False) for value in dict.fromkeys(op.outputs))]
