"""What a kernel computes, as a nest, and whether a nest of a model is that: unification.

Two steps are the same if each operation of one is that of the other, wherever their operands may change places. Numbers
that the kernel leaves open take the value that the nest has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, repeat

from xdsl.context import Context
from xdsl.dialects import arith, func, math, memref
from xdsl.dialects.builtin import Builtin, IntegerType, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.parser import Parser
from xdsl.traits import IsTerminator
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects.fx import Fx
from ...dialects.operations import all_of
from ...dialects.strides import row_major
from ...dialects.task import IndexOp, NestOp, TapsOp, Task
from ...dialects.task.join import join_axis
from ...dialects.task.syntax import Access

# What mlir-opt prints may stand here, too.
from ...dialects.upstream import arith as _arith  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ...dialects.upstream import memref as _memref  # noqa: F401  # pyright: ignore[reportUnusedImport]

_FLAGS = ("overflowFlags", "fastmath")
"""What operations promise of their numbers, and do not compute."""


@dataclass(frozen=True)
class Bound:
    """A kernel's arguments for a nest."""

    reads: tuple[int, ...]
    """For each operand that the kernel reads, the number among what the nest's step reads."""
    strides: tuple[int, ...]
    """Those that the kernel leaves open, in elements."""
    scalars: tuple[int, ...]


_Found = Mapping[SSAValue, int]
"""What arguments of a kernel's step and its scalars stand for: the place of an argument of the nest's, and a number."""
_Pairs = list[tuple[SSAValue, SSAValue]]
"""Values of a kernel, each with one of a nest."""


@dataclass(frozen=True)
class Meaning:
    """A kernel's nest, and the arguments of its function in order."""

    nest: NestOp
    reads: tuple[int, ...]
    """Of each argument that the kernel reads, the number among what its step reads."""
    scalars: tuple[BlockArgument, ...]
    open_strides: tuple[tuple[int, int], ...]
    """Operand among `reads` and dimension, in order."""

    @property
    def dims(self) -> tuple[str, ...]:
        """The dimensions, those of the space first."""
        return (*self.nest.space.names, *self.nest.fold.names)

    @property
    def sums(self) -> int:
        """Arrays of sums."""
        return len(self.nest.accumulators)

    def bind(self, nest: NestOp, dims: Sequence[int]) -> Bound:
        """The arguments with which the kernel computes a nest's step along some of its dimensions.

        Args:
            nest: the nest.
            dims: its dimensions that are the kernel's, in order.

        Raises:
            ValueError: it computes something else; says what.
        """
        if len(dims) != len(self.dims):
            raise ValueError(f"the kernel has dimensions {', '.join(self.dims)}, not {len(dims)}")
        if [d in nest.folds for d in dims] != [d in self.nest.folds for d in range(len(dims))]:
            raise ValueError(f"dimensions {', '.join(self.nest.space.names)} of the kernel are those of the space")
        ours, theirs = (NestOp.terminator(one.step).values for one in (self.nest, nest))
        if [value.type for value in ours] != [value.type for value in theirs]:
            raise ValueError("the kernel has sums of another number or type")
        why = "the step does not compute what the kernel computes"
        sums = dict[SSAValue, int](zip(self.nest.step.block.args[-self.sums :], count(len(nest.step_reads))))
        for found in self._unified(list(zip(ours, theirs, strict=True)), nest, sums):
            if sum(own not in self.scalars for own in found) == len(nest.step.block.args):
                bound = self._bound(found, nest, dims)
                if isinstance(bound, Bound):
                    return bound
                why = bound
        raise ValueError(why)

    def _bound(self, found: _Found, nest: NestOp, dims: Sequence[int]) -> Bound | str:
        """The arguments; or which operand lies otherwise than the kernel reads it."""
        accesses, own = nest.accesses("step_reads"), self.nest.accesses("step_reads")
        strides: list[int] = []
        others = [found[self.nest.step.block.args[read]] for read in self.reads]
        for number, (read, other) in enumerate(zip(self.reads, others, strict=True)):
            for d, dim in enumerate(dims):
                wanted, given = _stride(self.nest, own[read], d), _stride(nest, accesses[other], dim)
                if _crosses_parts(nest, accesses[other], dim):
                    return f"operand {other} of the step is joined: {nest.index_names[dim]} goes from part to part"
                if (number, d) in self.open_strides:
                    strides.append(given)
                elif wanted != given and nest.extents[dim] > 1:
                    name = nest.index_names[dim]
                    return f"operand {other} of the step lies {given} elements apart along {name}, not {wanted}"
        return Bound(tuple(others), tuple(strides), tuple(found.get(scalar, 0) for scalar in self.scalars))

    def _unified(self, pairs: _Pairs, nest: NestOp, found: _Found) -> Iterator[_Found]:
        """What stands for what if the values of each pair are the same."""
        if not pairs:
            yield found
            return
        for one, further in self._ways(*pairs[0], nest, found):
            if one is not None:
                yield from self._unified([*further, *pairs[1:]], nest, one)

    def _ways(
        self, own: SSAValue, other: SSAValue, nest: NestOp, found: _Found
    ) -> Iterator[tuple[_Found | None, _Pairs]]:
        """How two values may be the same: what then stands for what, and which further values are."""
        if (scalar := self._scalar(own)) is not None:
            if (number := const_evaluate_operand(other)) is not None:
                yield self._with(found, scalar, number), []
        elif own.type != other.type:
            return
        elif isinstance(own, BlockArgument):
            if isinstance(other, BlockArgument) and other.owner is nest.step.block:
                yield self._with(found, own, other.index), []
        elif (literal := const_evaluate_operand(own)) is not None:
            if literal == const_evaluate_operand(other):
                yield found, []
        elif isinstance(own.owner, arith.SubiOp) and (scalar := self._scalar(own.owner.rhs)) is not None:
            for value, number in _less(other):
                yield self._with(found, scalar, number), [(own.owner.lhs, value)]
        elif isinstance(own, OpResult) and isinstance(other, OpResult) and own.index == other.index:
            for operands in _orders(own.owner, other.owner):
                yield found, list(operands)

    def _with(self, found: _Found, own: SSAValue, number: int) -> _Found | None:
        """What stands for what with one more; None where it stands for something else, or its type does not hold it."""
        if own in found:
            return found if found[own] == number else None
        if own in self.scalars:
            assert isinstance(own.type, IntegerType), "checked: scalars are integers"
            # Calls hand over numbers of 32 bits at most.
            half = 1 << (min(own.type.width.data, 32) - 1)
            is_free = -half <= number < half
        else:
            is_free = all(number != other for one, other in found.items() if one not in self.scalars)
        return {**found, own: number} if is_free else None

    def _scalar(self, value: SSAValue) -> SSAValue | None:
        """The scalar that a value is, perhaps widened."""
        value = value.owner.input if isinstance(value.owner, arith.ExtSIOp) else value
        return value if value in self.scalars else None


@cache
def meaning_of(text: str) -> Meaning:
    """Read what a kernel computes.

    Raises:
        ValueError: it is malformed, or no meaning of a kernel; says why.
    """
    context = Context()
    for dialect in (Builtin, arith.Arith, func.Func, math.Math, memref.MemRef, Fx, Task):
        context.load_dialect(dialect)
    try:
        module = Parser(context, text).parse_module()
        module.verify()
    except (ParseError, DiagnosticException) as error:
        raise ValueError(str(error).strip()) from error
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    nests = all_of(module, NestOp)
    if len(functions) != 1 or len(nests) != 1 or nests[0].parent_op() is not functions[0]:
        raise ValueError("it is one function with one task.nest")
    return _checked(nests[0], functions[0].body.block)


def _checked(nest: NestOp, body: Block) -> Meaning:
    if any(not isinstance(op, NestOp | arith.ConstantOp) and not op.has_trait(IsTerminator) for op in body.ops):
        raise ValueError("nothing stands in the function beside its task.nest and constants")
    if all_of(nest, IndexOp) or all_of(nest, TapsOp):
        raise ValueError("its step asks for no place, nor for how many points are left in")
    sums = [*nest.start_reads]
    if not nest.fold.data or sums != [*nest.writes] or sums != [*body.args[: len(sums)]]:
        raise ValueError("it starts from its first arguments, folds, and writes them")
    for region in (nest.start, nest.finish):
        if [*NestOp.terminator(region).values] != [*region.block.args]:
            raise ValueError("nothing is computed before and after the fold")
    space = [extent for _, extent in nest.space.data]
    for access in (*nest.accesses("start_reads"), *nest.accesses("writes")):
        if [_stride(nest, access, d) for d in range(len(space))] != [*row_major(space)]:
            raise ValueError("sums lie side by side in the order of the dimensions of the space")
    rest = body.args[len(sums) :]
    buffers = [value for value in rest if isinstance(value.type, MemRefType)]
    operands = [*nest.step_reads]
    if sorted(map(operands.count, buffers)) != [1] * len(buffers) or len(operands) != len(buffers):
        raise ValueError("the step reads each of the other memrefs once")
    reads = tuple(operands.index(value) for value in buffers)
    scalars = tuple(value for value in rest if value not in buffers)
    if not all(isinstance(value.type, IntegerType) for value in scalars):
        raise ValueError("its scalars are integers")
    accesses = nest.accesses("step_reads")
    if any(access.clip for access in accesses):
        raise ValueError("nothing is clipped")
    open_strides = tuple(
        (number, d)
        for number, read in enumerate(reads)
        for d in range(len(nest.extents))
        if _stride(nest, accesses[read], d) not in (0, 1)
    )
    return Meaning(nest, reads, scalars, open_strides)


def _stride(nest: NestOp, access: Access, dim: int) -> int:
    """Elements from a point to the next along a dimension.

    Raises:
        ValueError: the layout does not say.
    """
    found = 0
    for step, stride in zip(nest.steps_along(access, dim), access.type.get_strides() or repeat(None), strict=False):
        if step:
            if stride is None:
                raise ValueError(f"the strides of {access.type} are not known")
            found += step * stride
    return found


def _crosses_parts(nest: NestOp, access: Access, dim: int) -> bool:
    """Whether points along a dimension lie in several parts of what is joined, or apart as each part has it."""
    axis = join_axis(access)
    steps = nest.steps_along(access, dim)
    return axis is not None and nest.extents[dim] > 1 and any(steps[: axis + 1])


def _orders(own: Operation, other: Operation) -> Iterator[Iterable[tuple[SSAValue, SSAValue]]]:
    """The operands of two operations that compute the same, one by one, and with places changed where they may."""
    if isinstance(other, type(own)) and _facts(own) == _facts(other) and not other.regions:
        yield zip(own.operands, other.operands, strict=True)
        if isinstance(own, arith.AddiOp | arith.MuliOp):
            yield zip(own.operands, reversed(other.operands), strict=True)


def _facts(op: Operation) -> dict[str, object]:
    return {name: value for name, value in (op.properties | op.attributes).items() if name not in _FLAGS}


def _less(value: SSAValue) -> Iterator[tuple[SSAValue, int]]:
    """The ways to write a value as another one less a number."""
    owner = value.owner
    if isinstance(owner, arith.SubiOp | arith.AddiOp) and (number := const_evaluate_operand(owner.rhs)) is not None:
        yield owner.lhs, number if isinstance(owner, arith.SubiOp) else -number
    yield value, 0
