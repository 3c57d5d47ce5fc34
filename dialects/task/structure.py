"""What a nest is made of: its domain, its operands and where they are read and written, its regions, its schedule.

What says which schedules a nest allows stands on this; `task.nest` itself, which asks them all, on those.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, MemRefType, StringAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, opt_prop_def, prop_def, region_def, var_operand_def

from ..strides import row_major
from .domain import DimsAttr, Linear, composed
from .ops import YieldOp
from .schedule import ScheduleAttr
from .step import Step
from .syntax import Access

_EXTENTS, _FORMS, _PLACES = "known extents", "known forms", "known places"
"""Facts that a nest remembers of its domain, which nobody changes; a copy begins anew."""

_Step = TypeVar("_Step", bound=Step)


class Nest(IRDLOperation):
    """Base of `task.nest`."""

    start_reads = var_operand_def(MemRefType)
    step_reads = var_operand_def(MemRefType)
    finish_reads = var_operand_def(MemRefType)
    writes = var_operand_def(MemRefType)

    space = prop_def(DimsAttr)
    fold = prop_def(DimsAttr)
    ordered = opt_prop_def(UnitAttr)
    names = prop_def(ArrayAttr[StringAttr])
    """Names of the indices that `where` defines; one that begins with an underscore names nothing in what is
    emitted."""
    where = prop_def(AffineMapAttr)
    """Over all dimensions and named indices; an index may use those before it."""
    maps = prop_def(ArrayAttr[AffineMapAttr])
    """Place of every operand, over the dimensions and named indices."""
    clips = prop_def(DenseArrayBase.constr(i64))
    """Numbers of the operands that are clipped."""
    schedule = opt_prop_def(ScheduleAttr)

    start = region_def()
    step = region_def()
    finish = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    GROUPS: ClassVar[tuple[str, ...]] = ("start_reads", "step_reads", "finish_reads", "writes")

    def __init__(
        self,
        space: DimsAttr,
        fold: DimsAttr,
        where: Iterable[tuple[str, AffineExpr]],
        accesses: Sequence[Sequence[Access]],
        regions: Sequence[Region],
        *,
        ordered: bool = False,
        schedule: ScheduleAttr | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        """Make a nest.

        Args:
            space: space dimensions.
            fold: fold dimensions, none for elementwise tasks.
            where: named indices, in order.
            accesses: reads of start, step and finish, then writes.
            regions: start, step, finish; without fold dimensions the first two are empty.
            ordered: whether the fold must run in order.
            schedule: the loops, if they are decided.
            attributes: further attributes.
        """
        named = list(where)
        count = len(space.data) + len(fold.data) + len(named)
        flat = [access for group in accesses for access in group]
        super().__init__(
            operands=[[access.buffer for access in group] for group in accesses],
            properties={
                "space": space,
                "fold": fold,
                "ordered": UnitAttr() if ordered else None,
                "names": ArrayAttr(StringAttr(name) for name, _ in named),
                "where": AffineMapAttr(AffineMap(count, 0, tuple(expr for _, expr in named))),
                "maps": ArrayAttr(AffineMapAttr(AffineMap(count, 0, access.indices)) for access in flat),
                "clips": DenseArrayBase.from_list(i64, [n for n, access in enumerate(flat) if access.clip]),
                "schedule": schedule,
            },
            attributes=attributes or {},
            regions=list(regions),
        )

    @property
    def index_names(self) -> tuple[str, ...]:
        """Names of all dimensions of the maps: space, fold, named indices."""
        return (*self.space.names, *self.fold.names, *(name.data for name in self.names))

    @property
    def extents(self) -> tuple[int, ...]:
        """Extents of the space, then of the fold dimensions."""
        known: tuple[int, ...] | None = vars(self).get(_EXTENTS)
        if known is None:
            known = vars(self)[_EXTENTS] = tuple(extent for _, extent in (*self.space.data, *self.fold.data))
        return known

    @property
    def folds(self) -> range:
        """Positions of the fold dimensions among all dimensions."""
        return range(len(self.space.data), len(self.extents))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps of its schedule; none without one."""
        return () if self.schedule is None else self.schedule.data

    @contextmanager
    def scheduled(self, steps: Sequence[Step]) -> Generator[None]:
        """Let it have a schedule meanwhile.

        Raises:
            ValueError: as `ScheduleAttr.of`.
        """
        before, self.schedule = self.schedule, ScheduleAttr.of(self, steps)
        try:
            yield
        finally:
            self.schedule = before

    def step_of(self, kind: type[_Step]) -> _Step | None:
        """Return the first step of a kind that its schedule has."""
        for step in self.steps:
            if isinstance(step, kind):
                return step
        return None

    def required_step(self, kind: type[_Step]) -> _Step:
        """Return the first step of a kind that its schedule has for sure."""
        step = self.step_of(kind)
        assert step is not None, "the schedule has the step"
        return step

    def accesses(self, group: str) -> list[Access]:
        """The accesses of one of `GROUPS`."""
        known: dict[str, Sequence[tuple[tuple[AffineExpr, ...], bool]]] = vars(self).setdefault(_PLACES, {})
        if group not in known:
            first = sum(len(getattr(self, other)) for other in self.GROUPS[: self.GROUPS.index(group)])
            clipped = set(self.clips.get_values())
            places = enumerate(self.maps.data[first : first + len(getattr(self, group))], first)
            known[group] = [(place.data.results, number in clipped) for number, place in places]
        return [Access(operand, *place) for operand, place in zip(getattr(self, group), known[group], strict=True)]

    def steps_along(self, access: Access, dim: int) -> list[int]:
        """How far each index of an access moves from one point of a dimension to the next."""
        return [self.form(index).coefficient(dim) for index in access.indices]

    def stride(self, access: Access, dim: int) -> int:
        """How many elements further the next point of a dimension lies, in memory without gaps."""
        strides = row_major(access.shape)
        return sum(step * stride for step, stride in zip(self.steps_along(access, dim), strides, strict=True))

    def lies_along(self, access: Access, dim: int) -> bool:
        """Whether the points of a dimension lie side by side: one after the other along the last index alone."""
        return self.steps_along(access, dim) == [0] * (len(access.indices) - 1) + [1]

    def column(self, access: Access, dim: int) -> int | None:
        """Which i32 of a row an access is, where each point of a dimension has a row; None if it is anything else."""
        if not access.indices or access.type.element_type != i32:
            return None
        row, *columns = (self.form(index) for index in access.indices)
        is_row = row.terms == ((dim, 1),) and not row.constant and access.shape[0] == self.extents[dim]
        if not is_row or len(columns) > 1 or any(column.terms for column in columns):
            return None
        return columns[0].constant if columns else 0

    def dims_of(self, access: Access) -> set[int]:
        """Dimensions on which the place of an access depends."""
        return {position for index in access.indices for position in self.form(index).positions()}

    def dims_of_read(self, read: int) -> set[int]:
        """Dimensions on which the place of something that the step reads depends."""
        return self.dims_of(self.accesses("step_reads")[read])

    def sides(self, access: Access) -> list[tuple[Linear, int]]:
        """Each index of an access over space and fold dimensions, with the extent of the buffer along it."""
        return [(self.form(index), extent) for index, extent in zip(access.indices, access.shape, strict=True)]

    @property
    def repeats(self) -> bool:
        """Whether points may be computed twice: nothing is read that is written."""
        return not self.writes_any((*self.start_reads, *self.step_reads, *self.finish_reads))

    def writes_any(self, values: Iterable[SSAValue]) -> bool:
        """Whether it writes to one of some memrefs, as far as is known here: to what it is a view or a part of."""
        return not _behind(self.writes).isdisjoint(_behind(values))

    def form(self, expr: AffineExpr) -> Linear:
        """An index with named indices put in: over space and fold dimensions alone."""
        forms: dict[AffineExpr, Linear] = vars(self).setdefault(_FORMS, {})
        found = forms.get(expr)
        if found is None:
            dimensions = composed(len(self.extents), self.where.data.results)
            found = forms[expr] = Linear.of(expr.replace_dims_and_symbols(dimensions, []))
        return found

    @staticmethod
    def terminator(region: Region) -> YieldOp:
        """The end of a region."""
        last = region.block.last_op
        assert isinstance(last, YieldOp), "verified: regions of nests end with a yield"
        return last

    @property
    def accumulators(self) -> Sequence[SSAValue]:
        """Return the results of `start`; their types are those of the accumulators."""
        return self.terminator(self.start).values if self.start.blocks else ()


def _behind(values: Iterable[SSAValue]) -> set[SSAValue]:
    """Some memrefs, and those that they are made of: by joins and views."""
    found, waiting = set[SSAValue](), list(values)
    while waiting:
        value = waiting.pop()
        found.add(value)
        if isinstance(value.owner, Operation):
            waiting += [operand for operand in value.owner.operands if isinstance(operand.type, MemRefType)]
    return found
