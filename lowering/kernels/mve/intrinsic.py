"""Operations on vectors, numbers and pointers of which C has a function each. A pointer is to bytes with a sign."""

from __future__ import annotations

import inspect
from abc import ABC
from collections.abc import Callable
from typing import Any, ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, VectorType, i1, i8, i32
from xdsl.dialects.ptr import PtrType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from ....dialects.simd.lanes import LANES as COUNT
from ....dialects.simd.lanes import SIXTEEN
from ..definition import Row, constant, defined

BYTES, LANES, PREDICATE = VectorType(i8, [SIXTEEN]), VectorType(i32, [COUNT]), VectorType(i1, [SIXTEEN])
POINTER = PtrType()


class Intrinsic(Row, ABC):
    """A function of Arm's C Language Extensions."""

    result = result_def()

    RESULT: ClassVar[Attribute]

    def __init__(self, *inputs: SSAValue, by: int | None = None, name: str | None = None):
        """The result goes to the variable `name`, or is part of what reads it."""
        properties = {} if by is None else {"by": constant(by)}
        super().__init__(operands=inputs, result_types=[self.RESULT], properties=properties)
        self.result.name_hint = name


def intrinsic(
    name: str, doc: str, function: Callable[..., Any], result: Attribute = LANES, written: str = "", **types: Attribute
) -> type[Intrinsic]:
    """Make a function of numpy's vectors an operation.

    Args:
        name: what C calls it.
        doc: what it computes.
        function: how. Its parameters are the operands, and `by` for a constant.
        result: type of the result.
        written: the call, where it is not of all parameters in order.
        types: of operands that are not lanes.
    """
    parameters = list(inspect.signature(function).parameters)
    inputs = [one for one in parameters if one != "by"]
    shown = [" `,` ".join(f"${one}" for one in inputs), *(["`by` $by"] if "by" in parameters else []), "attr-dict"]
    return defined(
        Intrinsic,
        f"mve.{name}",
        doc,
        assembly_format=" ".join(shown),
        INPUTS=inputs,
        RESULT=result,
        WRITTEN=written or f"{name}({', '.join(f'{{{one}}}' for one in parameters)})",
        FUNCTION=staticmethod(function),
        result=result_def(result),
        **{one: operand_def(types.get(one, LANES)) for one in inputs},
        **({"by": prop_def(IntegerAttr[I64])} if "by" in parameters else {}),
    )


@irdl_op_definition
class HideOp(IRDLOperation):
    """Pointers of which compilers do not know where they point: empty assembly, behind what is `beside`.

    Each moves with its load then, and not in an instruction of its own.
    """

    name = "mve.hide"
    pointers = var_operand_def(POINTER)
    beside = opt_operand_def(LANES)
    res = var_result_def(POINTER)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = "$pointers (`beside` $beside^)? attr-dict `:` functional-type($pointers, $res)"

    def __init__(self, *pointers: SSAValue, beside: SSAValue | None = None):
        super().__init__(operands=[pointers, beside], result_types=[[POINTER] * len(pointers)])
        for pointer, hidden in zip(pointers, self.res, strict=True):
            hidden.name_hint = pointer.name_hint
