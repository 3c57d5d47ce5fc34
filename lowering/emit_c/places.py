"""Places of memrefs' elements, as far as they are known before the program runs.

Pools, constants and arrays of a function share no bytes: plans stand on that. What else is an argument may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects.accesses import VIEWS
from ...dialects.pool import keys
from ...dialects.pool.bytes import BytesOp
from .types import byte_width, memref_type


@dataclass(frozen=True)
class Place:
    """Bytes of a pool, a constant, an array or an argument."""

    root: SSAValue
    """The memref that is no view of another one."""
    begin: int
    """The byte of the first element."""
    bytes: int
    """From there to behind the last element."""

    def is_apart(self, other: Place) -> bool:
        """Whether the two share no byte, whatever the application passes in."""
        if _name(self.root) == _name(other.root):
            return self.begin + self.bytes <= other.begin or other.begin + other.bytes <= self.begin
        if any(isinstance(root.owner, memref.AllocaOp) for root in (self.root, other.root)):
            return True
        both = self.root, other.root
        return all(isinstance(root.owner, memref.GetGlobalOp) for root in both) or all(
            keys.POOL.within(argument_attributes(root)) for root in both
        )


def place_of(value: SSAValue) -> Place | None:
    """Return where the elements of a memref lie; None where only run time knows it."""
    type = value.type
    first = _first(value)
    if first is None or not isinstance(type, MemRefType):
        return None
    extents = list(zip(type.get_shape(), type.get_strides() or (), strict=False))
    if len(extents) != type.get_num_dims() or any(size < 0 or stride is None or stride < 0 for size, stride in extents):
        return None
    elements = 1 + sum((size - 1) * (stride or 0) for size, stride in extents)
    return Place(*first, elements * byte_width(type.element_type))


def argument_attributes(root: SSAValue) -> Mapping[str, Attribute]:
    """Return the attributes that a function has for one of its arguments; none for other values."""
    if not isinstance(root, BlockArgument):
        return {}
    function = root.block.parent_op()
    if not isinstance(function, func.FuncOp) or function.arg_attrs is None:
        return {}
    return function.arg_attrs.data[root.index].data


def _first(value: SSAValue) -> tuple[SSAValue, int] | None:
    """The root of a memref and the byte of its first element there."""
    begin, offset = _begin(value), memref_type(value.type).get_offset()
    if begin is None or offset is None:
        return None
    return begin[0], begin[1] + offset * byte_width(memref_type(value.type).element_type)


def _begin(value: SSAValue) -> tuple[SSAValue, int] | None:
    """The root and the byte from which the offset of the memref's type counts."""
    owner = value.owner
    if isinstance(owner, memref.ViewOp):
        source, shift = _first(owner.source), const_evaluate_operand(owner.byte_shift)
        return None if source is None or shift is None else (source[0], source[1] + shift)
    if isinstance(owner, BytesOp):
        return _first(owner.source)
    return _begin(owner.operands[0]) if isinstance(owner, VIEWS) else (value, 0)


def _name(root: SSAValue) -> object:
    """Return the same name for all that name one constant."""
    return root.owner.name_ if isinstance(root.owner, memref.GetGlobalOp) else root
