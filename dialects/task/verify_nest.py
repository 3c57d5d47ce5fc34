"""Verification of `task.nest`."""

from __future__ import annotations

from xdsl.utils.exceptions import VerifyException

from .clipping import limits
from .domain import Linear
from .loops import planned_loops
from .ops import YieldOp
from .structure import Nest
from .syntax import Access


def verify_nest(nest: Nest) -> None:
    """Check names, places, regions and schedule.

    Raises:
        VerifyException: one of them makes no sense.
    """
    try:
        _verify_expressions(nest)
        for group in nest.GROUPS:
            for access in nest.accesses(group):
                _verify_place(nest, access, group)
        _verify_regions(nest)
        limits(nest)
        planned_loops(nest)
    except ValueError as error:
        raise VerifyException(f"'{nest.name}' op {error}") from error


def _verify_expressions(nest: Nest) -> None:
    names, dims = nest.index_names, len(nest.extents)
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"name {name} is given twice")
    if len(nest.where.data.results) != len(nest.names) or nest.where.data.num_dims != len(names):
        raise ValueError("where needs one expression over all dimensions for each name")
    if len(nest.maps) != len(nest.operands):
        raise ValueError("needs one map for each operand")
    if any(map.data.num_dims != len(names) for map in nest.maps):
        raise ValueError(f"maps are over its {len(names)} dimensions and named indices")
    for number, expr in enumerate(nest.where.data.results, dims):
        if any(position >= number for position in Linear.of(expr).positions()):
            raise ValueError(f"index {names[number]} uses one that comes later")


def _verify_place(nest: Nest, access: Access, group: str) -> None:
    what, is_step = f"{group.replace('_', ' ')} of {access.type}", group == "step_reads"
    if len(access.indices) != len(access.shape):
        raise ValueError(f"{what} has {len(access.indices)} indices for {len(access.shape)} dimensions")
    if access.clip and not is_step:
        raise ValueError(f"{what} is clipped: only what step reads can be")
    for d, (form, extent) in enumerate(nest.sides(access)):
        if not is_step and any(position >= len(nest.space.data) for position in form.positions()):
            raise ValueError(f"{what} depends on a fold dimension in index {d}")
        least, most = form.bounds(nest.extents)
        if not access.clip and 0 not in nest.extents and (least < 0 or most >= extent):
            raise ValueError(f"{what} runs from {least} to {most} in index {d}, out of its {extent} elements")


def _verify_regions(nest: Nest) -> None:
    folds = bool(nest.fold.data)
    for name, region in (("start", nest.start), ("step", nest.step), ("finish", nest.finish)):
        if name != "finish" and bool(region.blocks) != folds:
            raise ValueError(f"{'needs' if folds else 'has no fold dimensions for'} the region {name}")
        if not region.blocks:
            continue
        if len(region.blocks) != 1 or not isinstance(region.block.last_op, YieldOp):
            raise ValueError("regions are one block that ends with task.yield")
        given = accumulators = [value.type for value in nest.accumulators]
        reads = [access.type.element_type for access in nest.accesses(f"{name}_reads")]
        if list(region.block.arg_types) != [*reads, *(accumulators if name != "start" else ())]:
            raise ValueError(f"{name} takes the elements that it reads, then the accumulators")
        if name == "finish":
            given = [access.type.element_type for access in nest.accesses("writes")]
        if [value.type for value in nest.terminator(region).values] != given:
            raise ValueError(f"{name} must yield {', '.join(map(str, given)) or 'nothing'}")
