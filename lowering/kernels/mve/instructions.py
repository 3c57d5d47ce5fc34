"""Instructions of MVE: functions of vectors, numbers and pointers that C has. A pointer is to bytes with a sign.

Source: Arm C Language Extensions, "M-profile Vector Extension (MVE) intrinsics".
"""

from __future__ import annotations

import inspect
from abc import ABC
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
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
from xdsl.utils.comparisons import to_signed

from ....dialects.simd.lanes import LANES as COUNT
from ....dialects.simd.lanes import SIXTEEN
from ..definition import Row, constant, defined

if TYPE_CHECKING:
    # Loads the interpreters of all dialects.
    from xdsl.interpreters.utils.ptr import RawPtr

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


_Lanes = NDArray[np.int32]


def _wide(a: _Lanes) -> NDArray[np.int64]:
    return a.astype(np.int64)


def _saturated(a: NDArray[np.int64]) -> _Lanes:
    return np.clip(a, -(1 << 31), (1 << 31) - 1).astype(np.int32)


def _shifted(a: _Lanes, b: _Lanes, half: int) -> _Lanes:
    """Shift to the left, or to the right by negative numbers; `half` is 1 where halves of what is lost round up."""
    left, right = np.maximum(_wide(b), 0), np.maximum(-_wide(b), 0)
    return ((_wide(a) << left) + (half << right >> 1) >> right).astype(np.int32)


def _loaded(a: RawPtr, count: int) -> NDArray[np.int8]:
    return np.frombuffer(a.memory, np.int8, count, a.offset)


def _rounded(a: _Lanes, b: _Lanes, bits: int) -> _Lanes:
    """Products without their lowest bits."""
    return _saturated(_wide(a) * b + (1 << bits - 1) >> bits)


vaddq_s32 = intrinsic("vaddq_s32", "Sums, which wrap around.", lambda a, b: a + b)
vsubq_s32 = intrinsic("vsubq_s32", "Differences, which wrap around.", lambda a, b: a - b)
vmulq_s32 = intrinsic("vmulq_s32", "The low halves of products.", lambda a, b: a * b)
vmaxq_s32 = intrinsic("vmaxq_s32", "The larger ones.", lambda a, b: np.maximum(a, b))
vminq_s32 = intrinsic("vminq_s32", "The smaller ones.", lambda a, b: np.minimum(a, b))
vnegq_s32 = intrinsic("vnegq_s32", "Numbers with the other sign.", lambda a: -a)
vandq_s32 = intrinsic("vandq_s32", "The bits that both have.", lambda a, b: a & b)
vqaddq_s32 = intrinsic("vqaddq_s32", "Sums, saturated.", lambda a, b: _saturated(_wide(a) + b))
vshrq_n_s32 = intrinsic("vshrq_n_s32", "Shifts to the right, with sign.", lambda a, by: a >> by)
vshlq_s32 = intrinsic("vshlq_s32", "Shifts to the left, by less than 0 to the right.", lambda a, b: _shifted(a, b, 0))
vrshlq_s32 = intrinsic("vrshlq_s32", "Shifts as `vshlq_s32` does, rounded, halves up.", lambda a, b: _shifted(a, b, 1))
vrmulhq_s32 = intrinsic("vrmulhq_s32", "High halves of products, rounded, halves up.", lambda a, b: _rounded(a, b, 32))
vqrdmulhq_s32 = intrinsic(
    "vqrdmulhq_s32", "High halves of doubled products, rounded, saturated.", lambda a, b: _rounded(a, b, 31)
)

vdupq_n_s32 = intrinsic("vdupq_n_s32", "A number in every lane.", lambda a: np.full(COUNT, a, np.int32), a=i32)
vsetq_lane_s32 = intrinsic(
    "vsetq_lane_s32",
    "Lanes, one of which is another number.",
    lambda a, b, by: np.where(np.arange(COUNT) == by, np.int32(a), b),
    a=i32,
)

vldrbq_s32 = intrinsic(
    "vldrbq_s32", "Four bytes with a sign, as lanes.", lambda a: _loaded(a, COUNT).astype(np.int32), a=POINTER
)
vldrbq_s8 = intrinsic("vldrbq_s8", "Sixteen bytes.", lambda a: _loaded(a, SIXTEEN), BYTES, a=POINTER)
vctp8q = intrinsic(
    "vctp8q",
    "A predicate of so many bytes, the first ones.",
    lambda a: np.arange(SIXTEEN) < a,
    PREDICATE,
    "vctp8q((uint32_t){a})",
    a=i32,
)
vldrbq_z_s8 = intrinsic(
    "vldrbq_z_s8",
    "The bytes of a predicate, and zeros in place of others.",
    lambda a, b: np.append(_loaded(a, b.sum()), np.zeros(SIXTEEN - b.sum(), np.int8)),
    BYTES,
    a=POINTER,
    b=PREDICATE,
)
vmladavaq_s8 = intrinsic(
    "vmladavaq_s8",
    "A number, and the products of sixteen bytes added to it.",
    lambda a, b, c: to_signed(a + int(b.astype(int) @ c.astype(int)), 32),
    i32,
    a=i32,
    b=BYTES,
    c=BYTES,
)
