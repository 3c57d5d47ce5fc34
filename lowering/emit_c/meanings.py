"""Bodies in C of what operations of `simd` mean: loops of operations that C has anyway, or has a function for."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd.lanes import LanesType, SixteenType
from ...targets.c.statements import Statements
from ...targets.c.types import declaration
from ..simd import loops_of, operands_of
from .constness import Writes
from .form_expressions import form_expressions
from .func_ops import lower_function, use_arguments
from .lowering import Patterns
from .module import Symbols
from .types import c_type

ELEMENTS: Mapping[type[Attribute], str] = {LanesType: "lane", SixteenType: "byte"}
"""Members that hold the elements of vectors, where these are structs."""


class Meanings:
    """Functions of a module that compute operations, in loops."""

    def __init__(self, patterns: Patterns):
        self._patterns = patterns
        self._loops: dict[str, func.FuncOp] = {}

    def inside(self, name: str, op: Operation) -> list[Operation]:
        """The operations of the function of a name, which computes an operation."""
        return operations(self._function(name, op))

    def body(self, name: str, op: Operation) -> str:
        """The lines of its body."""
        lines = self.definition(name, op).partition(") {\n")[2].removesuffix("\n}")
        vectors = [c_type(result.type) for result in op.results if type(result.type) in ELEMENTS]
        for one in vectors:
            lines = f"  {declaration(one, 'result')};\n{lines}\n  return result;"
        return lines

    def definition(self, name: str, op: Operation) -> str:
        """The function."""
        function = self._function(name, op)
        symbols = Symbols(Writes(ModuleOp([function])), {name: name}, {}, frozenset(), {})
        made, _ = lower_function(function, symbols, self._patterns)
        form_expressions(made)
        use_arguments(made)
        _reach_elements(made, op)
        text = StringIO()
        Statements(text, set()).statement(made)
        return text.getvalue().strip().replace("static ", "static inline ", 1)

    def _function(self, name: str, op: Operation) -> func.FuncOp:
        if name not in self._loops:
            self._loops[name] = loops_of(op, name)
        return self._loops[name]


def _reach_elements(function: emitc.FuncOp, op: Operation) -> None:
    """Let vectors that the function is given be the members of structs that hold their elements."""
    block = function.body.block
    values = [*operands_of(op).values(), *op.results]
    for value, argument in zip(values, block.args, strict=False):
        member = ELEMENTS.get(type(value.type)) if isinstance(value, SSAValue) else None
        if member is not None:
            literal = emitc.LiteralOp(f"{argument.name_hint}.{member}", argument.type)
            Rewriter.insert_op(literal, InsertPoint.at_start(block))
            argument.replace_all_uses_with(literal.result)
