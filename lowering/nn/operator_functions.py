"""The operator functions of a module: operators that compute the same share one.

Two operators share a function if their bodies would be the same text: same operator, shapes and attributes, up to what
is passed as an argument (weights and per-channel tables).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from ...dialects import nn_keys
from ...dialects.fingerprint import fingerprint
from ...dialects.nn.interfaces import HasMacs, shape_of
from ...targets.identifiers import UniqueNames
from .kernel import Table, Tensor
from .registry import build_kernel


def macs_of(op: Operation) -> int:
    """Multiply-accumulates of one execution; 0 for operators that have none."""
    return op.macs() if isinstance(op, HasMacs) else 0


@dataclass
class OperatorFunction:
    """One function and the operators that it computes."""

    function: func.FuncOp
    operators: list[Operation] = field(default_factory=list[Operation])

    def describe(self) -> None:
        """Write the comment: which model operators, their shapes and multiply-accumulates."""
        places: dict[tuple[str, str], list[str]] = {}
        for op in self.operators:
            origin = nn_keys.ORIGIN.get(op.attributes)
            opcode = op.name if origin is None else origin.opcode.data
            places.setdefault((opcode, _signature(op)), []).extend([] if origin is None else [str(origin.index.data)])
        parts = [
            f"{opcode}{' ' if indices else ''}{', '.join(indices)}: {signature}"
            for (opcode, signature), indices in places.items()
        ]
        nn_keys.COMMENT.put(self.function.attributes, "; ".join(parts))


class OperatorFunctions:
    """Finds or makes the function of an operator."""

    def __init__(self, names: UniqueNames):
        self._names = names
        self._made: dict[Hashable, OperatorFunction] = {}

    def function_of(self, op: Operation) -> tuple[func.FuncOp, list[Tensor | Table]]:
        """The function that computes `op`, and what to pass to it."""
        kernel = build_kernel(op)
        function = kernel.finish("operator")
        key = fingerprint(function)
        known = self._made.get(key)
        if known is None:
            function.sym_name = StringAttr(self._names.numbered(op.name.rpartition(".")[2]))
            known = self._made[key] = OperatorFunction(function)
        known.operators.append(op)
        return known.function, kernel.arguments

    @property
    def operations(self) -> Iterator[func.FuncOp]:
        """All functions, commented, in order of creation."""
        for shared in self._made.values():
            shared.describe()
            yield shared.function


def _signature(op: Operation) -> str:
    macs = macs_of(op)
    factors = op.operands[:2] if macs else op.operands
    operands = (" * " if macs else ", ").join(_shape(shape_of(value)) for value in factors)
    results = ", ".join(_shape(shape_of(value)) for value in op.results)
    return f"{operands} -> {results}" + (f", {macs} MACs" if macs else "")


def _shape(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "scalar"
