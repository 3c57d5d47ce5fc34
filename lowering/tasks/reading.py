"""Nests that read something else at their end."""

from __future__ import annotations

from collections.abc import Sequence

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
