"""Equal operations on equal operands are computed, and equal constants stored, once."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.transforms.common_subexpression_elimination import cse

from ...dialects import nn_keys


def merge_equal(module: ModuleOp) -> None:
    """XDSL's elimination of common subexpressions, with names and origins set aside."""
    aside: dict[Operation, dict[str, Attribute]] = {}
    names = (nn_keys.ORIGIN.name, nn_keys.NAME.name)
    for op in module.walk():
        described = {name: value for name, value in op.attributes.items() if name in names}
        if described:
            aside[op] = described
            for name in described:
                del op.attributes[name]
    cse(module)
    for op in module.walk():
        op.attributes |= aside.get(op, {})
