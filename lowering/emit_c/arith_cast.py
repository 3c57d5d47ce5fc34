"""Constants and conversions of `arith`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp, EmitC_SizeT
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc
from ...targets.c.types import type_name
from .lowering import Lowering, Patterns
from .types import c_type, is_bool, unsigned


def _constant(op: arith.ConstantOp, at: Lowering) -> None:
    type = c_type(op.result.type)
    match op.value:
        case IntegerAttr():
            value = op.value.value.data
            if isinstance(op.result.type, IndexType) and not -(2**31) <= value < 2**31:
                raise PassFailedException(
                    f"'{op.name}' op index {value} does not fit the 32 bits that an index has in C"
                )
            at.define(op.result, at.build.constant(value, type))
        case FloatAttr():
            at.define(op.result, at.build.constant(op.value.value.data, type))
        case _:
            raise PassFailedException(f"'{op.name}' op of type {op.result.type} cannot be lowered to C")


def _sign_extend(op: arith.ExtSIOp | arith.SIToFPOp, at: Lowering) -> None:
    value = at.value(op.input)
    if is_bool(value.type):
        # Signed i1 is 0 or -1.
        value = at.build.integer("-", at.build.constant(0, i32), at.build.cast(value, i32))
    at.define(op.result, at.build.cast(value, c_type(op.result.type)))


def _zero_extend(op: arith.ExtUIOp | arith.UIToFPOp, at: Lowering) -> None:
    value = at.value(op.input)
    if not is_bool(value.type):
        value = at.build.cast(value, unsigned(value.type))
    at.define(op.result, at.build.cast(value, c_type(op.result.type)))


def _truncate(op: arith.TruncIOp, at: Lowering) -> None:
    """The low bits; conversion to a narrower signed type keeps them in every compiler that matters."""
    build = at.build
    value = at.value(op.input)
    if is_bool(op.result.type):
        one = build.constant(1, value.type)
        low = build.binary(
            "&", value, one, i32 if isinstance(value.type, IntegerType) and value.type.width.data < 32 else value.type
        )
        result = build.compare("!=", low, build.constant(0, low.type))
    else:
        result = build.cast(value, c_type(op.result.type))
    at.define(op.result, result)


def _index_cast(op: arith.IndexCastOp, at: Lowering) -> None:
    """Sign-extends or truncates between `index`, 32 bits wide, and an integer."""
    if is_bool(op.input.type) or is_bool(op.result.type):
        raise PassFailedException(f"'{op.name}' op on i1 cannot be lowered to C")
    at.define(op.result, at.build.cast(at.value(op.input), c_type(op.result.type)))


def _convert(op: arith.ExtFOp | arith.TruncFOp | arith.FPToSIOp, at: Lowering) -> None:
    at.define(op.result, at.build.cast(at.value(op.input), c_type(op.result.type)))


def _float_to_unsigned(op: arith.FPToUIOp, at: Lowering) -> None:
    type = c_type(op.result.type)
    value = at.value(op.input)
    at.define(op.result, at.build.cast(value if is_bool(type) else at.build.cast(value, unsigned(type)), type))


def _bitcast(op: arith.BitcastOp, at: Lowering) -> None:
    """`memcpy` between two variables, the one way that C defines; compilers make a register move of it."""
    build = at.build
    value = at.value(op.input)
    type = c_type(op.result.type)
    if value.type == type:
        at.define(op.result, value)
        return
    source, target = build.variable(value.type), build.variable(type)
    source.name_hint, target.name_hint = "bits", op.result.name_hint
    build.assign(source, value)
    pointers = [build.add(emitc.AddressOfOp(place)).result for place in (target, source)]
    size = build.add(emitc.LiteralOp(f"sizeof({type_name(type)})", EmitC_SizeT())).result
    build.includes.add("string.h")
    build.add(EmitC_CallOpaqueOp("memcpy", [*pointers, size], []))
    at.define(op.result, build.load(target))


PATTERNS: Patterns = {
    arith.ConstantOp: _constant,
    arith.ExtSIOp: _sign_extend,
    arith.SIToFPOp: _sign_extend,
    arith.ExtUIOp: _zero_extend,
    arith.UIToFPOp: _zero_extend,
    arith.TruncIOp: _truncate,
    arith.IndexCastOp: _index_cast,
    arith.ExtFOp: _convert,
    arith.TruncFOp: _convert,
    arith.FPToSIOp: _convert,
    arith.FPToUIOp: _float_to_unsigned,
    arith.BitcastOp: _bitcast,
}
