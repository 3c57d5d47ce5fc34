"""How steps that make other nests are carried out: each has a function, which also says why it is not legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.ir.affine import AffineDimExpr, AffineExpr
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException, VerifyException

from ....dialects.operations import all_of
from ....dialects.task import IndexOp, NestOp, ScheduleAttr
from ....dialects.task.domain import DimsAttr
from ....dialects.task.join import decided_steps
from ....dialects.task.loops import planned_loops
from ....dialects.task.step import Rewrite
from ....dialects.task.syntax import Access
from ...constants import Constants
from ..function_block import outermost


@dataclass(frozen=True)
class Made:
    """What takes the place of a nest."""

    nests: Sequence[NestOp]
    """Those that the other steps are for."""
    before: Sequence[NestOp] = ()
    """Those that come before them, with no other schedule than joined operands need."""
    buffers: Sequence[memref.AllocOp] = ()
    """Scratch memory that they share."""


_Step = TypeVar("_Step", bound=Rewrite)
_Function: TypeAlias = Callable[[_Step, NestOp, Constants], Made]

_FUNCTIONS: dict[type[Rewrite], _Function[Any]] = {}


def rewrites(kind: type[_Step]) -> Callable[[_Function[_Step]], _Function[_Step]]:
    """Register the function that carries out a step, which packages may bring, too.

    It is given the step, the nest, and the constants of the module. Its nests are in no block yet, and no schedule is
    looked at. If it raises `ValueError`, the step is not legal, and nothing changed.
    """

    def register(function: _Function[_Step]) -> _Function[_Step]:
        _FUNCTIONS[kind] = function
        return function

    return register


def rewrite_nests(module: ModuleOp) -> None:
    """Carry out the steps that make other nests, as far as schedules have them.

    Raises:
        PassFailedException: one of them is not legal.
    """
    constants = Constants(module)
    for nest in [one for one in all_of(module, NestOp) if one.step_of(Rewrite) is not None]:
        try:
            apply_steps(nest, constants)
        except ValueError as error:
            raise PassFailedException(f"'{NestOp.name}' op {error}") from error


def apply_steps(nest: NestOp, constants: Constants) -> list[NestOp]:
    """Carry out the first steps of a nest's schedule as far as they make other nests; all that take its place.

    Raises:
        ValueError: one of them is not legal; says which, and why.
    """
    if not nest.steps or not isinstance(step := nest.steps[0], Rewrite):
        return [nest]
    # What steps say of dimensions alone.
    planned_loops(nest)
    try:
        if (function := _FUNCTIONS.get(type(step))) is None:
            raise ValueError("the package that brings the step registers no function that carries it out")
        made = function(step, nest, constants)
        rest = nest.steps[1:]
        for new in made.nests:
            new.schedule = ScheduleAttr(rest) if rest else None
        for new in made.before:
            new.schedule = ScheduleAttr(steps) if (steps := decided_steps(new)) else None
        Rewriter.insert_op(made.buffers, InsertPoint.before(outermost(nest)))
        Rewriter.replace_op(nest, [*made.before, *made.nests], [])
        for new in (*made.before, *made.nests):
            new.verify()
    except (ValueError, VerifyException) as error:
        raise ValueError(f"{step}: {error}") from error
    return [done for one in made.nests for done in apply_steps(one, constants)]


def rehearsed(nest: NestOp) -> tuple[list[NestOp], Constants]:
    """What the first steps of a nest's schedule make of it, in a copy of its module, and the constants of that.

    Raises:
        ValueError: one of them is not legal.
    """
    module = nest.get_toplevel_object()
    assert isinstance(module, Operation), "functions stand in modules"
    number = all_of(module, NestOp).index(nest)
    copy = module.clone()
    made = all_of(copy, NestOp)[number]
    assert isinstance(copy, ModuleOp | func.FuncOp), "tasks stand in functions"
    constants = Constants(copy if isinstance(copy, ModuleOp) else ModuleOp([copy]))
    return apply_steps(made, constants), constants


def remade(
    nest: NestOp,
    *,
    space: Sequence[tuple[str, int]] | None = None,
    fold: Sequence[tuple[str, int]] | None = None,
    dims: Sequence[AffineExpr] | None = None,
    accesses: Mapping[str, Sequence[Access]] = MappingProxyType({}),
    regions: Sequence[Region] | None = None,
) -> NestOp:
    """A nest like another one.

    Args:
        nest: the other.
        space: its dimensions; the same by default.
        fold: likewise.
        dims: what the dimensions of the other are in those of the new one, in order.
        accesses: those of some groups, over the dimensions of the other; the same by default.
        regions: copies of its regions by default.

    Raises:
        ValueError: a region asks for the place along a dimension whose places are others in the new nest.
    """
    new_space, new_fold = (nest.space.data if space is None else space), (nest.fold.data if fold is None else fold)
    count = len(new_space) + len(new_fold)
    asked = {op.dim.data for region in regions or nest.regions for op in all_of(region, IndexOp)}
    for name, dim in zip((*nest.space.names, *nest.fold.names), dims or (), strict=bool(dims)):
        is_same = isinstance(dim, AffineDimExpr) and (*new_space, *new_fold)[dim.position][0] == name
        if name in asked and not is_same:
            raise ValueError(f"the place along {name} is asked for")
    named = [AffineExpr.dimension(count + n) for n in range(len(nest.names))]

    def moved(expr: AffineExpr) -> AffineExpr:
        return expr if dims is None else expr.replace_dims_and_symbols([*dims, *named], [])

    return NestOp(
        DimsAttr(tuple(new_space)),
        DimsAttr(tuple(new_fold)),
        [(name.data, moved(expr)) for name, expr in zip(nest.names, nest.where.data.results, strict=True)],
        [
            [
                replace(access, indices=tuple(map(moved, access.indices)))
                for access in accesses.get(group, nest.accesses(group))
            ]
            for group in nest.GROUPS
        ],
        regions or [region.clone() for region in nest.regions],
        ordered=nest.ordered is not None,
        attributes=dict(nest.attributes),
    )


def reading(nest: NestOp, finish_reads: Sequence[Access]) -> NestOp:
    """The nest with other reads at its end, in its place; operations in its regions stay what they are."""
    regions = [nest.detach_region(region) for region in (nest.start, nest.step, nest.finish)]
    made = remade(nest, accesses={"finish_reads": finish_reads}, regions=regions)
    made.schedule = nest.schedule
    Rewriter.replace_op(nest, made)
    return made


def position(nest: NestOp, name: str) -> int:
    """The number of a dimension among those of space and fold.

    Raises:
        ValueError: there is none of that name.
    """
    names = [*nest.space.names, *nest.fold.names]
    if name not in names:
        raise ValueError(f"there is no dimension {name} ({', '.join(names)})")
    return names.index(name)
