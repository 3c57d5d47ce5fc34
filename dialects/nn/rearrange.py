"""Permutations of elements: `nn.transpose`, `nn.space_to_depth`, `nn.depth_to_space`."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integer, integers
from .attributes import ints
from .interfaces import expect_rank, expect_shape, shape_of
from .movement import Box, Movement, Walk
from .signature import SIGNATURE, FromTensor


@irdl_op_definition
class TransposeOp(FromTensor, Movement):
    """Dimension d of the result is dimension `permutation[d]` of the input."""

    name = "nn.transpose"
    permutation = prop_def(DenseArrayBase.constr(i64))
    assembly_format = "$input `permutation` $permutation" + SIGNATURE

    def __init__(self, input: Value, permutation: Sequence[int]):
        source = SSAValue.get(input, type=TensorType).type
        shape = [source.get_shape()[d] for d in permutation]
        made = TensorType(source.get_element_type(), shape)
        super().__init__(input, made, {"permutation": integers(permutation, i64)})

    def boxes(self) -> Sequence[Box]:
        shape = shape_of(self.output)
        return [Box(shape, Walk.through(shape), Walk.through(shape_of(self.input)).permuted(ints(self.permutation)))]

    def verify_(self) -> None:
        shape = shape_of(self.input)
        order = ints(self.permutation)
        if sorted(order) != list(range(len(shape))):
            raise VerifyException(f"'{self.name}' op {list(order)} is no permutation of {len(shape)} dimensions")
        expect_shape(self, "result", shape_of(self.output), [shape[d] for d in order])
        self.verify_elements()


class BlockMove(FromTensor, Movement, abc.ABC):
    """Base of the two that exchange blocks of pixels and channels: NHWC in and out."""

    block = prop_def(IntegerAttr.constr(type=i64))
    """Height and width of a block, pixels."""
    assembly_format = "$input `block` $block" + SIGNATURE

    def __init__(self, input: Value, block: int, output_type: TensorType):
        super().__init__(input, output_type, {"block": integer(block, i64)})

    def _extents(self) -> tuple[int, ...]:
        """Extents of the input, then that of a block; raises VerifyException if the input is no image."""
        return (*expect_rank(self, "input", self.input, 4), self.block.value.data)

    @abc.abstractmethod
    def inferred_shape(self) -> tuple[int, ...]:
        """The result's shape; raises VerifyException if the input does not consist of blocks."""

    def verify_(self) -> None:
        if self.block.value.data < 1:
            raise VerifyException(f"'{self.name}' op block must be at least 1, got {self.block.value.data}")
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        self.verify_same_elements()

    def _box(self, deep: SSAValue, wide: SSAValue, *, to_depth: bool) -> Box:
        """All elements as (n, block row, block column, row, column, channel)."""
        n, height, width, depth = shape_of(deep)
        block = self.block.value.data
        channels = depth // (block * block)
        extents = (n, height, width, block, block, channels)
        in_deep = Walk.through(extents)
        in_wide = Walk.through((n, height, block, width, block, channels)).permuted((0, 1, 3, 2, 4, 5))
        return Box(extents, in_deep, in_wide) if to_depth else Box(extents, in_wide, in_deep)


@irdl_op_definition
class SpaceToDepthOp(BlockMove):
    """Each block of pixels becomes one pixel with all their channels (TFLite `reference_ops::SpaceToDepth`)."""

    name = "nn.space_to_depth"

    def inferred_shape(self) -> tuple[int, ...]:
        n, height, width, channels, block = self._extents()
        if height % block or width % block:
            raise VerifyException(f"'{self.name}' op {height} x {width} pixels do not consist of blocks of {block}")
        return n, height // block, width // block, channels * block * block

    def boxes(self) -> Sequence[Box]:
        return [self._box(self.output, self.input, to_depth=True)]


@irdl_op_definition
class DepthToSpaceOp(BlockMove):
    """Each pixel becomes a block of pixels that share its channels (TFLite `reference_ops::DepthToSpace`)."""

    name = "nn.depth_to_space"

    def inferred_shape(self) -> tuple[int, ...]:
        n, height, width, channels, block = self._extents()
        if channels % (block * block):
            raise VerifyException(f"'{self.name}' op {channels} channels cannot be shared by {block} x {block} pixels")
        return n, height * block, width * block, channels // (block * block)

    def boxes(self) -> Sequence[Box]:
        return [self._box(self.input, self.output, to_depth=False)]
