"""Statements and declarations of the `emitc` dialect as C text."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence, Set
from contextlib import contextmanager
from functools import singledispatchmethod
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.emitc import EmitC_ApplyOp, EmitC_CallOpaqueOp, EmitC_OpaqueAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import emitc
from ...dialects.operations import operations
from .alignment import MACRO, alignment, specifier
from .expressions import Expressions, Precedence
from .folding import folded
from .literals import initialiser
from .names import Names
from .types import declaration

_WIDTH = 100
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"[^\"]*\"", re.DOTALL)
_INLINE = frozenset[type[Operation]](
    (
        emitc.ConstantOp,
        emitc.LiteralOp,
        emitc.GetGlobalOp,
        emitc.SubscriptOp,
        emitc.MemberOp,
        emitc.MemberOfPtrOp,
        emitc.DereferenceOp,
    )
)
"""Literals and places: written where they are used, no statement of their own."""


class Statements:
    """Writes operations as C, in order."""

    def __init__(self, stream: IO[str], symbols: Set[str]):
        self._stream = stream
        self._depth = 0
        self._symbols = symbols
        self._names = Names(symbols)
        self._expressions = Expressions(self._names)
        self._initialised: set[Operation] = set()
        """Assignments that are part of a declaration already written."""

    def line(self, text: str = "") -> None:
        """Write one line at the current depth; a long one as several, the rows of initialisers as they are."""
        first, *rest = f"{'  ' * self._depth}{text}".split("\n") if text else [""]
        self._stream.write("\n".join([*folded(first), *rest, ""]))

    @contextmanager
    def _indented(self) -> Generator[None]:
        self._depth += 1
        with self._names.scope():
            yield
        self._depth -= 1

    def block(self, block: Block) -> None:
        """Write the operations of a block."""
        # Binding the method that asks for classes takes longer than most statements.
        write = self.statement
        for op in block.ops:
            if type(op) not in _INLINE and op not in self._initialised:
                write(op)

    def _declare(self, value: SSAValue, text: str | None) -> None:
        name = self._names.declare(value)
        aligned = specifier(value.owner) if isinstance(value.owner, Operation) else ""
        self.line(f"{aligned}{declaration(value.type, name)}{'' if text is None else f' = {text}'};")

    @singledispatchmethod
    def statement(self, op: Operation) -> None:
        """Write one operation; whatever has a result becomes a named variable."""
        if not op.results:
            raise DiagnosticException(f"target c: operation {op.name} is no C statement")
        self._declare(op.results[0], self._expressions.operation(op).code)

    @statement.register
    def _(self, op: ModuleOp) -> None:
        previous: Operation | None = None
        needs_macro = any(alignment(child) is not None for child in operations(op))
        for child in op.body.block.ops:
            if needs_macro and not isinstance(child, emitc.IncludeOp):
                self._stream.write(f"{'' if previous is None else chr(10)}{MACRO}")
                needs_macro = False
            # Functions and big initialisers stand apart; includes and declarations together.
            if previous is not None and (isinstance(child, emitc.FuncOp) or type(child) is not type(previous)):
                self.line()
            self.statement(child)
            previous = child

    @statement.register
    def _(self, op: emitc.FileOp) -> None:
        self.block(op.bodyRegion.block)

    @statement.register
    def _(self, op: emitc.IncludeOp) -> None:
        name = op.include.data
        self.line(f'#include "{name}"' if op.is_standard_include is None else f"#include <{name}>")

    @statement.register
    def _(self, op: emitc.VerbatimOp) -> None:
        text = op.value.data
        if op.fmtArgs:
            parts = text.replace("{{", "\0").split("{}")
            if len(parts) != len(op.fmtArgs) + 1:
                raise DiagnosticException(f"target c: {text!r} does not take {len(op.fmtArgs)} arguments")
            codes = [*(self._expressions.code(arg) for arg in op.fmtArgs), ""]
            text = "".join(part + code for part, code in zip(parts, codes, strict=True)).replace("\0", "{")
        indent = "  " * self._depth
        lines = [part for line in text.splitlines() for part in folded(f"{indent}{line}" if line else "")]
        self._stream.write("\n".join([*lines, ""]))

    @statement.register
    def _(self, op: emitc.GlobalOp) -> None:
        words = [
            word
            for word, present in (
                ("extern", op.extern_specifier),
                ("static", op.static_specifier),
                ("const", op.const_specifier),
            )
            if present is not None
        ]
        value = "" if op.initial_value is None else f" = {initialiser(op.initial_value)}"
        self.line(specifier(op) + " ".join([*words, f"{declaration(op.type, op.sym_name.data)}{value};"]))

    @statement.register
    def _(self, op: emitc.DeclareFuncOp) -> None:
        parent = op.parent
        name = op.sym_name.string_value()
        for other in parent.ops if parent is not None else ():
            if isinstance(other, emitc.FuncOp) and other.sym_name.data == name:
                with self._names.scope():
                    arguments = [declaration(type, "") for type in other.function_type.inputs]
                    self.line(f"{self._signature(other, arguments)};")

    def _signature(self, op: emitc.FuncOp, arguments: Sequence[str]) -> str:
        specifiers = "" if op.specifiers is None else "".join(f"{s.data} " for s in op.specifiers)
        outputs = op.function_type.outputs.data
        result = declaration(outputs[0], op.sym_name.data) if outputs else f"void {op.sym_name.data}"
        head = f"{specifiers}{result}("
        flat = ", ".join(arguments) or "void"
        if len(head) + len(flat) + 3 <= _WIDTH:
            return f"{head}{flat})"
        rows, row = [], ""
        for argument in arguments:
            candidate = f"{row}, {argument}" if row else argument
            if row and len(candidate) + 5 > _WIDTH:
                rows.append(f"{row},")
                row = argument
            else:
                row = candidate
        return "\n    ".join([head, *rows, row]) + ")"

    @statement.register
    def _(self, op: emitc.FuncOp) -> None:
        if op.is_declaration:
            self.line(f"{self._signature(op, [declaration(t, '') for t in op.function_type.inputs])};")
            return
        self._names = Names(self._symbols)
        self._expressions = Expressions(self._names)
        with self._names.scope():
            arguments = [declaration(arg.type, self._names.declare(arg)) for arg in op.body.block.args]
            self.line(f"{self._signature(op, arguments)} {{")
            self._depth += 1
            self.block(op.body.block)
            self._depth -= 1
        self.line("}")

    @statement.register
    def _(self, op: emitc.ReturnOp) -> None:
        if op.operand is not None:
            self.line(f"return {self._expressions.code(op.operand)};")
        elif (parent := op.parent) is not None and not isinstance(parent.parent_op(), emitc.FuncOp):
            self.line("return;")

    @statement.register
    def _(self, op: emitc.YieldOp) -> None:
        assert op.result is None, "yields with a value end expressions and conditions, which print them"

    @statement.register
    def _(self, op: emitc.CallOp) -> None:
        self._call(op)

    @statement.register
    def _(self, op: EmitC_CallOpaqueOp) -> None:
        self._call(op)

    def _call(self, op: Operation) -> None:
        code = self._expressions.operation(op).code
        if op.results and op.results[0].uses:
            self._declare(op.results[0], code)
        else:
            self.line(f"{code};")

    @statement.register
    def _(self, op: emitc.ExpressionOp) -> None:
        if not self._is_inlined(op):
            self._declare(op.result, self._expressions.operation(op).code)

    def _is_inlined(self, op: emitc.ExpressionOp) -> bool:
        """Whether the expression is written where its one use is.

        One that reads memory is so only when no other statement stands between.
        """
        if op.do_not_inline is not None or len(list(op.result.uses)) != 1:
            return False
        (use,) = op.result.uses
        user = use.operation
        if not self._expressions.reads_memory(op) and user.parent is op.parent:
            return True
        at = op.next_op
        while at is not None and at is not user and (type(at) in _INLINE or self._is_silent(at)):
            at = at.next_op
        return at is user or (at is not None and self._is_reached_through(user, at))

    def _is_silent(self, op: Operation) -> bool:
        return isinstance(op, emitc.ExpressionOp) and self._is_inlined(op)

    def _is_reached_through(self, user: Operation, statement: Operation) -> bool:
        """Whether `user` is a place or expression that is printed within `statement`."""
        return type(user) in _INLINE and any(
            use.operation is statement or self._is_reached_through(use.operation, statement)
            for result in user.results
            for use in result.uses
        )

    @statement.register
    def _(self, op: emitc.VariableOp) -> None:
        if not (isinstance(op.value, EmitC_OpaqueAttr) and not op.value.value.data):
            self._declare(op.result, initialiser(op.value))
            return
        assignment = self._next_statement(op)
        if (
            isinstance(assignment, emitc.AssignOp)
            and assignment.var is op.result
            and not self._expressions.depends_on(assignment.value, op.result)
        ):
            text = self._expressions.code(assignment.value)
            self._initialised.add(assignment)
            self._declare(op.result, text)
        else:
            self._declare(op.result, None)

    def _next_statement(self, op: Operation) -> Operation | None:
        """The next operation that is written as a statement of its own."""
        at = op.next_op
        while at is not None and (type(at) in _INLINE or self._is_silent(at)):
            at = at.next_op
        return at

    @statement.register
    def _(self, op: emitc.AssignOp) -> None:
        self.line(f"{self._expressions.code(op.var)} = {self._expressions.code(op.value)};")

    @statement.register
    def _(self, op: emitc.LoadOp) -> None:
        self._declare(op.result, self._expressions.operation(op).code)

    @statement.register
    def _(self, op: EmitC_ApplyOp) -> None:
        self._declare(op.result, self._expressions.operation(op).code)

    @statement.register
    def _(self, op: emitc.ForOp) -> None:
        variable = op.body.block.args[0]
        with self._names.scope():
            lower, upper = self._expressions.code(op.lowerBound), self._expressions.text(op.upperBound)
            name = self._names.declare(variable)
            step = self._expressions.code(op.step)
            advance = f"++{name}" if step in ("1", "1u") else f"{name} += {step}"
            bound = upper.within(Precedence.SHIFT)
            self.line(f"for ({declaration(variable.type, name)} = {lower}; {name} < {bound}; {advance}) {{")
            with self._indented():
                self.block(op.body.block)
            self.line("}")

    @statement.register
    def _(self, op: emitc.IfOp) -> None:
        self.line(f"if ({self._expressions.code(op.condition)}) {{")
        with self._indented():
            self.block(op.thenRegion.block)
        if op.elseRegion.blocks and not _is_empty(op.elseRegion.block):
            self.line("} else {")
            with self._indented():
                self.block(op.elseRegion.block)
        self.line("}")

    @statement.register
    def _(self, op: emitc.DoOp) -> None:
        self.line("do {")
        with self._indented():
            self.block(op.bodyRegion.block)
        condition = op.conditionRegion.block.last_op
        if not isinstance(condition, emitc.YieldOp) or condition.result is None:
            raise DiagnosticException("target c: the condition of emitc.do must yield a value")
        self.line(f"}} while ({self._expressions.code(condition.result)});")

    @statement.register
    def _(self, op: emitc.SwitchOp) -> None:
        self.line(f"switch ({self._expressions.code(op.arg)}) {{")
        labels = [f"case {value}" for value in op.cases.get_values()]
        for label, region in zip([*labels, "default"], [*op.caseRegions, op.defaultRegion], strict=True):
            self.line(f"{label}: {{")
            with self._indented():
                self.block(region.block)
                self.line("break;")
            self.line("}")
        self.line("}")


def _is_empty(block: Block) -> bool:
    return all(isinstance(op, emitc.YieldOp) and op.result is None for op in block.ops)


def module_symbols(module: ModuleOp) -> set[str]:
    """Names that no local may take: names at file scope, called functions, words of C text."""
    found: set[str] = set()
    for op in operations(module):
        match op:
            case emitc.FuncOp() | emitc.GlobalOp():
                found.add(op.sym_name.data)
            case EmitC_CallOpaqueOp():
                found.add(op.callee.data)
            case emitc.VerbatimOp() | emitc.LiteralOp():
                found.update(_WORD.findall(_COMMENT.sub(" ", op.value.data)))
            case emitc.VariableOp() | emitc.ConstantOp() if isinstance(op.value, EmitC_OpaqueAttr):
                found.update(_WORD.findall(op.value.value.data))
            case _:
                pass
    return found
