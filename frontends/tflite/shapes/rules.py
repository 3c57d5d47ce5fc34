"""The table of shape rules: TFLite's built-in name, or `CUSTOM <code>`, to what gives the outputs' shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ....errors import InputError
from ..consistency import MAX_BYTES, MAX_RANK
from ..node import Node, Unsupported
from ..schema import Tensor

Shape = Sequence[int]

Rule = Callable[[Node], Sequence[Shape]]
"""Gives the shapes of all outputs; raises `InputError` (by `node.malformed`) or `Unsupported`."""

_RULES: dict[str, Rule] = {}


def shape_rule(*opcodes: str) -> Callable[[Rule], Rule]:
    """Enter the decorated function for operators."""

    def enter(rule: Rule) -> Rule:
        for opcode in opcodes:
            assert opcode not in _RULES, f"{opcode} has one shape rule"
            _RULES[opcode] = rule
        return rule

    return enter


def infer_shapes(node: Node, custom: Rule | None = None) -> None:
    """Give outputs whose shapes the file leaves open those that follow from the inputs, if there is a rule.

    `custom` is the rule of an operator of the user's own.

    Where the user gave no shapes, the file's stay too if they have as many elements.

    Raises:
        InputError: the inputs' shapes do not go together.
        Unsupported: an output would be empty or too large, or its shape is known at run time only.
    """
    rule = custom or _RULES.get(node.operator.key)
    if rule is None or not any(map(node.graph.leaves_open, node.outputs)):
        return
    try:
        shapes = _shapes(node, rule)
    except (InputError, Unsupported):
        # What the file says may be a scalar all the same; if it is not, the importer knows better what is wrong.
        if node.graph.is_dynamic:
            raise
        return
    for position, (tensor, shape) in enumerate(zip(list(node.outputs), shapes, strict=True)):
        as_given = not node.graph.is_resized and tensor.shape and math.prod(shape) == math.prod(tensor.shape)
        if node.graph.leaves_open(tensor) and tuple(shape) != tensor.shape and not as_given:
            _check(tensor, shape)
            node.reshape_output(position, shape)


def _shapes(node: Node, rule: Rule) -> Sequence[Shape]:
    """Return the shapes that a rule gives, one for each output."""
    try:
        shapes = rule(node)
    except (IndexError, ValueError) as error:
        # A tensor of another rank, or of other than one element, than every sound operator of the kind has.
        ranks = ", ".join(str(list(node.graph.tensors[at].shape)) for at in node.operator.inputs if at != -1)
        raise node.malformed(f"operands of shapes {ranks} do not go together") from error
    if len(shapes) != len(node.outputs):
        raise node.malformed(f"it has {len(node.outputs)} outputs and makes {len(shapes)}")
    return shapes


def _check(tensor: Tensor, shape: Shape) -> None:
    if len(shape) > MAX_RANK:
        raise Unsupported(f"{tensor} would have {len(shape)} dimensions, more than {MAX_RANK}")
    if any(extent < 1 for extent in shape):
        raise Unsupported(f"{tensor} would have the shape {list(shape)}")
    if math.prod(shape) * (tensor.element_type.bits or 8) > 8 * MAX_BYTES:
        raise Unsupported(f"{tensor} of shape {list(shape)} would have more than {MAX_BYTES} bytes")
