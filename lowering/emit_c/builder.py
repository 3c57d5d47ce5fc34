"""Building C level operations: one short method per C construct, with the folding that keeps the C readable."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar, cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, StringAttr, i1, i32
from xdsl.dialects.emitc import EmitC_AddOp, EmitC_CallOpaqueOp, EmitC_OpaqueAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import emitc
from .comparison import COMPARISONS, joint_outcome, outcome
from .literals import in_range, is_minimum, known
from .types import array, bits, is_narrow, lvalue, unsigned, wrapping

OpT = TypeVar("OpT", bound=Operation)

_BINARY = {
    "+": EmitC_AddOp,
    "-": emitc.SubOp,
    "*": emitc.MulOp,
    "/": emitc.DivOp,
    "%": emitc.RemOp,
    "&": emitc.BitwiseAndOp,
    "|": emitc.BitwiseOrOp,
    "^": emitc.BitwiseXorOp,
    "<<": emitc.BitwiseLeftShiftOp,
    ">>": emitc.BitwiseRightShiftOp,
}

_NAMES = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


@lru_cache(maxsize=1 << 12)
def _integer(value: int, type: IntegerType) -> IntegerAttr[IntegerType]:
    """A number of C: the same few are written again and again."""
    return IntegerAttr(value, type)


class Builder:
    """Appends operations to the end of `block`; all values are C values, of the types that `types.c_type` returns."""

    def __init__(self, block: Block):
        self.block = block
        self.includes: set[str] = set()
        """Standard headers that the built code needs."""

    def add(self, op: OpT) -> OpT:
        """Append an operation."""
        self.block.add_op(op)
        return op

    # Values

    def constant(self, value: int | float, type: Attribute) -> SSAValue:
        """A literal; integers are brought into the range of `type`."""
        if isinstance(type, IntegerType):
            assert isinstance(value, int), "an integer type needs an integer value"
            attribute: Attribute = _integer(in_range(value, type), type)
        else:
            attribute = FloatAttr(value, cast("AnyFloat", type))
        return self.add(emitc.ConstantOp(attribute, type)).result

    def binary(self, symbol: str, lhs: SSAValue, rhs: SSAValue, type: Attribute) -> SSAValue:
        """`lhs symbol rhs`; `type` must be the type that C gives it."""
        return self.add(_BINARY[symbol](lhs, rhs, type)).result

    def integer(self, symbol: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Integer operation that is known not to overflow the operands' type; folds neutral and known operands."""
        type = lhs.type
        a, b = known(lhs), known(rhs)
        if a is not None and b is not None and symbol in "+-*":
            return self.constant(a + b if symbol == "+" else a - b if symbol == "-" else a * b, type)
        if (b == 0 and symbol in "+-") or (b == 1 and symbol in "*/"):
            return lhs
        if (a == 0 and symbol == "+") or (a == 1 and symbol == "*"):
            return rhs
        if b is not None and b < 0 and symbol in "+-" and not is_minimum(b, type):
            symbol, rhs = "-" if symbol == "+" else "+", self.constant(-b, type)
        if a == 0 and symbol == "-":
            return self.cast(self.add(emitc.UnaryMinusOp(rhs, i32 if is_narrow(type) else type)).result, type)
        if is_narrow(type):
            return self.cast(self.binary(symbol, lhs, rhs, i32), type)
        return self.binary(symbol, lhs, rhs, type)

    def wrapped(self, symbol: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Integer operation modulo `2**width`, through unsigned arithmetic."""
        type = lhs.type
        wide = wrapping(type)
        return self.cast(self.binary(symbol, self.cast(lhs, wide), self.cast(rhs, wide), wide), type)

    def unsigned(self, symbol: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Integer operation on the operands' bits read as unsigned numbers (`/`, `%`, `>>`)."""
        type = lhs.type
        return self.cast(self.binary(symbol, self.zero_extended(lhs), self.zero_extended(rhs), wrapping(type)), type)

    def zero_extended(self, value: SSAValue) -> SSAValue:
        """The bits of an integer, read as an unsigned number of at least 32 bits."""
        return self.cast(self.cast(value, unsigned(value.type)), wrapping(value.type))

    def cast(self, value: SSAValue, type: Attribute) -> SSAValue:
        """`(type)value`; nothing where the type is the same, a literal where the value is one."""
        if value.type == type:
            return value
        number = known(value)
        if number is not None and isinstance(type, IntegerType):
            return self.constant(in_range(number, type), type)
        owner = value.owner
        if isinstance(owner, emitc.CastOp):
            source = owner.source
            integers = isinstance(value.type, IntegerType) and isinstance(type, IntegerType)
            if integers and source.type == type and bits(value.type) == bits(type):
                # `(uint32_t)(int32_t)x` of a `uint32_t`: sums that wrap around stay unsigned.
                return source
        return self.add(emitc.CastOp(value, type)).result

    def compare(self, symbol: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`lhs symbol rhs` as a bool; simpler where the outcome is known, or one side is a truth value's literal."""
        result = outcome(symbol, lhs, rhs)
        if result is not None:
            return self.constant(int(result), i1)
        for value, other in ((lhs, rhs), (rhs, lhs)):
            if lhs.type == i1 and (literal := known(other)) is not None:
                sides = (1, literal) if value is lhs else (literal, 1)
                return value if COMPARISONS[symbol](*sides) else self.logical_not(value)
        return self.add(emitc.CmpOp(_NAMES[symbol], lhs, rhs)).result

    def conditional(self, condition: SSAValue, true: SSAValue, false: SSAValue) -> SSAValue:
        """`condition ? true : false`."""
        if true is false or known(condition) is not None:
            return true if true is false or known(condition) else false
        return self.add(emitc.ConditionalOp(condition, true, false)).result

    def logical_not(self, value: SSAValue) -> SSAValue:
        """`!value`."""
        if (number := known(value)) is not None:
            return self.constant(1 - number, i1)
        return self.add(emitc.LogicalNotOp(value)).result

    def logical_and(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`lhs && rhs`."""
        return self._joint(emitc.LogicalAndOp, operator.and_, lhs, rhs, neutral=1)

    def logical_or(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`lhs || rhs`."""
        return self._joint(emitc.LogicalOrOp, operator.or_, lhs, rhs, neutral=0)

    def _joint(
        self,
        op: type[emitc.LogicalAndOp | emitc.LogicalOrOp],
        function: Callable[[bool, bool], bool],
        lhs: SSAValue,
        rhs: SSAValue,
        *,
        neutral: int,
    ) -> SSAValue:
        """An operation on truth values; simpler where one side is `neutral`, or decides alone as its opposite does."""
        if lhs is rhs or neutral in (known(lhs), known(rhs)):
            return rhs if known(lhs) == neutral else lhs
        if 1 - neutral in (known(lhs), known(rhs)) or joint_outcome(function, lhs, rhs) is (neutral == 0):
            return self.constant(1 - neutral, i1)
        return self.add(op(lhs, rhs)).result

    def call(
        self, function: str, arguments: Sequence[SSAValue], type: Attribute, header: str | None = None
    ) -> SSAValue:
        """Call of a function of the C library that is declared in `header`, or of one that the unit defines."""
        if header is not None:
            self.includes.add(header)
        return self.add(EmitC_CallOpaqueOp(function, arguments, [type])).res[0]

    def minimum(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """The smaller of two values."""
        return self.conditional(self.compare("<", lhs, rhs), lhs, rhs)

    def maximum(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """The larger of two values."""
        return self.conditional(self.compare(">", lhs, rhs), lhs, rhs)

    # Storage

    def variable(self, type: Attribute, initial: Attribute | None = None) -> SSAValue:
        """A local variable, without initial value unless one is given."""
        value = EmitC_OpaqueAttr(StringAttr("")) if initial is None else initial
        return self.add(emitc.VariableOp(value, lvalue(type))).result

    def local_array(self, elements: int, element: Attribute) -> SSAValue:
        """A local array."""
        return self.add(emitc.VariableOp(EmitC_OpaqueAttr(StringAttr("")), array(elements, element))).result

    def subscript(self, base: SSAValue, index: SSAValue) -> SSAValue:
        """`base[index]`, which can be loaded and assigned to."""
        return self.add(emitc.SubscriptOp(base, [index])).result

    def load(self, place: SSAValue) -> SSAValue:
        """The value of a variable or an array element."""
        return self.add(emitc.LoadOp(place)).result

    def assign(self, place: SSAValue, value: SSAValue) -> None:
        """`place = value;`."""
        self.add(emitc.AssignOp(place, value))
