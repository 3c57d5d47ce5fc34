"""Operators of the user's own: their C functions, and shape rules that installed packages bring.

An entry point of the group `stillpool.custom_operators` is called like the operator's custom code and loads a function
`shapes(inputs, options)`: from the inputs' shapes and the bytes of the operator's options to the outputs' shapes. It
counts too where a package compiles the operator (`stillpool.operators`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Operation

from ...dialects.custom_types import TYPES
from ...dialects.nn.custom import CustomOp
from ...errors import UsageError
from ...plugins import Plugins
from .node import Node, tensor_type
from .operators import Entry
from .schema import Operator, Tensor

FLEX = "Flex"
"""How the custom codes of TensorFlow's own operators begin."""

ShapeRule = Callable[[Sequence[tuple[int, ...]], bytes], Sequence[Sequence[int]]]
"""`shapes(inputs, options)`."""

SHAPE_RULES: Plugins[ShapeRule] = Plugins("stillpool.custom_operators", "a function that gives shapes", callable)
"""Shape rules of installed packages, by custom code."""

ELEMENTS = tuple(name.upper() for name in TYPES)


class Customs:
    """The user's custom operators.

    Args:
        functions: the C function of each custom code.

    Raises:
        UsageError: the name of a function is none in C.
    """

    def __init__(self, functions: Mapping[str, str]):
        for code, function in functions.items():
            if not (function.isascii() and function.isidentifier()):
                raise UsageError(f"custom operator '{code}': '{function}' is no name of a C function")
        self._functions = functions

    def entry(self, code: str) -> Entry | None:
        """The table's row of a custom operator; None if the user knows no function for it."""
        function = self._functions.get(code)
        if not code or function is None:
            return None
        return Entry(f"CUSTOM {code}", lambda node: _custom(node, function), (0, 1 << 16), None, ELEMENTS)

    def rule(self, code: str) -> Callable[[Node], Sequence[Sequence[int]]] | None:
        """The shape rule of a custom operator, if a package brings one."""
        rule = SHAPE_RULES.load(code) if code else None
        return None if rule is None else lambda node: _shapes(node, rule)

    def remedy(self, operator: Operator) -> str:
        """How an operator that is not known can be compiled."""
        if operator.custom_code.startswith(FLEX):
            return (
                "; it is an operator of TensorFlow itself, which the converter keeps under SELECT_TF_OPS: convert with "
                "TFLITE_BUILTINS alone and put another operation in its place, or give its C function by --custom "
                f"{operator.custom_code}=FUNCTION"
            )
        return f"; give its C function by --custom {operator.custom_code}=FUNCTION" if operator.custom_code else ""


def _shapes(node: Node, rule: ShapeRule) -> Sequence[Sequence[int]]:
    made: Any = rule([tensor.shape for tensor in _inputs(node)], node.operator.custom_options)
    shapes = [tuple(int(extent) for extent in shape) for shape in made]
    if len(shapes) != len(node.outputs):
        raise node.malformed(f"its shape rule gives {len(shapes)} shapes for {len(node.outputs)} outputs")
    return shapes


def _custom(node: Node, function: str) -> Operation:
    tensors = [*_inputs(node), *node.outputs]
    for tensor in tensors:
        node.check_same_type((tensor,), ELEMENTS)
    quantised = [tensor.quantisation for tensor in tensors]
    return node.emit(
        CustomOp(
            function,
            [node.value(tensor) for tensor in _inputs(node)],
            [tensor_type(tensor) for tensor in node.outputs],
            scales=[0.0 if q is None else q.scales[0] for q in quantised],
            zero_points=[0 if q is None else q.zero_points[0] for q in quantised],
            options=node.operator.custom_options,
        )
    )


def _inputs(node: Node) -> list[Tensor]:
    return [node.input(position) for position in range(len(node.operator.inputs))]
