"""What a nest reads: other reads at its end, and whether an operand lies without gaps."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...dialects.task import NestOp
from ...dialects.task.syntax import Access


def reading(nest: NestOp, finish_reads: Sequence[Access]) -> NestOp:
    """The nest with other reads at its end, in its place."""
    names = [name.data for name in nest.names]
    made = NestOp(
        nest.space,
        nest.fold,
        zip(names, nest.where.data.results, strict=True),
        [nest.accesses("start_reads"), nest.accesses("step_reads"), finish_reads, nest.accesses("writes")],
        [nest.detach_region(region) for region in (nest.start, nest.step, nest.finish)],
        ordered=nest.ordered is not None,
        schedule=nest.schedule,
        attributes=dict(nest.attributes),
    )
    Rewriter.replace_op(nest, made)
    return made


def is_dense(access: Access, element: Attribute) -> bool:
    """Whether an operand is of elements of a type, without a layout of its own."""
    return access.type.element_type == element and access.is_dense
