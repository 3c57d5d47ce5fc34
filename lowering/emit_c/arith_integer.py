"""Integer arithmetic of `arith`.

Operations with `overflow<nsw>`, and those on `index` that are known to stay within its 32 bits, are C's signed
operations. All others wrap around, which C defines for unsigned types only. i1 is `bool`, whose arithmetic is logic.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.arith import IntegerOverflowFlag
from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from .builder import Builder
from .index_bounds import everything
from .literals import known
from .lowering import Lowering, Pattern, Patterns
from .types import bits, c_type, is_bool, is_narrow, unsigned, wrapping

_Overflowing = arith.AddiOp | arith.SubiOp | arith.MuliOp


def _operands(op: arith.SignlessIntegerBinaryOperation, at: Lowering) -> tuple[SSAValue, SSAValue]:
    c_type(op.result.type)
    return at.value(op.lhs), at.value(op.rhs)


def _never_overflows(op: arith.SignlessIntegerBinaryOperationWithOverflow, at: Lowering) -> bool:
    if IntegerOverflowFlag.NSW in op.overflow_flags.data:
        return True
    if not isinstance(op.result.type, IndexType):
        return False
    exact, width = at.bounds.exact(op.result), everything(op.result.type)
    if exact.outside(width):
        nearest = min(exact, key=abs)
        raise PassFailedException(f"'{op.name}' op index {nearest} does not fit the 32 bits that an index has in C")
    return exact.within(width)


def _overflowing(symbol: str, logic: str) -> Pattern:
    """Pattern of `+`, `-`, `*`; `logic` is what they are on i1."""

    def lower(op: _Overflowing, at: Lowering) -> None:
        lhs, rhs = _operands(op, at)
        if is_bool(lhs.type):
            result = at.build.logical_and(lhs, rhs) if logic == "&&" else at.build.compare(logic, lhs, rhs)
        elif _never_overflows(op, at):
            result = at.build.integer(symbol, lhs, rhs)
        else:
            result = at.build.wrapped(symbol, lhs, rhs)
        at.define(op.result, result)

    return lower


def _numbers(compute: Callable[[Builder, SSAValue, SSAValue], SSAValue]) -> Pattern:
    """Pattern of an operation on numbers that i1 does not have."""

    def lower(op: arith.SignlessIntegerBinaryOperation, at: Lowering) -> None:
        lhs, rhs = _operands(op, at)
        _refuse_bool(op, lhs)
        at.define(op.result, compute(at.build, lhs, rhs))

    return lower


def _signed(symbol: str) -> Pattern:
    """Pattern of signed `/`, `%` and `>>`.

    `>>` of a negative number copies the sign in every compiler that matters; C99 leaves it to the implementation.
    """
    return _numbers(lambda build, lhs, rhs: build.integer(symbol, lhs, rhs))


def _unsigned(symbol: str) -> Pattern:
    """Pattern of unsigned `/`, `%` and `>>`."""
    return _numbers(lambda build, lhs, rhs: build.unsigned(symbol, lhs, rhs))


def _rounded_quotient(build: Builder, lhs: SSAValue, rhs: SSAValue, *, up: bool) -> SSAValue:
    """Signed division that rounds towards plus or minus infinity.

    C truncates, which differs by one where there is a remainder and the exact quotient is positive (negative).
    """
    zero = build.constant(0, lhs.type)
    quotient = build.integer("/", lhs, rhs)
    remainder = build.integer("%", lhs, rhs)
    divisor = known(rhs)
    if divisor is not None and divisor > 0:
        adjust = build.compare(">" if up else "<", remainder, zero)
    else:
        negative = build.compare("<", remainder, zero), build.compare("<", rhs, zero)
        differ = build.compare("==" if up else "!=", *negative)
        adjust = build.logical_and(build.compare("!=", remainder, zero), differ)
    return build.integer("+" if up else "-", quotient, build.cast(adjust, lhs.type))


def _ceil_unsigned(build: Builder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    dividend, divisor, wide = build.zero_extended(lhs), build.zero_extended(rhs), wrapping(lhs.type)
    remainder = build.binary("%", dividend, divisor, wide)
    remains = build.cast(build.compare("!=", remainder, build.constant(0, wide)), wide)
    quotient = build.binary("/", dividend, divisor, wide)
    return build.cast(build.binary("+", quotient, remains, wide), lhs.type)


def _choice(symbol: str, signed: bool) -> Pattern:
    """Pattern of minimum (`<`) and maximum (`>`)."""

    def lower(op: arith.MinSIOp | arith.MaxSIOp | arith.MinUIOp | arith.MaxUIOp, at: Lowering) -> None:
        build = at.build
        lhs, rhs = _operands(op, at)
        if is_bool(lhs.type):
            # Signed i1 is 0 or -1: its minimum is the unsigned maximum.
            either = (symbol == "<") == signed
            result = build.logical_or(lhs, rhs) if either else build.logical_and(lhs, rhs)
        elif signed:
            result = build.conditional(build.compare(symbol, lhs, rhs), lhs, rhs)
        else:
            pattern = unsigned(lhs.type)
            smaller = build.compare(symbol, build.cast(lhs, pattern), build.cast(rhs, pattern))
            result = build.conditional(smaller, lhs, rhs)
        at.define(op.result, result)

    return lower


def _bitwise(symbol: str) -> Pattern:
    """Pattern of `&`, `|`, `^`."""

    def lower(op: arith.AndIOp | arith.OrIOp | arith.XOrIOp, at: Lowering) -> None:
        build = at.build
        lhs, rhs = _operands(op, at)
        if not is_bool(lhs.type):
            if is_narrow(lhs.type):
                result = build.cast(build.binary(symbol, lhs, rhs, i32), lhs.type)
            else:
                result = build.binary(symbol, lhs, rhs, lhs.type)
        elif symbol == "&":
            result = build.logical_and(lhs, rhs)
        elif symbol == "|":
            result = build.logical_or(lhs, rhs)
        elif known(rhs) == 1:
            result = build.logical_not(lhs)
        else:
            result = build.compare("!=", lhs, rhs)
        at.define(op.result, result)

    return lower


def _shift_left(op: arith.ShLIOp, at: Lowering) -> None:
    lhs, rhs = _operands(op, at)
    _refuse_bool(op, lhs)
    amount, is_plain = known(rhs), IntegerOverflowFlag.NSW in op.overflow_flags.data
    if amount is not None and is_plain and 0 <= amount < bits(lhs.type) - 1:
        at.define(op.result, at.build.integer("*", lhs, at.build.constant(1 << amount, lhs.type)))
    else:
        at.define(op.result, at.build.wrapped("<<", lhs, rhs))


def _multiply_extended(op: arith.MulSIExtendedOp | arith.MulUIExtendedOp, at: Lowering) -> None:
    """Low and high half of the double-width product; up to 32 bits."""
    build = at.build
    lhs, rhs = at.value(op.lhs), at.value(op.rhs)
    type = c_type(op.low.type)
    if bits(type) > 32 or is_bool(type):
        raise PassFailedException(f"'{op.name}' op on {type} cannot be lowered to C: no type is wide enough")
    wide = i64
    if isinstance(op, arith.MulUIExtendedOp):
        wide = unsigned(i64)
        lhs, rhs = build.cast(lhs, unsigned(type)), build.cast(rhs, unsigned(type))
    product = build.binary("*", build.cast(lhs, wide), build.cast(rhs, wide), wide)
    width = build.constant(bits(type), i32)
    at.define(op.low, build.cast(product, type))
    at.define(op.high, build.cast(build.binary(">>", product, width, wide), type))


def _add_extended(op: arith.AddUIExtendedOp, at: Lowering) -> None:
    """Unsigned sum and its carry."""
    build = at.build
    lhs, rhs = at.value(op.lhs), at.value(op.rhs)
    _refuse_bool(op, lhs)
    pattern = unsigned(lhs.type)
    total = build.wrapped("+", lhs, rhs)
    at.define(op.sum, total)
    at.define(op.overflow, build.compare("<", build.cast(total, pattern), build.cast(lhs, pattern)))


def _refuse_bool(op: object, value: SSAValue) -> None:
    if is_bool(value.type):
        raise PassFailedException(f"'{getattr(op, 'name', op)}' op on i1 cannot be lowered to C")


PATTERNS: Patterns = {
    arith.AddiOp: _overflowing("+", "!="),
    arith.SubiOp: _overflowing("-", "!="),
    arith.MuliOp: _overflowing("*", "&&"),
    arith.DivSIOp: _signed("/"),
    arith.RemSIOp: _signed("%"),
    arith.DivUIOp: _unsigned("/"),
    arith.RemUIOp: _unsigned("%"),
    arith.ShRUIOp: _unsigned(">>"),
    arith.FloorDivSIOp: _numbers(partial(_rounded_quotient, up=False)),
    arith.CeilDivSIOp: _numbers(partial(_rounded_quotient, up=True)),
    arith.CeilDivUIOp: _numbers(_ceil_unsigned),
    arith.MinSIOp: _choice("<", signed=True),
    arith.MaxSIOp: _choice(">", signed=True),
    arith.MinUIOp: _choice("<", signed=False),
    arith.MaxUIOp: _choice(">", signed=False),
    arith.AndIOp: _bitwise("&"),
    arith.OrIOp: _bitwise("|"),
    arith.XOrIOp: _bitwise("^"),
    arith.ShLIOp: _shift_left,
    arith.ShRSIOp: _signed(">>"),
    arith.MulSIExtendedOp: _multiply_extended,
    arith.MulUIExtendedOp: _multiply_extended,
    arith.AddUIExtendedOp: _add_extended,
}
