"""Which arguments of a call that only moves elements are parts of others: what `usmp-views` may turn into views."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.nn.interfaces import shape_of
from ...dialects.nn.movement import Box, Movement, Walk, row_major
from ...dialects.pool import PartAttr
from .kernel import Table, Tensor


def parts_of(op: Operation, arguments: Sequence[Tensor | Table]) -> ArrayAttr[PartAttr] | None:
    """The parts, if the operation moves every element of its results out of, or into, whole tensors.

    That is so where all operands lie side by side in one result (a concatenation), or all results are taken out of one
    operand (a slice, a split, a transposition).
    """
    if not isinstance(op, Movement):
        return None
    places = {a.value: index for index, a in enumerate(arguments) if isinstance(a, Tensor)}
    found: list[PartAttr] = []
    for box in op.boxes():
        operand, result = op.operands[box.operand], op.results[box.result]
        if 0 in box.extents:
            continue
        if box.source is None or operand not in places:
            return None
        taken = _view(box, result, box.target, box.source)
        given = _view(box, operand, box.source, box.target) if taken is None or len(op.operands) > 1 else None
        if taken is None and given is None:
            return None
        part, whole = (result, operand) if given is None else (operand, result)
        walk = taken if given is None else given
        assert walk is not None, "one of the two is known"
        found.append(PartAttr.get(places[part], places[whole], walk.offset, shape_of(part), walk.strides))
    return ArrayAttr(found) if len({part.whole for part in found}) == 1 else None


def _view(box: Box, part: SSAValue, inside: Walk, outside: Walk) -> Walk | None:
    """Return the view of `part`, in its own shape, in the other tensor; None if not all of it is in the box."""
    is_all = box.extents == shape_of(part) and inside == Walk(0, row_major(box.extents))
    is_forwards = all(stride >= 0 for stride in outside.strides)
    return outside if is_all and is_forwards else None
