"""`task.join`: several memrefs that a task reads as one."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr, i8, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .loop_steps import Unroll
from .structure import Nest
from .syntax import Access


@irdl_op_definition
class JoinOp(IRDLOperation):
    """Several memrefs seen as one, one behind the other along a dimension; no byte is moved.

    Only tasks read the result, and only where the index along that dimension is known in each iteration, as it is of
    dimensions that the schedule unrolls. What is read is read from the parts.

    Example, three rows of an image:

    ```mlir
    %window = task.join 0 of %above, %row, %below : memref<1x32xi8>, memref<1x32xi8>, memref<1x32xi8> -> memref<3x32xi8>
    ```
    """

    name = "task.join"

    parts = var_operand_def(MemRefType)
    axis = prop_def(IntegerAttr.constr(i64))
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$axis `of` $parts attr-dict `:` type($parts) `->` type($result)"

    def __init__(self, parts: Sequence[SSAValue], axis: int):
        super().__init__(
            operands=[parts],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[joined([part.type for part in parts], axis)],
        )

    def verify_(self) -> None:
        try:
            expected = joined([part.type for part in self.parts], self.axis.value.data)
        except ValueError as error:
            raise VerifyException(f"'{self.name}' op {error}") from error
        if self.result.type != expected:
            raise VerifyException(f"'{self.name}' op gives {expected}, not {self.result.type}")

    def part_at(self, index: int) -> tuple[SSAValue, int]:
        """The part that holds an index along the dimension, and the index inside the part.

        Raises:
            ValueError: no part holds it.
        """
        rest = index
        for part in self.parts if index >= 0 else ():
            assert isinstance(part.type, MemRefType), "verified"
            extent = part.type.get_shape()[self.axis.value.data]
            if rest < extent:
                return part, rest
            rest -= extent
        raise ValueError(f"index {index} lies outside of {self.result.type}")


def join_axis(access: Access) -> int | None:
    """The index of an access that says which part of a joined operand it reads; None if the operand is not joined."""
    owner = access.buffer.owner
    return owner.axis.value.data if isinstance(owner, JoinOp) else None


def decided_dims(nest: Nest, access: Access) -> frozenset[int]:
    """Dimensions that must be known in each iteration to say which part of a joined operand an access reads."""
    axis = join_axis(access)
    return frozenset() if axis is None else frozenset(nest.form(access.indices[axis]).positions())


def all_decided_dims(nest: Nest) -> frozenset[int]:
    """The `decided_dims` of all that a nest reads and writes; most nests have no joined operand."""
    if not any([isinstance(operand.owner, JoinOp) for operand in nest.operands]):
        return frozenset()
    return frozenset[int]().union(*(decided_dims(nest, one) for group in nest.GROUPS for one in nest.accesses(group)))


def run_of(nest: Nest, access: Access, *, without: frozenset[int] = frozenset()) -> int:
    """Return how many innermost fold dimensions walk through memory without gaps, in order; none of `without` among
    them.

    Operands that are joined have gaps: a dimension that says which part is read walks from one to the next.
    """
    expected, found, between = 1, 0, decided_dims(nest, access)
    for dim in reversed(nest.folds):
        is_next = nest.stride(access, dim) == expected and dim not in between
        if dim in without or (not is_next and nest.extents[dim] > 1):
            break
        expected, found = expected * nest.extents[dim], found + 1
    return found


def bytes_lie_along(nest: Nest, access: Access, dim: int) -> bool:
    """Whether an access reads or writes bytes that lie side by side along a dimension, in one buffer."""
    return access.is_dense_of(i8) and nest.lies_along(access, dim) and join_axis(access) != len(access.indices) - 1


def decided_steps(nest: Nest) -> tuple[Unroll, ...]:
    """Return what a schedule must unroll for joined operands; steps that write out the whole fold need none of it."""
    return tuple([Unroll(nest.index_names[dim]) for dim in sorted(all_decided_dims(nest))])


def joined(types: Sequence[Attribute], axis: int) -> MemRefType[Attribute]:
    """The type of memrefs that are joined along a dimension.

    Raises:
        ValueError: they do not fit one another.
    """
    memrefs = [type for type in types if isinstance(type, MemRefType)]
    if not memrefs or len(memrefs) < len(types):
        raise ValueError("needs memrefs to join")
    first = memrefs[0]
    if not 0 <= axis < first.get_num_dims():
        raise ValueError(f"{first} has no dimension {axis}")

    def resized(type: MemRefType, extent: int) -> MemRefType:
        before, after = type.get_shape()[:axis], type.get_shape()[axis + 1 :]
        return MemRefType(type.element_type, [*before, extent, *after])

    for type in memrefs:
        if resized(type, 0) != resized(first, 0):
            raise ValueError(f"{type} and {first} differ in more than dimension {axis}")
        if not isinstance(type.layout, NoneAttr):
            raise ValueError(f"{type} has a layout of its own")
    return resized(first, sum(type.get_shape()[axis] for type in memrefs))
