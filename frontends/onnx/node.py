"""One operator of an ONNX graph while it is imported."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects.builtin import Float32Type, IntegerType, Signedness, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import nn_keys
from ...dialects.nn.activation import TableOp
from ...dialects.nn.attributes import SAME, ClampAttr, OriginAttr
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.integers import integer_range
from ...dialects.nn.quantise import QuantizeOp, RescaleOp
from ...dialects.nn.rearrange import TransposeOp
from ...dialects.nn.shape import ReshapeOp
from ...errors import InputError
from ..emission import insert_sound, name_hint
from ..reasons import Reasons, Unsupported
from .stored import Stored, permuted, typed
from .tensors import Array, Lazy, Quantised, Tensor

ELEMENTS: dict[str, Attribute] = {
    "float32": f32,
    "int8": i8,
    "uint8": i8,
    "int16": i16,
    "uint16": i16,
    "int32": i32,
    "int64": i64,
    "bool": i1,
}
"""Element types by NumPy's names; numbers without a sign are stored less by half of their range."""
UI8 = IntegerType(8, Signedness.UNSIGNED)


class Scope(ABC):
    """A graph while it is imported: its tensors, and where operations go."""

    def __init__(self, builder: Builder, source: str, opsets: Sequence[Any], reasons: Reasons):
        self.builder, self.source, self.opsets, self.reasons = builder, source, opsets, reasons
        self.tensors: MutableMapping[str, Tensor] = {}
        self.read: set[str] = set()
        self.index = -1
        self.title = ""
        """The operator whose definition this is."""

    @abstractmethod
    def inner(self, block: Block) -> Scope:
        """An import into a region's block, which sees what is outside."""

    @abstractmethod
    def constant(self, name: str, array: Array) -> Tensor:
        """A tensor whose elements are known."""

    def reads(self, name: str) -> bool:
        """Whether an operator or the caller reads a tensor."""
        return name in self.read

    @property
    def opset(self) -> int:
        """Version of ONNX's own operators."""
        return max((each.version for each in self.opsets if each.domain in ("", "ai.onnx")), default=1)

    @staticmethod
    def is_float(element: Attribute) -> bool:
        """Whether elements are floats."""
        return isinstance(element, Float32Type)

    @staticmethod
    def full_clamp(element: Attribute) -> ClampAttr:
        """The range of integers."""
        return ClampAttr.get(*integer_range(element))

    @abstractmethod
    def attribute(self, attribute: Any) -> Any:
        """The Python value of an attribute."""


class Node:
    """An operator with its tensors at hand."""

    def __init__(self, graph: Scope, index: int, op: Any, inputs: Sequence[Tensor | None]):
        self.graph, self.index, self.op, self.inputs = graph, index, op, inputs
        self.attributes: dict[str, Any] = {a.name: graph.attribute(a) for a in op.attribute}
        self.output_names: list[str] = list(op.output)

    def __str__(self) -> str:
        """`operator 3 Conv (output 'x')`."""
        return f"operator {self.index} {self.op.op_type} (output '{self.name}')"

    @property
    def name(self) -> str:
        """Name of the first output; empty where a malformed file gives none."""
        return next(iter(self.output_names), "")

    def malformed(self, message: str) -> InputError:
        """The error for an operator that contradicts itself."""
        return InputError(f"malformed ONNX file {self.graph.source}: {self}: {message}")

    def input(self, position: int) -> Tensor:
        """An input that must be there."""
        found = self.optional(position)
        if found is None:
            raise self.malformed(f"input {position} is missing")
        return found

    def optional(self, position: int) -> Tensor | None:
        """An input that may be left out."""
        return self.inputs[position] if position < len(self.inputs) else None

    def constant(self, position: int) -> Array:
        """The elements of a constant input."""
        tensor = self.input(position)
        if tensor.array is None and tensor.dtype not in ELEMENTS:
            raise Unsupported(f"'{tensor.name}' has the type {tensor.dtype}")
        if tensor.array is None:
            raise Unsupported(f"input '{tensor.name}' is computed at run time; it must be a constant")
        return tensor.array

    def integers(self, position: int, attribute: str) -> list[int] | None:
        """Integers of a constant input, or of an attribute in older files; None if there are none."""
        if self.optional(position) is not None:
            return [int(value) for value in self.constant(position).reshape(-1)]
        given = self.attributes.get(attribute)
        return None if given is None else [int(value) for value in given]

    def axis(self, value: int, rank: int) -> int:
        """An axis counted from the front."""
        if not -rank <= value < rank:
            raise self.malformed(f"axis {value} is none of the {rank} dimensions")
        return value % rank

    def emit(self, operation: Operation) -> SSAValue:
        """Append an operation with one result."""
        return self.emit_all(operation)[0]

    def emit_all(self, operation: Operation) -> Sequence[SSAValue]:
        """Append an operation; its results."""
        origin = OriginAttr.get(self.index, self.op.op_type, self.name)
        return insert_sound(self.graph.builder, operation, origin, self.name, self.malformed)

    def literal(self, array: Array, element: Attribute, name: str | None = None) -> SSAValue:
        """A constant of the IR."""
        operation = ConstantOp.of(np.asarray(array, order="C"), element)
        nn_keys.NAME.put(operation.attributes, name or self.name)
        self.graph.builder.insert(operation)
        operation.result.name_hint = name_hint(name or self.name)
        return operation.result

    def to(self, stored: Stored, order: Sequence[int]) -> SSAValue:
        """The value in another order of dimensions."""
        order = tuple(order)
        if stored.order == order:
            return stored.value
        perm = [stored.order.index(axis) for axis in order]
        shape = permuted(stored.extents, perm)
        type = typed(stored.element, shape)
        moving = [axis for axis in perm if stored.extents[axis] != 1]
        if moving == sorted(moving):
            return self.emit(ReshapeOp(stored.value, type))
        return self.emit(TransposeOp(stored.value, perm))

    def real(self, tensor: Tensor, order: Sequence[int] | None = None) -> SSAValue:
        """The elements, in the tensor's order unless another one is named."""
        return self.to(tensor.value.stored, range(len(tensor.shape)) if order is None else order)

    def unsigned(self, stored: Stored) -> SSAValue:
        """The bytes of a uint8 tensor."""
        return self._recoded(stored, UI8, (-128, 0))

    def signed(self, value: SSAValue) -> SSAValue:
        """Bytes without a sign as they are stored."""
        return self._recoded(Stored.plain(value), i8, (0, -128))

    def _recoded(self, stored: Stored, element: Attribute, zero_points: tuple[int, int]) -> SSAValue:
        bounds = (0, 255) if element == UI8 else (-128, 127)
        return self.emit(
            RescaleOp(
                stored.value,
                zero_points=zero_points,
                rescale=SAME,
                clamp=ClampAttr.get(*bounds),
                output_type=typed(element, stored.extents),
            )
        )

    def quantised(self, tensor: Tensor, to: Quantised) -> Stored:
        """A float tensor as integers of a scale."""
        made = self.in_integers(tensor, to)
        if made is None:
            assert not to.is_bounded, "bounds are those of operators that quantise"
            stored = tensor.value.stored
            type = typed(ELEMENTS[to.dtype], stored.extents)
            made = QuantizeOp(stored.value, scale=to.scale, zero_point=to.zero_point, output_type=type, to_even=True)
            made = tensor.cache[id(self.graph), to] = Stored(self.emit(made), stored.order)
        return made

    def in_integers(self, tensor: Tensor, to: Quantised) -> Stored | None:
        """The same by an operation on integers; None if there is none."""
        key = id(self.graph), to
        if key not in tensor.cache and (made := self._integers(tensor, to)) is not None:
            tensor.cache[key] = made
        return tensor.cache.get(key)

    def _integers(self, tensor: Tensor, to: Quantised) -> Stored | None:
        element = ELEMENTS[to.dtype]
        if tensor.array is not None:
            steps = np.clip(to.steps(tensor.array.astype(np.float32)), *to.bounds)
            return Stored.plain(self.literal(steps, element, tensor.name))
        if tensor.steps is not None and tensor.steps.quantised == to:
            return tensor.steps.integers.stored
        if tensor.table is not None and to.bytes == 1:
            integers = tensor.table.integers.stored
            values = np.clip(to.steps(tensor.table.reals), *to.bounds)
            type = typed(element, integers.extents)
            return Stored(self.emit(TableOp(integers.value, [int(value) for value in values], type)), integers.order)
        return None if tensor.quantise is None else tensor.quantise(to)

    def made(self, value: Callable[[], Stored], shape: Sequence[int], dtype: str = "float32", **more: Any) -> Tensor:
        """The first output."""
        return Tensor(self.name, tuple(int(extent) for extent in shape), dtype, Lazy(value), **more)
