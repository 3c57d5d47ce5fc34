"""How operands lie: without gaps, or as rows of words."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute

from ...dialects.task import NestOp
from ...dialects.task.syntax import Access


def is_dense(access: Access, element: Attribute) -> bool:
    """Whether an operand is of elements of a type, without a layout of its own."""
    return access.type.element_type == element and access.is_dense


def column(nest: NestOp, access: Access, channel: int) -> int | None:
    """Which word of a channel's row of i32 an access is; None if it is none, or there are others than the channels'."""
    if not access.indices or access.type.element_type != i32:
        return None
    row, *columns = (nest.form(index) for index in access.indices)
    is_row = row.terms == ((channel, 1),) and not row.constant and access.shape[0] == nest.extents[channel]
    if not is_row or len(columns) > 1 or any(column.terms for column in columns):
        return None
    return columns[0].constant if columns else 0
