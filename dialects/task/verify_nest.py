"""Verification of `task.nest`."""

from __future__ import annotations

from xdsl.ir import Attribute, Region
from xdsl.ir.affine import AffineExpr
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
    names = nest.index_names
    for name in names:
        if names.count(name) > 1:
            raise VerifyException(f"'{nest.name}' op name {name} is given twice")
    _verify_expressions(nest)
    for group in nest.GROUPS:
        for access in nest.accesses(group):
            _verify_place(nest, access, group)
    _verify_regions(nest)
    try:
        limits(nest)
        planned_loops(nest)
    except ValueError as error:
        raise VerifyException(f"'{nest.name}' op {error}") from error


def _verify_expressions(nest: Nest) -> None:
    count, dims = len(nest.index_names), len(nest.extents)
    if len(nest.where.data.results) != len(nest.names) or nest.where.data.num_dims != count:
        raise VerifyException(f"'{nest.name}' op where needs one expression over all dimensions for each name")
    if len(nest.maps) != len(nest.operands):
        raise VerifyException(f"'{nest.name}' op needs one map for each operand")
    if any(map.data.num_dims != count for map in nest.maps):
        raise VerifyException(f"'{nest.name}' op maps are over its {count} dimensions and named indices")
    for number, expr in enumerate(nest.where.data.results):
        if any(position >= dims + number for position in _linear(nest, expr).positions()):
            raise VerifyException(f"'{nest.name}' op index {nest.names.data[number].data} uses one that comes later")


def _linear(nest: Nest, expr: AffineExpr) -> Linear:
    try:
        return Linear.of(expr)
    except ValueError as error:
        raise VerifyException(f"'{nest.name}' op {error}") from error


def _verify_place(nest: Nest, access: Access, group: str) -> None:
    what = f"'{nest.name}' op {group.replace('_', ' ')} of {access.type}"
    if len(access.indices) != len(access.shape):
        raise VerifyException(f"{what} has {len(access.indices)} indices for {len(access.shape)} dimensions")
    if access.clip and group != "step_reads":
        raise VerifyException(f"{what} is clipped: only what step reads can be")
    space = len(nest.space.data)
    for d, (expr, extent) in enumerate(zip(access.indices, access.shape, strict=True)):
        _linear(nest, expr)
        form = nest.form(expr)
        if group != "step_reads" and any(position >= space for position, _ in form.terms):
            raise VerifyException(f"{what} depends on a fold dimension in index {d}")
        least, most = form.bounds(nest.extents)
        if not access.clip and 0 not in nest.extents and (least < 0 or most >= extent):
            raise VerifyException(f"{what} runs from {least} to {most} in index {d}, out of its {extent} elements")


def _verify_regions(nest: Nest) -> None:
    folds = bool(nest.fold.data)
    for name, region in (("start", nest.start), ("step", nest.step)):
        if bool(region.blocks) != folds:
            raise VerifyException(
                f"'{nest.name}' op {'needs' if folds else 'has no fold dimensions for'} the region {name}"
            )
    for region in (*((nest.start, nest.step) if folds else ()), nest.finish):
        if len(region.blocks) != 1 or not isinstance(region.block.last_op, YieldOp):
            raise VerifyException(f"'{nest.name}' op regions are one block that ends with task.yield")
    accumulators = [value.type for value in nest.accumulators]
    if folds:
        _verify_region(nest, "start", nest.start, [], accumulators)
        _verify_region(nest, "step", nest.step, accumulators, accumulators)
    written = [access.type.element_type for access in nest.accesses("writes")]
    _verify_region(nest, "finish", nest.finish, accumulators, written)


def _verify_region(
    nest: Nest, name: str, region: Region, accumulators: list[Attribute], yielded: list[Attribute]
) -> None:
    reads = [access.type.element_type for access in nest.accesses(f"{name}_reads")]
    if list(region.block.arg_types) != [*reads, *accumulators]:
        raise VerifyException(f"'{nest.name}' op {name} takes the elements that it reads, then the accumulators")
    if [value.type for value in nest.terminator(region).values] != yielded:
        raise VerifyException(f"'{nest.name}' op {name} must yield {', '.join(map(str, yielded)) or 'nothing'}")
