"""Bodies in C of what operations of `simd` mean: loops of operations that C has anyway, or has a function for."""

from __future__ import annotations

from io import StringIO

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.operations import operations
from ...dialects.simd.instruction import functions_named
from ...targets.c.statements import Statements
from ..simd import loops_of
from .constness import Writes
from .form_expressions import form_expressions
from .func_ops import lower_function, use_arguments
from .lowering import Patterns
from .module import Symbols

_PURE = frozenset(functions_named())
"""What instructions are in C."""


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
        return self.definition(name, op).partition(") {\n")[2].removesuffix("\n}")

    def definition(self, name: str, op: Operation) -> str:
        """The function."""
        function = self._function(name, op)
        symbols = Symbols(Writes(ModuleOp([function])), {name: name}, {}, frozenset(), {})
        made, _ = lower_function(function, symbols, self._patterns)
        form_expressions(made, pure=_PURE)
        use_arguments(made)
        text = StringIO()
        Statements(text, set()).statement(made)
        return text.getvalue().strip().replace("static ", "static inline ", 1)

    def _function(self, name: str, op: Operation) -> func.FuncOp:
        if name not in self._loops:
            self._loops[name] = loops_of(op, name)
        return self._loops[name]
