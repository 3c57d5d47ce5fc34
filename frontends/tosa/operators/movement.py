"""Operations that move elements: what they do to bytes they do without knowing a sign."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, f32
from xdsl.dialects.tosa import ConcatOp as TosaConcatOp
from xdsl.ir import Attribute, SSAValue

from ....dialects import nn_keys
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.gather import GatherOp
from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.padding import PadOp
from ....dialects.nn.rearrange import TransposeOp
from ....dialects.nn.scatter import Combination, ScatterNdOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp, TileOp
from ....dialects.tosa import movement as tosa
from ....dialects.tosa.elementwise import IdentityOp
from ...reasons import Unsupported
from ..constants import type_of, typed, verify_known
from ..node import Node
from ..registry import imports


def reshaped(node: Node, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """Give the elements another shape."""
    if type_of(value).get_shape() == tuple(shape):
        return value
    return node.emit(ReshapeOp(value, typed(type_of(value).get_element_type(), shape)))


@imports(IdentityOp)
def identity(op: IdentityOp, node: Node) -> SSAValue:
    """Return the input."""
    return node.value(op.input1)


@imports(tosa.ReshapeOp)
def reshape(op: tosa.ReshapeOp, node: Node) -> SSAValue | None:
    """A shape that is known; -1 is what remains."""
    if op.input1 in node.block.deferred:
        return None
    value, wanted = node.value(op.input1), node.extents(op.shape, "the shape")
    size = int(np.prod(type_of(value).get_shape()))
    if wanted.count(-1) == 1:
        rest = int(np.prod([extent for extent in wanted if extent != -1]))
        wanted[wanted.index(-1)] = size // max(rest, 1)
    if min(wanted, default=1) < 0 or int(np.prod(wanted)) != size:
        raise node.malformed(f"{list(type_of(value).get_shape())} has other elements than {wanted}")
    return reshaped(node, value, wanted)


@imports(tosa.TransposeOp)
def transpose(op: tosa.TransposeOp, node: Node) -> SSAValue:
    """Dimensions in another order; of constants at once."""
    value = node.value(op.input1)
    rank = len(type_of(value).get_shape())
    order = node.integers(op.perms, rank, "perms")
    if sorted(order) != list(range(rank)):
        raise node.malformed(f"{list(order)} is no order of {rank} dimensions")
    if isinstance(value.owner, ConstantOp):
        return node.literal(value.owner.array.transpose(order), type_of(value).get_element_type())
    return node.emit(TransposeOp(value, order))


@imports(TosaConcatOp)
def concat(op: TosaConcatOp, node: Node) -> SSAValue:
    """Tensors one after the other."""
    parts = [node.value(operand) for operand in op.tensors]
    if not parts:
        raise node.malformed("it has no operands")
    shape = list(type_of(parts[0]).get_shape())
    axis = node.axis(op.axis, len(shape))
    if any(len(type_of(part).get_shape()) != len(shape) for part in parts):
        raise node.malformed("its operands have several ranks")
    shape[axis] = sum(type_of(part).get_shape()[axis] for part in parts)
    if len(parts) == 1:
        return parts[0]
    return node.emit(ConcatOp(parts, axis, typed(type_of(parts[0]).get_element_type(), shape)))


@imports(tosa.SliceOp)
def slice_(op: tosa.SliceOp, node: Node) -> SSAValue:
    """Begin and extents are constants; an extent of -1 goes to the end."""
    value = node.value(op.input1)
    shape = type_of(value).get_shape()
    begin, size = node.extents(op.start, "the start"), node.extents(op.size, "the size")
    if len(begin) != len(shape) or len(size) != len(shape):
        raise node.malformed(f"start and size must have {len(shape)} numbers")
    size = [whole - first if extent == -1 else extent for whole, first, extent in zip(shape, begin, size, strict=True)]
    if min(size, default=1) < 1:
        raise Unsupported("a slice without elements cannot be compiled")
    return node.emit(SliceOp(value, begin, [1] * len(shape), size))


@imports(tosa.TileOp)
def tile(op: tosa.TileOp, node: Node) -> SSAValue:
    """Repetitions are constants."""
    value, multiples = node.value(op.input1), node.extents(op.multiples, "the multiples")
    if len(multiples) != len(type_of(value).get_shape()):
        raise node.malformed(f"multiples must have {len(type_of(value).get_shape())} numbers")
    return node.emit(TileOp(value, multiples))


@imports(tosa.ReverseOp)
def reverse(op: tosa.ReverseOp, node: Node) -> SSAValue:
    """Steps of -1 along an axis."""
    value = node.value(op.input1)
    shape = type_of(value).get_shape()
    axis = node.axis(op.axis, len(shape))
    begin, step = [0] * len(shape), [1] * len(shape)
    begin[axis], step[axis] = shape[axis] - 1, -1
    return node.emit(SliceOp(value, begin, step, shape))


@imports(tosa.PadOp)
def pad(op: tosa.PadOp, node: Node) -> SSAValue:
    """Margins and their value are constants."""
    value = node.value(op.input1)
    shape, element = type_of(value).get_shape(), type_of(value).get_element_type()
    margins = node.extents(op.padding, "the padding")
    if len(margins) != 2 * len(shape) or min(margins, default=0) < 0:
        raise node.malformed(f"padding must be {2 * len(shape)} numbers of at least 0")
    given = node.array(op.pad_const, "the value of the margin")
    if given.size != 1:
        raise node.malformed(f"the margin has {given.size} values, expected 1")
    before, after = margins[::2], margins[1::2]
    result = [a + extent + b for a, extent, b in zip(before, shape, after, strict=True)]
    return node.emit(PadOp(value, before, after, _fill(given.reshape(-1)[0], element), typed(element, result)))


def _fill(number: np.generic, element: Attribute) -> IntegerAttr | FloatAttr:
    if isinstance(element, IntegerType):
        return IntegerAttr(int(number), element)
    return FloatAttr(float(number), f32)


@imports(tosa.GatherOp)
def gather(op: tosa.GatherOp, node: Node) -> SSAValue:
    """Rows that indices name, batch by batch."""
    values, indices = node.value(op.values), node.value(op.indices)
    shape, places = type_of(values).get_shape(), type_of(indices).get_shape()
    if len(shape) != 3 or len(places) != 2 or shape[0] != places[0]:
        raise node.malformed(f"values {list(shape)} and indices {list(places)} must be [N, K, C] and [N, W]")
    made = typed(type_of(values).get_element_type(), [*places, shape[2]])
    return node.emit(GatherOp(values, indices, made, axis=1, batch_dims=1))


@imports(tosa.ScatterOp)
def scatter(op: tosa.ScatterOp, node: Node) -> SSAValue:
    """Rows of the first operand, those that indices name replaced, batch by batch."""
    old, new, indices = node.value(op.values_in), node.value(op.input), node.value(op.indices)
    shape, rows, places = (type_of(value).get_shape() for value in (old, new, indices))
    if len(shape) != 3 or len(rows) != 3 or places != rows[:2] or (shape[0], shape[2]) != (rows[0], rows[2]):
        raise node.malformed(f"values {list(shape)}, indices {list(places)} and input {list(rows)} do not fit")
    element, kind = type_of(old).get_element_type(), type_of(indices).get_element_type()
    verify_known(places)
    own = node.literal(np.indices((*places, 1))[0], kind)
    each = ReshapeOp(indices, typed(kind, (*places, 1)))
    nn_keys.LIMITS.put(each.attributes, [0, shape[1] - 1])
    both = node.emit(ConcatOp([own, node.emit(each)], 2, typed(kind, (*places, 2))))
    return node.emit(ScatterNdOp(both, new, typed(element, shape), Combination.REPLACE, old))
