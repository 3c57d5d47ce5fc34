"""The table of shape rules: TFLite's built-in name to the function that gives the outputs' shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..consistency import MAX_BYTES, MAX_RANK
from ..node import Node, Unsupported
from ..schema import Tensor

Shape = Sequence[int]

Rule = Callable[[Node], Sequence[Shape]]
"""Gives the shapes of all outputs; raises `InputError` (by `node.malformed`) or `Unsupported`."""

_RULES: dict[str, Rule] = {}


def shape_rule(*opcodes: str) -> Callable[[Rule], Rule]:
    """Enter the decorated function for built-in operators."""

    def enter(rule: Rule) -> Rule:
        for opcode in opcodes:
            assert opcode not in _RULES, f"{opcode} has one shape rule"
            _RULES[opcode] = rule
        return rule

    return enter


def infer_shapes(node: Node, custom: Rule | None = None) -> None:
    """Give the operator's outputs the shapes that follow from its inputs; without a rule they keep the file's.

    `custom` is the rule of an operator of the user's own.

    Where the user gave no shapes, the file's stay too if they have as many elements.

    Raises:
        InputError: the inputs' shapes do not go together.
        Unsupported: an output would be empty or too large, or its shape is known at run time only.
    """
    rule = custom or _RULES.get(node.operator.opcode)
    if rule is None:
        return
    try:
        shapes = rule(node)
    except (IndexError, ValueError) as error:
        # A tensor of another rank, or of other than one element, than every sound operator of the kind has.
        ranks = ", ".join(str(list(node.graph.tensors[at].shape)) for at in node.operator.inputs if at != -1)
        raise node.malformed(f"operands of shapes {ranks} do not go together") from error
    if len(shapes) != len(node.outputs):
        raise node.malformed(f"it has {len(node.outputs)} outputs and makes {len(shapes)}")
    for position, (tensor, shape) in enumerate(zip(list(node.outputs), shapes, strict=True)):
        as_given = not node.graph.is_resized and tensor.shape and math.prod(shape) == math.prod(tensor.shape)
        if tuple(shape) != tensor.shape and not as_given:
            _check(tensor, shape)
            node.reshape_output(position, shape)


def _check(tensor: Tensor, shape: Shape) -> None:
    if len(shape) > MAX_RANK:
        raise Unsupported(f"{tensor} would have {len(shape)} dimensions, more than {MAX_RANK}")
    if any(extent < 1 for extent in shape):
        raise Unsupported(f"{tensor} would have the shape {list(shape)}")
    if math.prod(shape) * (tensor.element_type.bits or 8) > 8 * MAX_BYTES:
        raise Unsupported(f"{tensor} of shape {list(shape)} would have more than {MAX_BYTES} bytes")
