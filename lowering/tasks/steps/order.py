"""The steps `pack` and `stage`: what is read lies in the order in which it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.parser import AttrParser

from ....dialects.task import JoinOp, NestOp, YieldOp
from ....dialects.task.domain import DimsAttr
from ....dialects.task.layouts import ADDED as LAYOUTS
from ....dialects.task.loop import Loop
from ....dialects.task.loop_steps import find
from ....dialects.task.step import Domain, Rewrite, parse_count, parse_dims
from ....dialects.task.syntax import Access
from ...constants import Constants, Elements, elements
from ..function_block import scratch_alloc
from .rewriting import Made, position, remade, rewrites


@dataclass(frozen=True)
class OfRead(Rewrite):
    """A step that lays what the step of the nest reads in another order; base of those that say which of it."""

    read: int
    """Number among what the step reads."""
    dims: tuple[str, ...]
    """The dimensions in the order in which elements lie, outermost first: all on which their place depends."""
    layout: str = ""
    """Name that a package gives this order; none where it is empty."""

    @classmethod
    def parse(cls, parser: AttrParser) -> OfRead:
        read, position = parse_count(parser), parser.pos
        name = parser.parse_optional_str_literal()
        if name is None:
            return cls(read, parse_dims(parser))
        try:
            return cls(read, LAYOUTS.required(name, "layout").dims, name)
        except ValueError as error:
            parser.raise_error(str(error), position, parser.pos)

    def renamed(self, name: Callable[[str], str]) -> OfRead:
        dims = tuple(map(name, self.dims))
        return replace(self, dims=dims, layout=self.layout if dims == self.dims else "")

    def planned(self, domain: Domain, loops: Sequence[Loop]) -> list[Loop]:
        for dim in self.dims:
            find(loops, dim)
        return list(loops)

    def __str__(self) -> str:
        order = f'"{self.layout}"' if self.layout else f"({', '.join(self.dims)})"
        return f"{self.keyword} {self.read} {order}"


class Pack(OfRead):
    """A constant lies in memory in the order in which it is read."""


@rewrites(Pack)
def pack(step: Pack, nest: NestOp, constants: Constants) -> Made:
    """The constant in the order of the dimensions: elements that are read at several places are there as often."""
    access, dims = _read(step, nest)
    uses = constants.uses(access.buffer)
    if uses is None:
        raise ValueError(f"what the step reads as number {step.read} is no constant")
    element = access.type.element_type
    if not isinstance(element, IntegerType) or element.width.data not in (8, 16, 32):
        raise ValueError(f"its elements are {element}, not integers of whole bytes")
    kind = f"int{element.width.data}"
    made: list[Elements] = [elements(nest, access, dims, constants.values(use)).astype(kind) for use in uses]
    packed = constants.put(access.buffer, uses, made, "packed", str(step))
    return Made([_reading(nest, step.read, packed, dims)])


class Stage(OfRead):
    """What is read is copied first, in the order in which it is read, into scratch memory."""


@rewrites(Stage)
def stage(step: Stage, nest: NestOp, constants: Constants) -> Made:
    """A nest that copies, and the nest that reads the copy."""
    access, dims = _read(step, nest)
    if isinstance(access.buffer.owner, JoinOp):
        raise ValueError("it is joined of several buffers")
    type = MemRefType(access.type.element_type, [nest.extents[d] for d in dims])
    alloc = scratch_alloc(type, "staged")
    copied = tuple(map(AffineExpr.dimension, range(len(dims))))
    places = dict(zip(dims, copied, strict=True))
    source = tuple(nest.form(index).expression(places.__getitem__) for index in access.indices)
    names = [*nest.space.data, *nest.fold.data]
    body = Block(arg_types=[type.element_type])
    body.add_op(YieldOp(*body.args))
    copy = NestOp(
        DimsAttr(tuple(names[d] for d in dims)),
        DimsAttr(()),
        [],
        [[], [], [Access(access.buffer, source)], [Access(alloc.memref, copied)]],
        [Region(), Region(), Region([body])],
    )
    return Made([_reading(nest, step.read, alloc.memref, dims)], [copy], [alloc])


def _read(step: OfRead, nest: NestOp) -> tuple[Access, list[int]]:
    """What is read, and the dimensions in the order that the step says.

    Raises:
        ValueError: there is no such read, it is clipped, or its place depends on other dimensions.
    """
    reads = nest.accesses("step_reads")
    if step.read >= len(reads):
        raise ValueError(f"the step reads {len(reads)} elements, number 0 and on")
    access = reads[step.read]
    if access.clip:
        raise ValueError("it is clipped: peel the dimensions first along which it is")
    dims = [position(nest, name) for name in step.dims]
    used = nest.dims_of(access)
    if sorted(dims) != sorted(used):
        names = [*nest.space.names, *nest.fold.names]
        raise ValueError(f"its place depends on {', '.join(names[d] for d in sorted(used))}: name each once")
    return access, dims


def _reading(nest: NestOp, number: int, buffer: SSAValue, dims: Sequence[int]) -> NestOp:
    """The nest whose step reads a buffer in the order of dimensions, in place of something else."""
    reads = nest.accesses("step_reads")
    reads[number] = Access(buffer, tuple(map(AffineExpr.dimension, dims)))
    return remade(nest, accesses={"step_reads": reads})
