"""Reading from what `task.join` joins: the part is known when the index along the dimension is."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import JoinOp
from ..builder import Value


def part_of(buffer: SSAValue, at: list[Value]) -> tuple[SSAValue, list[Value]]:
    """The memref that an element really lies in, and its indices there.

    Raises:
        PassFailedException: which part it is depends on a loop.
    """
    if not isinstance(join := buffer.owner, JoinOp):
        return buffer, at
    axis = join.axis.value.data
    index = at[axis]
    if not isinstance(index, int):
        raise PassFailedException(
            f"'{join.name}' op index {axis} changes in a loop: unroll the dimensions of the task that it depends on"
        )
    part, inside = join.part_at(index)
    return part, [*at[:axis], inside, *at[axis + 1 :]]
