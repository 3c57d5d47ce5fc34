"""Values of the `emitc` dialect as C expressions, with the parentheses that precedence and compilers ask for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.dialects.emitc import (
    EmitC_AddOp,
    EmitC_ApplyOp,
    EmitC_ArrayType,
    EmitC_CallOpaqueOp,
    EmitC_LValueType,
    EmitC_PointerType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import emitc
from ...dialects.emitc.literal_width import must_widen, wide_literal
from .literals import literal
from .names import Names
from .pointers import through_void
from .types import type_name, without_const


class Precedence(IntEnum):
    """How tightly a C expression binds, loosest first."""

    CONDITIONAL = 3
    LOGICAL_OR = 4
    LOGICAL_AND = 5
    BITWISE_OR = 6
    BITWISE_XOR = 7
    BITWISE_AND = 8
    EQUALITY = 9
    RELATIONAL = 10
    SHIFT = 11
    ADDITIVE = 12
    MULTIPLICATIVE = 13
    UNARY = 14
    PRIMARY = 15


P = Precedence

_BINARY: dict[type[Operation], tuple[str, Precedence]] = {
    EmitC_AddOp: ("+", P.ADDITIVE),
    emitc.SubOp: ("-", P.ADDITIVE),
    emitc.MulOp: ("*", P.MULTIPLICATIVE),
    emitc.DivOp: ("/", P.MULTIPLICATIVE),
    emitc.RemOp: ("%", P.MULTIPLICATIVE),
    emitc.BitwiseAndOp: ("&", P.BITWISE_AND),
    emitc.BitwiseOrOp: ("|", P.BITWISE_OR),
    emitc.BitwiseXorOp: ("^", P.BITWISE_XOR),
    emitc.BitwiseLeftShiftOp: ("<<", P.SHIFT),
    emitc.BitwiseRightShiftOp: (">>", P.SHIFT),
    emitc.LogicalAndOp: ("&&", P.LOGICAL_AND),
    emitc.LogicalOrOp: ("||", P.LOGICAL_OR),
}
_COMPARE = {
    "eq": ("==", P.EQUALITY),
    "ne": ("!=", P.EQUALITY),
    "lt": ("<", P.RELATIONAL),
    "le": ("<=", P.RELATIONAL),
    "gt": (">", P.RELATIONAL),
    "ge": (">=", P.RELATIONAL),
}
_UNARY: dict[type[Operation], str] = {
    emitc.UnaryMinusOp: "-",
    emitc.UnaryPlusOp: "+",
    emitc.BitwiseNotOp: "~",
    emitc.LogicalNotOp: "!",
}
_READING = frozenset[type[Operation]]((emitc.CallOp, EmitC_CallOpaqueOp, emitc.LoadOp))
"""Operations whose value may be another one when it is computed later."""
_ARITHMETIC = frozenset({P.ADDITIVE, P.MULTIPLICATIVE})
"""Levels whose mixture every reader knows; compilers warn about unparenthesised mixtures of the others."""
_ASSOCIATIVE = frozenset({"+", "*", "&", "|", "^", "&&", "||"})


@dataclass(frozen=True)
class Text:
    """An expression and how tightly it binds."""

    code: str
    precedence: Precedence

    def within(self, minimum: Precedence) -> str:
        """The code, in parentheses if it binds less tightly than `minimum`."""
        return self.code if self.precedence >= minimum else f"({self.code})"


class Expressions:
    """Turns values into C text."""

    def __init__(self, names: Names):
        self.names = names
        self._bound: dict[SSAValue, SSAValue] = {}
        """Arguments of the expressions being printed, and the operands they stand for."""

    def text(self, value: SSAValue) -> Text:
        """The expression that stands for `value` where it is used."""
        value = self._bound.get(value, value)
        if value in self.names:
            return Text(self.names[value], P.PRIMARY)
        if isinstance(value.owner, Block):
            raise DiagnosticException(f"target c: block argument {value} has no name")
        return self.operation(value.owner)

    def code(self, value: SSAValue, minimum: Precedence = P.CONDITIONAL) -> str:
        """The expression as a string, in parentheses if it binds less tightly than `minimum`."""
        return self.text(value).within(minimum)

    def operation(self, op: Operation) -> Text:
        """The expression that computes the result of `op`.

        Raises:
            DiagnosticException: C has no such expression.
        """
        if (binary := _BINARY.get(type(op))) is not None:
            return self._binary(op, *binary)
        if (unary := _UNARY.get(type(op))) is not None:
            operand = self.code(op.operands[0], P.UNARY)
            # `--x` and `++x` are other operators.
            return Text(f"{unary}({operand})" if operand.startswith(unary) else f"{unary}{operand}", P.UNARY)
        match op:
            case emitc.ExpressionOp():
                return self._expression(op)
            case emitc.ConstantOp():
                return self._constant(op.value)
            case emitc.LiteralOp():
                return Text(op.value.data, P.PRIMARY)
            case emitc.GetGlobalOp():
                return Text(op.symbol_name, P.PRIMARY)
            case emitc.LoadOp():
                return self.text(op.operand)
            case emitc.SubscriptOp():
                indices = "".join(f"[{self.code(index)}]" for index in op.indices)
                return Text(f"{self.code(op.value, P.PRIMARY)}{indices}", P.PRIMARY)
            case emitc.MemberOp():
                return Text(f"{self.code(op.operand, P.PRIMARY)}.{op.member.data}", P.PRIMARY)
            case emitc.MemberOfPtrOp():
                return Text(f"{self.code(op.operand, P.PRIMARY)}->{op.member.data}", P.PRIMARY)
            case emitc.AddressOfOp():
                return Text(f"&{self.code(op.reference, P.UNARY)}", P.UNARY)
            case emitc.DereferenceOp():
                return Text(f"*{self.code(op.pointer, P.UNARY)}", P.UNARY)
            case EmitC_ApplyOp():
                return Text(f"{op.applicableOperator.data}{self.code(op.operand, P.UNARY)}", P.UNARY)
            case emitc.CastOp():
                return self._cast(op)
            case emitc.CmpOp():
                return self._compare(op)
            case emitc.ConditionalOp():
                condition = self.code(op.condition, P.LOGICAL_OR)
                values = [self.code(value, P.LOGICAL_OR) for value in (op.true_value, op.false_value)]
                return Text(f"{condition} ? {values[0]} : {values[1]}", P.CONDITIONAL)
            case emitc.CallOp():
                return self._call(op.callee.string_value(), [self.code(arg) for arg in op.args])
            case EmitC_CallOpaqueOp():
                return self._call(op.callee.data, self._opaque_arguments(op))
            case _:
                raise DiagnosticException(f"target c: operation {op.name} is no C expression")

    def _constant(self, value: Attribute) -> Text:
        code = literal(value)
        return Text(code, P.UNARY if code.startswith("-") else P.PRIMARY)

    def _expression(self, op: emitc.ExpressionOp) -> Text:
        saved = dict(self._bound)
        for argument, operand in zip(op.region.block.args, op.defs, strict=True):
            self._bound[argument] = saved.get(operand, operand)
        text = self.text(op.root)
        self._bound = saved
        return text

    def _binary(self, op: Operation, symbol: str, precedence: Precedence) -> Text:
        lhs, rhs = op.operands
        left = self._wide(lhs) if must_widen(op, self.names.__contains__) else self.text(lhs)
        right = self.text(rhs)
        return Text(
            f"{_operand(left, symbol, precedence, is_left=True)} {symbol} "
            f"{_operand(right, symbol, precedence, is_left=False)}",
            precedence,
        )

    def _wide(self, value: SSAValue) -> Text:
        """The expression of a 64-bit value, to which C would give the type `int`, with its own type."""
        value = self._bound.get(value, value)
        type = value.type
        assert isinstance(type, IntegerType), "only integers have literals of several widths"
        if isinstance(value.owner, emitc.ConstantOp) and isinstance(value.owner.value, IntegerAttr):
            code = wide_literal(value.owner.value.value.data, type)
            return Text(code, P.UNARY if code.startswith("-") else P.PRIMARY)
        return Text(f"({type_name(type)}){self.code(value, P.UNARY)}", P.UNARY)

    def _compare(self, op: emitc.CmpOp) -> Text:
        if op.predicate_name not in _COMPARE:
            raise DiagnosticException("target c: C has no three-way comparison")
        symbol, precedence = _COMPARE[op.predicate_name]
        sides = [self.code(side, P.SHIFT) for side in (op.lhs, op.rhs)]
        return Text(f"{sides[0]} {symbol} {sides[1]}", precedence)

    def _cast(self, op: emitc.CastOp) -> Text:
        if without_const(op.source.type) == type_name(op.dest.type):
            return self.text(op.source)
        if (decayed := self._added_const(op)) is not None:
            return self.text(decayed)
        return Text(f"({type_name(op.dest.type)}){through_void(op)}{self.code(op.source, P.UNARY)}", P.UNARY)

    def _added_const(self, op: emitc.CastOp) -> SSAValue | None:
        """The array or pointer that C converts to the cast's pointer to const by itself."""
        if not isinstance(op.dest.type, EmitC_PointerType):
            return None
        pointee = type_name(op.dest.type.pointee_type)
        source = self._bound.get(op.source, op.source)
        if isinstance(source.owner, emitc.CastOp) and isinstance(source.owner.source.type, EmitC_ArrayType):
            source = source.owner.source
        if isinstance(source.type, EmitC_ArrayType):
            element, is_flat = source.type.get_element_type(), len(source.type.get_shape()) == 1
        elif isinstance(source.type, EmitC_PointerType):
            element, is_flat = source.type.pointee_type, True
        else:
            return None
        return source if is_flat and pointee == f"const {type_name(element)}" else None

    def _call(self, callee: str, arguments: list[str]) -> Text:
        return Text(f"{callee}({', '.join(arguments)})", P.PRIMARY)

    def _opaque_arguments(self, op: EmitC_CallOpaqueOp) -> list[str]:
        if op.template_args is not None:
            raise DiagnosticException("target c: C has no template arguments")
        if op.args is None:
            return [self.code(arg) for arg in op.call_args]
        return [
            self.code(op.call_args[arg.value.data])
            if isinstance(arg, IntegerAttr) and type_name(arg.type) == "size_t"
            else literal(arg)
            for arg in op.args.data
        ]

    def depends_on(self, value: SSAValue, variable: SSAValue) -> bool:
        """Whether the expression printed for `value` mentions `variable`."""
        if value is variable:
            return True
        if value in self.names or isinstance(value.owner, Block):
            return False
        return any(self.depends_on(operand, variable) for operand in value.owner.operands)

    @staticmethod
    def reads_memory(op: emitc.ExpressionOp) -> bool:
        """Whether the value of an expression depends on when it is computed."""
        return any(isinstance(operand.type, EmitC_LValueType) for operand in op.defs) or any(
            type(inner) in _READING for inner in op.region.block.ops
        )


def _operand(text: Text, symbol: str, precedence: Precedence, *, is_left: bool) -> str:
    """One side of a binary operator."""
    if text.precedence > P.MULTIPLICATIVE:
        return text.code
    if precedence in _ARITHMETIC:
        needs = text.precedence < precedence or (text.precedence == precedence and not is_left)
    else:
        same = text.precedence == precedence and is_left and symbol in _ASSOCIATIVE
        compared = symbol in ("&&", "||") and text.precedence in (P.EQUALITY, P.RELATIONAL)
        needs = not (same or compared)
    return f"({text.code})" if needs else text.code
