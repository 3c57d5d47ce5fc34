"""Emits `nn` operations while a model file is read: every door folds constants and marks origins by this."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..dialects import nn_keys
from ..dialects.nn.attributes import OriginAttr
from ..dialects.nn.constant import ConstantOp
from ..dialects.nn.interfaces import Foldable, tensor_type
from ..dialects.nn.variable import VariableOp
from ..dialects.operations import operations

LARGEST = 1 << 31
"""Elements of which a tensor has fewer: places are signed numbers of 32 bits in the emitted C."""
MOST_FOLDED = 256
"""Elements that a folded constant may have although it is larger than what it is made from."""


def insert(builder: Builder, operation: Operation, origin: OriginAttr, name: str) -> Operation:
    """Insert an operation and mark where it comes from; returns what was inserted.

    What follows from constants alone, and is not larger than they are, becomes a constant at once: shapes are computed
    this way.

    Args:
        builder: where.
        operation: a new one.
        origin: the model's operator.
        name: of a constant that it becomes.
    """
    operation = _folded(operation, name) or operation
    nn_keys.ORIGIN.put(operation.attributes, origin)
    builder.insert(operation)
    return operation


def insert_sound(
    builder: Builder, operation: Operation, origin: OriginAttr, name: str, malformed: Callable[[str], Exception]
) -> Sequence[SSAValue]:
    """Insert as `insert` does and verify at once; return the results, named after the operator.

    Raises:
        Exception: what `malformed` makes of the verifier's words, where the model file broke a rule of the operation.
    """
    inserted = insert(builder, operation, origin, name)
    try:
        inserted.verify_()
    except VerifyException as error:
        raise malformed(str(error)) from error
    for result in inserted.results:
        result.name_hint = name_hint(name)
    return inserted.results


def _folded(operation: Operation, name: str) -> ConstantOp | None:
    owners = [operand.owner for operand in operation.operands]
    constants = [owner for owner in owners if isinstance(owner, ConstantOp)]
    if not isinstance(operation, Foldable) or len(constants) < len(owners) or len(operation.results) != 1:
        return None
    operation.verify_()
    result = tensor_type(operation.results[0])
    arrays = [constant.array for constant in constants]
    if math.prod(result.get_shape()) > max(sum(array.size for array in arrays), MOST_FOLDED):
        return None
    values = operation.fold(arrays)
    if values is None:
        return None
    folded = ConstantOp.of(values[0], result.get_element_type())
    nn_keys.NAME.put(folded.attributes, name)
    operation.erase()
    return folded


def name_hint(name: str) -> str | None:
    """A tensor's name as an SSA name; None if nothing usable remains.

    Numbers at its end go: the printer puts such numbers there itself, and the parser takes them off.
    """
    text = re.sub(r"(_[0-9]*)+$", "", re.sub(r"[^A-Za-z0-9_]+", "_", name.split(";")[0])).strip("_")
    return None if not text else text if not text[0].isdigit() else f"t{text}"


def erase_unused(root: Operation) -> None:
    """Erase constants and variables that nothing uses."""
    for operation in reversed(operations(root)):
        if isinstance(operation, ConstantOp | VariableOp) and not operation.result.uses:
            operation.detach()
            operation.erase()
