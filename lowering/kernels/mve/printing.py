"""Kernels as bodies of C functions. Values with a name are variables of that name, others part of what reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.ptr import PtrAddOp
from xdsl.dialects.scf import ForOp, IfOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .instructions import BYTES, LANES, HideOp, Intrinsic

_TYPES: Mapping[Attribute, str] = {BYTES: "int8x16_t", LANES: "int32x4_t"}
_OPERATORS: Mapping[type[Operation], tuple[str, int]] = {
    arith.MuliOp: ("*", 1),
    arith.DivSIOp: ("/", 1),
    arith.RemSIOp: ("%", 1),
    arith.SubiOp: ("-", 2),
    arith.CmpiOp: ("!=", 3),
}
"""Operators of numbers, and how loosely they bind."""
_LOOSEST = 3
_UNEQUAL = 1
"""The predicate."""


def body(kernel: FuncOp, result: str) -> str:
    """Return the body of the C function that a kernel is, whose result has the type `result`.

    Raises:
        VerifyException: a variable has something else than what is read.
    """
    block = kernel.body.block
    assert isinstance(block.last_op, ReturnOp), "verified"
    printer = _Printer(block.args, {block.last_op.operands[0].name_hint: result})
    printer.print(block)
    return "\n".join(printer.lines)


class _Printer:
    """Lines, and the value that each variable has behind them."""

    def __init__(self, inputs: Sequence[SSAValue], types: Mapping[str | None, str]):
        self.lines: list[str] = []
        self._indent = ""
        self._held = {value.name_hint: value for value in inputs}
        self._types = types
        """Types of variables that have one of their own."""

    def print(self, block: Block) -> None:
        for op in block.ops:
            # What has no name is printed by what reads it.
            if not op.results or any(value.name_hint for value in op.results):
                self._statement(op)

    def _statement(self, op: Operation) -> None:
        match op:
            case HideOp():
                hidden = ", ".join(f'"+r"({self._text(pointer)})' for pointer in op.pointers)
                beside = f' : "w"({self._text(op.beside)})' if op.beside else ""
                self._line(f'__asm__("" : {hidden}{beside});')
                self._go_on(op.pointers, op.res)
            case PtrAddOp():
                self._line(f"{self._text(op.addr)} += {self._text(op.offset)};")
                self._go_on([op.addr], [op.result])
            case ForOp():
                number, *carried = op.body.block.args
                name, first, end = number.name_hint, self._text(op.lb), self._text(op.ub)
                assert self._text(op.step) == "1", "loops count"
                self._line(f"for (int32_t {name} = {first}; {name} < {end}; {name}++) {{")
                self._go_on(op.iter_args, carried)
                self._held[name] = number
                self._print_inside(op.body.block, op.results)
                del self._held[name]
            case IfOp():
                (unchanged,) = op.false_region.block.ops
                self._check(unchanged.operands, op.results)
                self._line(f"if ({self._text(op.cond)}) {{")
                self._print_inside(op.true_region.block, op.results)
            case YieldOp():
                pass
            case ReturnOp():
                self._line(f"return {self._text(op.operands[0])};")
            case _:
                (result,) = op.results
                name = result.name_hint
                type = "" if name in self._held else f"{self._types.get(name) or _TYPES[result.type]} "
                self._line(f"{type}{name} = {self._computed(op)};")
                self._held[name] = result

    def _print_inside(self, block: Block, results: Sequence[SSAValue]) -> None:
        """Print a block, behind which variables that were there before have its results."""
        outer, indent = dict(self._held), self._indent
        self._indent += "  "
        self.print(block)
        assert block.last_op, "verified"
        self._go_on(block.last_op.operands, results)
        self._indent = indent
        self._line("}")
        names = {value.name_hint for value in results}
        if any(self._held[name] is not value for name, value in outer.items() if name not in names):
            raise VerifyException("a block changes a variable that it does not carry")
        self._held = {name: self._held[name] for name in outer}

    def _check(self, values: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
        """Check that values are in the variables of others."""
        for value, other in zip(values, others, strict=True):
            if self._text(value) != other.name_hint:
                raise VerifyException(f"{self._text(value)} is not the variable {other.name_hint}")

    def _go_on(self, values: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
        """Have values known as others, in the same variables."""
        self._check(values, others)
        self._held |= {other.name_hint: other for other in others}

    def _text(self, value: SSAValue, limit: int = _LOOSEST) -> str:
        """A value in C, in parentheses if its operator binds more loosely than the limit."""
        name, owner = value.name_hint, value.owner
        if name is not None:
            if self._held.get(name) is not value:
                raise VerifyException(f"{name} has something else than what is read")
            return name
        assert isinstance(owner, Operation), "arguments of blocks have names"
        text = self._computed(owner)
        return f"({text})" if _OPERATORS.get(type(owner), ("", 0))[1] > limit else text

    def _computed(self, op: Operation) -> str:
        """What an operation computes, in C."""
        if isinstance(op, arith.ConstantOp):
            assert isinstance(op.value, IntegerAttr), "kernels have no other constants"
            return str(op.value.value.data)
        if isinstance(op, Intrinsic):
            operands = zip(op.INPUTS, [self._text(value, 0) for value in op.operands], strict=True)
            return op.WRITTEN.format(**dict(operands), **op.constants)
        assert not isinstance(op, arith.CmpiOp) or op.predicate.value.data == _UNEQUAL, "no kernel has another"
        symbol, binds = _OPERATORS[type(op)]
        one, other = op.operands
        return f"{self._text(one, binds)} {symbol} {self._text(other, binds - 1)}"

    def _line(self, text: str) -> None:
        self.lines.append(f"{self._indent}{text}")
