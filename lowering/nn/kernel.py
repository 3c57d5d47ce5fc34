"""One operator function under construction: its arguments and its loops.

Functions return nothing; arguments are first the operands computed at run time, then constants (weights and tables
made at compile time), then outputs. What stands behind each argument is recorded for the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xdsl.dialects import func, memref
from xdsl.dialects.arith import ExtUIOp
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float32Type,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    f32,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.nn import ConstantOp
from ...dialects.nn.interfaces import tensor_type
from ...dialects.pool import keys
from ...dialects.pool.kinds import BufferKind
from ...dialects.task.syntax import Access
from .nest import Emitter, Nest, Place, RegionBuilder, affine, computed, is_affine
from .storage import is_unsigned, storage_type

_ELEMENT_TYPES: dict[str, IntegerType | Float32Type] = {
    "int8": i8,
    "int16": i16,
    "int32": i32,
    "int64": i64,
    "float32": f32,
}


@dataclass(frozen=True)
class Tensor:
    """An argument that is an operand or a result of the operator, seen as memref `type`."""

    value: SSAValue
    type: MemRefType


@dataclass(frozen=True)
class Table:
    """An argument that is a table made at compile time; `suffix` says of what, for its name."""

    value: DenseIntOrFPElementsAttr
    suffix: str


class Kernel(Emitter):
    """Builds the function of `op`; the first request for an operand, table or result makes it an argument."""

    def __init__(self, op: Operation, elements: Collection[Attribute]):
        super().__init__(Block())
        self.op = op
        self._elements = elements
        self._inputs: list[Tensor] = []
        self._read_only: list[Tensor | Table] = []
        self._outputs: list[Tensor] = []
        self._unsigned: set[SSAValue] = set()
        self._region: RegionBuilder | None = None

    @property
    def arguments(self) -> list[Tensor | Table]:
        """Arguments that the caller passes, in order."""
        return [*self._inputs, *self._read_only, *self._outputs]

    def input(self, value: SSAValue, hint: str, shape: Sequence[int] | None = None) -> SSAValue:
        """The memref of an operand, seen under `shape` if given (same number of elements)."""
        if isinstance(value.owner, ConstantOp):
            self._read_only.append(self._tensor(value, shape))
            return self._argument(len(self._inputs) + len(self._read_only) - 1, self._read_only[-1], hint)
        self._inputs.append(self._tensor(value, shape))
        return self._argument(len(self._inputs) - 1, self._inputs[-1], hint)

    def output(self, value: SSAValue, hint: str = "output", shape: Sequence[int] | None = None) -> SSAValue:
        """The memref of a result, seen under `shape` if given."""
        self._outputs.append(self._tensor(value, shape))
        return self._argument(len(self.arguments) - 1, self._outputs[-1], hint)

    def table(self, values: npt.NDArray[np.signedinteger | np.floating], hint: str) -> SSAValue:
        """A read-only memref of the given numbers (int8 to int64, float32)."""
        type = TensorType(_ELEMENT_TYPES[values.dtype.name], values.shape)
        data = values.astype(values.dtype.newbyteorder("<")).tobytes()
        self._read_only.append(Table(DenseIntOrFPElementsAttr(type, BytesAttr(data)), hint))
        return self._argument(len(self._inputs) + len(self._read_only) - 1, self._read_only[-1], hint)

    def scratch(self, shape: Sequence[int], element: IntegerType | Float32Type, hint: str) -> SSAValue:
        """A buffer for the time of the call."""
        alloc = memref.AllocOp([], [], MemRefType(element, shape))
        keys.NAME.put(alloc.attributes, hint)
        keys.KIND.put(alloc.attributes, BufferKind.SCRATCH)
        return self.emit(alloc, hint)

    def finish(self, name: str) -> func.FuncOp:
        """End the function and return it; the kernel emits nothing after that."""
        self.builder.insert(func.ReturnOp())
        return func.FuncOp(name, (self.block.arg_types, []), Region(self.block), StringAttr("private"))

    def _tensor(self, value: SSAValue, shape: Sequence[int] | None) -> Tensor:
        type = tensor_type(value)
        element = type.get_element_type()
        if element not in self._elements:
            raise PassFailedException(f"'{self.op.name}' op has no lowering for elements of type {element}")
        return Tensor(value, MemRefType(storage_type(element), type.get_shape() if shape is None else shape))

    def _argument(self, position: int, argument: Tensor | Table, hint: str) -> SSAValue:
        if isinstance(argument, Tensor):
            type = argument.type
        else:
            assert isinstance(argument.value.type, TensorType), "tables are tensors"
            type = MemRefType(argument.value.type.get_element_type(), argument.value.type.get_shape())
        value = self.block.insert_arg(type, position)
        value.name_hint = hint
        if isinstance(argument, Tensor) and is_unsigned(tensor_type(argument.value).get_element_type()):
            self._unsigned.add(value)
        return value

    def nest(self, space: Mapping[str, int], fold: Mapping[str, int] | None = None) -> Nest:
        """Begin a task over dimensions by name; `Nest.build` or `Nest.each` completes it."""
        return Nest(self, space, fold or {})

    @contextmanager
    def inside_nest(self, region: RegionBuilder) -> Generator[None]:
        """Emit into a region of a nest: affine loads and stores are what the nest reads and writes."""
        outside, self.builder.insertion_point = self.builder.insertion_point, region.start
        self._region = region
        yield
        self._region = None
        self.builder.insertion_point = outside

    def load(
        self, source: SSAValue, indices: Sequence[Place] = (), hint: str | None = None, *, clip: bool = False
    ) -> SSAValue:
        """The element of memref `source` at `indices`; unsigned ones come as i32, widened with zeros.

        In a nest, points where a place with `clip` is outside of the memref are left out.
        """
        value = self.load_bytes(source, indices, hint, clip=clip)
        return self.emit(ExtUIOp(value, i32), hint) if source in self._unsigned else value

    def store(self, value: SSAValue, target: SSAValue, indices: Sequence[Place] = ()) -> None:
        """Set the element of memref `target` at `indices`; of an i32 for an unsigned one the low bits."""
        self.store_bytes(self.narrow(value, i8) if target in self._unsigned else value, target, indices)

    def load_bytes(
        self, source: SSAValue, indices: Sequence[Place] = (), hint: str | None = None, *, clip: bool = False
    ) -> SSAValue:
        """Load an element as it lies in memory, without widening."""
        if self._region is not None and is_affine(indices):
            assert isinstance(source.type, MemRefType), "arguments of kernels are memrefs"
            return self._region.read(Access(source, affine(indices), clip), source.type.element_type, hint)
        return super().load(source, computed(indices), hint)

    def store_bytes(self, value: SSAValue, target: SSAValue, indices: Sequence[Place] = ()) -> None:
        """Store an element as it lies in memory, without narrowing."""
        if self._region is not None and is_affine(indices):
            self._region.stored.append((value, Access(target, affine(indices))))
        else:
            super().store(value, target, computed(indices))
