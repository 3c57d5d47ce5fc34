"""Where C computes in `int` although the IR says 64 bits.

C gives a literal the narrowest type that holds it, `int` at least, and an operator the type of its operands: of
`1000 << 40` and `(c ? 2000000000 : 7) * 7` the results are `int`. One operand that C sees at full width mends that, a
variable or `INT64_C(7)`; for a shift it must be the left one.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness
from xdsl.dialects.emitc import EmitC_AddOp
from xdsl.ir import Block, Operation, SSAValue

from .arithmetic import (
    BitwiseAndOp,
    BitwiseLeftShiftOp,
    BitwiseNotOp,
    BitwiseOrOp,
    BitwiseRightShiftOp,
    BitwiseXorOp,
    CastOp,
    ConditionalOp,
    DivOp,
    MulOp,
    RemOp,
    SubOp,
    UnaryMinusOp,
    UnaryPlusOp,
)
from .expressions import ExpressionOp
from .variables import ConstantOp

_SHIFTS = frozenset[type[Operation]]((BitwiseLeftShiftOp, BitwiseRightShiftOp))
_BALANCED = frozenset[type[Operation]](
    (EmitC_AddOp, SubOp, MulOp, DivOp, RemOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp)
)
_UNARY = (UnaryMinusOp, UnaryPlusOp, BitwiseNotOp)

IsNamed = Callable[[SSAValue], bool]
"""Whether a value is a variable in C, which has the value's type."""


def must_widen(op: Operation, is_named: IsNamed) -> bool:
    """Whether C would compute a 64-bit operator of two operands in `int`, unless the left one is made wide."""
    if type(op) in _SHIFTS:
        return is_short(op.operands[0], is_named)
    return type(op) in _BALANCED and all(is_short(operand, is_named) for operand in op.operands)


def is_short(value: SSAValue, is_named: IsNamed) -> bool:
    """Whether the C expression of a 64-bit value is made of literals that have the type `int`."""
    value = _behind(value)
    if is_named(value) or not (isinstance(value.type, IntegerType) and value.type.width.data > 32):
        return False
    owner = value.owner
    match owner:
        case ConstantOp():
            return isinstance(owner.value, IntegerAttr) and abs(owner.value.value.data) < 1 << 31
        case ConditionalOp():
            return is_short(owner.true_value, is_named) and is_short(owner.false_value, is_named)
        case ExpressionOp():
            return is_short(owner.root, is_named)
        case CastOp() if owner.source.type == value.type:
            return is_short(owner.source, is_named)
        case _ if isinstance(owner, _UNARY):
            return is_short(owner.operands[0], is_named)
        case _:
            return False


def literals(value: SSAValue) -> list[ConstantOp]:
    """The constants of a short value, of which any one makes it wide by being so itself."""
    owner = _behind(value).owner
    match owner:
        case ConstantOp():
            return [owner]
        case ConditionalOp():
            return literals(owner.true_value)
        case ExpressionOp():
            return literals(owner.root)
        case _:
            assert isinstance(owner, Operation), "the value of an argument is never short"
            return literals(owner.operands[0])


def _behind(value: SSAValue) -> SSAValue:
    """The operand that an argument of an `emitc.expression` stands for."""
    while isinstance(value.owner, Block) and isinstance(expression := value.owner.parent_op(), ExpressionOp):
        value = expression.defs[value.owner.args.index(value)]
    return value


def wide_literal(value: int, type: IntegerType) -> str:
    """A 64-bit literal of `<stdint.h>`."""
    prefix = "U" if type.signedness.data is Signedness.UNSIGNED else ""
    return f"{'-' if value < 0 else ''}{prefix}INT64_C({abs(value)})"
