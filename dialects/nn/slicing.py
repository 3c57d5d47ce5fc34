"""Parts of tensors and repetitions: `nn.slice`, `nn.tile`, `nn.broadcast`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integers
from .attributes import ints
from .interfaces import expect_length, expect_shape, shape_of
from .movement import Box, Movement, Walk, row_major
from .signature import SIGNATURE, FromTensor


@irdl_op_definition
class SliceOp(FromTensor, Movement):
    """Element i of the result is element `begin + i * step` of the input, in every dimension; steps may be negative."""

    name = "nn.slice"
    begin = prop_def(DenseArrayBase.constr(i64))
    step = prop_def(DenseArrayBase.constr(i64))
    assembly_format = "$input `begin` $begin `step` $step" + SIGNATURE

    def __init__(self, input: Value, begin: Sequence[int], step: Sequence[int], extents: Sequence[int]):
        source = SSAValue.get(input, type=TensorType).type
        made = TensorType(source.get_element_type(), extents)
        super().__init__(input, made, {"begin": integers(begin, i64), "step": integers(step, i64)})

    def boxes(self) -> Sequence[Box]:
        shape = shape_of(self.output)
        source = Walk.through(shape_of(self.input), ints(self.begin), ints(self.step))
        return [Box(shape, Walk.through(shape), source)]

    def verify_(self) -> None:
        shape, extents = shape_of(self.input), shape_of(self.output)
        expect_length(self, "begin", len(self.begin), len(shape))
        expect_length(self, "step", len(self.step), len(shape))
        expect_length(self, "the result's shape", len(extents), len(shape))
        for d, (begin, step, extent) in enumerate(zip(ints(self.begin), ints(self.step), extents, strict=True)):
            if not (0 <= begin < shape[d] and 0 <= begin + (extent - 1) * step < shape[d]):
                raise VerifyException(f"'{self.name}' op leaves dimension {d} of {shape[d]} elements")
        self.verify_elements()


@irdl_op_definition
class TileOp(FromTensor, Movement):
    """The input repeated `multiples[d]` times along dimension d."""

    name = "nn.tile"
    multiples = prop_def(DenseArrayBase.constr(i64))
    assembly_format = "$input `multiples` $multiples" + SIGNATURE

    def __init__(self, input: Value, multiples: Sequence[int]):
        source = SSAValue.get(input, type=TensorType).type
        shape = [a * b for a, b in zip(source.get_shape(), multiples, strict=True)]
        super().__init__(input, TensorType(source.get_element_type(), shape), {"multiples": integers(multiples, i64)})

    def boxes(self) -> Sequence[Box]:
        shape, multiples = shape_of(self.input), ints(self.multiples)
        # Dimensions in pairs: which repetition, which element.
        extents = tuple(extent for pair in zip(multiples, shape, strict=True) for extent in pair)
        source = Walk(0, tuple(step for stride in Walk.through(shape).strides for step in (0, stride)))
        return [Box(extents, Walk.through(extents), source)]

    def verify_(self) -> None:
        shape, multiples = shape_of(self.input), ints(self.multiples)
        expect_length(self, "multiples", len(multiples), len(shape))
        if any(multiple < 1 for multiple in multiples):
            raise VerifyException(f"'{self.name}' op multiples must be at least 1")
        expect_shape(self, "result", shape_of(self.output), [a * b for a, b in zip(shape, multiples, strict=True)])
        self.verify_elements()


@irdl_op_definition
class BroadcastOp(FromTensor, Movement):
    """The input repeated along the dimensions of extent 1 or that it lacks, aligned at the last one."""

    name = "nn.broadcast"

    def boxes(self) -> Sequence[Box]:
        shape, given = shape_of(self.output), shape_of(self.input)
        steps = [0 if extent == 1 else step for extent, step in zip(given, row_major(given), strict=True)]
        return [Box(shape, Walk.through(shape), Walk(0, (*(0,) * (len(shape) - len(given)), *steps)))]

    def verify_(self) -> None:
        shape, given = shape_of(self.output), shape_of(self.input)
        aligned = shape[len(shape) - len(given) :] if len(given) <= len(shape) else ()
        if len(aligned) != len(given) or any(a not in (1, b) for a, b in zip(given, aligned, strict=True)):
            raise VerifyException(f"'{self.name}' op {list(given)} does not broadcast to {list(shape)}")
        self.verify_elements()
