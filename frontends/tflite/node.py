"""One operator while it is imported: what it reads and writes, and the `nn` operations that it becomes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from xdsl.builder import Builder
from xdsl.dialects.builtin import AnyFloat, BytesAttr, DenseIntOrFPElementsAttr, IntegerType, TensorType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import nn_keys
from ...dialects.nn.attributes import OriginAttr
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.shape import ReshapeOp
from ...errors import InputError
from ..emission import insert, name_hint
from ..reasons import Unsupported
from .schema import Model, Operator, Subgraph, Tensor
from .variables import Variables


def tensor_type(tensor: Tensor, shape: Sequence[int] | None = None) -> TensorType[IntegerType | AnyFloat]:
    """The IR type of a tensor, with another shape if one is given."""
    # Types that the IR has not appear only in models that are refused in the end.
    element = tensor.element_type.ir or IntegerType(8)
    return TensorType(element, tensor.shape if shape is None else shape)


def constant_of(tensor: Tensor, shape: Sequence[int] | None = None) -> ConstantOp:
    """Return the constant of a tensor with data, under another shape of as many elements if one is given."""
    assert tensor.data is not None, "every other tensor is bound before it is read"
    data = tensor.data
    if tensor.element_type.name == "INT4":
        data = _unpacked(data, math.prod(tensor.shape))
    return ConstantOp(DenseIntOrFPElementsAttr(tensor_type(tensor, shape), BytesAttr(data)))


def _unpacked(data: bytes, count: int) -> bytes:
    """`count` elements of 4 bits, the low half of a byte first, as int8."""
    packed = np.frombuffer(data, np.int8)
    halves = np.stack([packed << 4, packed], axis=1).reshape(-1)[:count]
    return (halves >> 4).tobytes()


class Values:
    """The SSA values of a subgraph's tensors; constants come into being where they are first read."""

    def __init__(self, builder: Builder, variables: Variables, graph: int = 0):
        self.builder = builder
        self.variables = variables
        self.graph = graph
        """Index of the subgraph in the model."""
        self._values: dict[tuple[int, tuple[int, ...]], SSAValue] = {}

    def bind(self, tensor: Tensor, value: SSAValue) -> None:
        """Say that `value` is what `tensor` holds from now on."""
        value.name_hint = name_hint(tensor.name)
        self._values[tensor.index, tensor.shape] = value

    def is_bound(self, tensor: Tensor) -> bool:
        """Whether the tensor has a value already."""
        return (tensor.index, tensor.shape) in self._values

    def get(self, tensor: Tensor, shape: Sequence[int] | None = None) -> SSAValue:
        """The value of a tensor; a constant may be asked for under another shape of as many elements."""
        key = tensor.index, tensor.shape if shape is None else tuple(shape)
        if key not in self._values:
            constant = constant_of(tensor, key[1])
            nn_keys.NAME.put(constant.attributes, tensor.name)
            self.builder.insert(constant)
            constant.result.name_hint = name_hint(tensor.name)
            self._values[key] = constant.result
        return self._values[key]


class Scope(ABC):
    """A subgraph while it is imported."""

    model: Model
    index: int
    """Number of the subgraph in the model."""
    graph: Subgraph
    """The subgraph as the file has it."""
    block: Block
    """Where its operations go."""
    tensors: list[Tensor]
    """Those of the file, with the shapes that are known by now."""
    values: Values
    is_dynamic: bool
    """Whether shapes are inferred."""
    is_resized: bool
    """Whether inputs have other shapes than in the file."""

    @property
    @abstractmethod
    def suffix(self) -> str:
        """Text behind an operator's index in messages if the subgraph is none that applications run."""

    @property
    @abstractmethod
    def source(self) -> str:
        """The file, for messages."""

    @property
    @abstractmethod
    def inputs(self) -> list[Tensor]:
        """The input tensors."""

    @property
    @abstractmethod
    def outputs(self) -> list[Tensor]:
        """The output tensors."""

    @abstractmethod
    def bind(self, values: Sequence[SSAValue]) -> None:
        """Say what the inputs are."""

    @abstractmethod
    def leaves_open(self, tensor: Tensor) -> bool:
        """Whether the shape of a tensor follows from the inputs."""

    @abstractmethod
    def run(self) -> None:
        """Import the operators."""

    @abstractmethod
    def inner(self, index: int, block: Block) -> Scope:
        """A subgraph that an operator of this one runs.

        Raises:
            Unsupported: it runs itself.
        """


class Node:
    """An operator with its tensors at hand."""

    def __init__(self, graph: Scope, operator: Operator):
        self.operator = operator
        self.graph = graph
        """The subgraph that the operator stands in."""
        self._values = graph.values
        self._inputs = [None if position == -1 else graph.tensors[position] for position in operator.inputs]
        self._outputs = [graph.tensors[position] for position in operator.outputs]
        self.emitted: list[Operation] = []

    def __str__(self) -> str:
        """`operator 3 CONV_2D (output 'x')`, with the subgraph if it is one that another operator runs."""
        output = f" (output '{self._outputs[0].name}')" if self._outputs else ""
        return f"operator {self.operator.index}{self.graph.suffix} {self.operator.title}{output}"

    def malformed(self, message: str) -> InputError:
        """The error for an operator that contradicts itself or TFLite's rules."""
        return InputError(f"malformed TFLite file {self.graph.source}: {self}: {message}")

    def input(self, position: int) -> Tensor:
        """An input that the operator cannot do without."""
        tensor = self.optional_input(position)
        if tensor is None:
            raise self.malformed(f"input {position} is missing")
        return tensor

    def optional_input(self, position: int) -> Tensor | None:
        """An input that may be left out."""
        return self._inputs[position] if position < len(self._inputs) else None

    def reshape_output(self, position: int, shape: Sequence[int]) -> None:
        """Give an output another shape than the file says."""
        tensor = self._outputs[position] = replace(self._outputs[position], shape=tuple(shape))
        self.graph.tensors[tensor.index] = tensor

    @property
    def output(self) -> Tensor:
        """The (first) output."""
        return self._outputs[0]

    @property
    def outputs(self) -> Sequence[Tensor]:
        """All outputs."""
        return self._outputs

    def check_arity(self, inputs: tuple[int, int], outputs: int | None) -> None:
        """Refuse a number of inputs outside `inputs` (both included) or another number of outputs; None admits any."""
        least, most = inputs
        if (
            not least <= len(self._inputs) <= most
            or outputs not in (None, len(self._outputs))
            or not (self._outputs or outputs == 0)
        ):
            count = str(least) if least == most else f"{least} to {most}"
            raise self.malformed(
                f"it has {len(self._inputs)} inputs and {len(self._outputs)} outputs, not {count} and "
                f"{'at least 1' if outputs is None else outputs}"
            )

    def check_types(
        self, tensors: Sequence[Tensor | None], *, supported: Sequence[str], others: Sequence[str] = ()
    ) -> None:
        """Check the combination of element types.

        Args:
            tensors: those to look at; None (left out) fits every type.
            supported: combinations that can be compiled, type names separated by spaces.
            others: combinations that TFLite defines besides.

        Raises:
            Unsupported: one of `others`.
            InputError: a combination that TFLite does not define.
        """
        found = [None if tensor is None else tensor.element_type.name for tensor in tensors]
        rows = [row.split() for row in (*supported, *others)]
        fits = [all(name in (None, wanted) for name, wanted in zip(found, row, strict=True)) for row in rows]
        types = ", ".join(name for name in found if name is not None)
        if not any(fits):
            raise self.malformed(f"element types {types} do not go together")
        if not any(fits[: len(supported)]):
            raise Unsupported(f"element types {types} cannot be compiled")

    def check_same_type(self, tensors: Sequence[Tensor], supported: Sequence[str]) -> None:
        """Check that tensors have one element type, out of `supported`.

        Raises:
            InputError: they have several.
            Unsupported: they have another one.
        """
        names = sorted({tensor.element_type.name for tensor in tensors})
        if len(names) > 1:
            raise self.malformed(f"element types {', '.join(names)} do not go together")
        if names[0] not in supported:
            raise Unsupported(f"element type {names[0]} cannot be compiled")

    def integers(self, tensor: Tensor) -> list[int]:
        """The elements of a constant tensor of INT32 or INT64 (shapes, axes, margins).

        Raises:
            InputError: it has another type.
            Unsupported: it is computed at run time.
        """
        if tensor.element_type.name not in ("INT32", "INT64"):
            raise self.malformed(f"{tensor} has the type {tensor.element_type.name}, expected INT32 or INT64")
        return [int(value) for value in self.constant(tensor).reshape(-1)]

    def constant(self, tensor: Tensor) -> npt.NDArray[np.generic]:
        """The elements of a constant tensor.

        Raises:
            Unsupported: it is computed at run time.
        """
        if tensor.data is not None:
            return constant_of(tensor).array
        owner = self._values.get(tensor).owner
        if not isinstance(owner, ConstantOp):
            raise Unsupported(f"{tensor} is computed at run time; it must be a constant")
        return owner.array

    def axis(self, value: int, rank: int) -> int:
        """An axis counted from the front, from one that may count from the back."""
        if not -rank <= value < rank:
            raise self.malformed(f"axis {value} is none of the {rank} dimensions")
        return value % rank

    def refuse_empty(self, *tensors: Tensor) -> None:
        """Refuse tensors without elements, for operators that look for one.

        Raises:
            Unsupported: one has none.
        """
        for tensor in tensors:
            if 0 in tensor.shape:
                raise Unsupported(f"{tensor} of shape {list(tensor.shape)} has no elements")

    def integer(self, field: str) -> int:
        """An integer option (an enumeration's number, a flag as 0 or 1); 0 in a table that the file leaves out."""
        value = self.operator.options.get(field, 0)
        assert isinstance(value, int), f"{field} is an integer in the schema"
        return int(value)

    def positive(self, field: str) -> int:
        """An integer option that must be at least 1."""
        value = self.integer(field)
        if value < 1:
            raise self.malformed(f"option {field} is {value}, it must be at least 1")
        return value

    def real(self, field: str) -> float:
        """A float option that must be finite."""
        value = self.operator.options.get(field, 0.0)
        assert isinstance(value, float), f"{field} is a float in the schema"
        if not math.isfinite(value):
            raise self.malformed(f"option {field} is {value}")
        return value

    def value(self, tensor: Tensor, shape: Sequence[int] | None = None) -> SSAValue:
        """The SSA value of a tensor, under another shape of as many elements if one is given."""
        if shape is None or tuple(shape) == tensor.shape:
            return self._values.get(tensor)
        if math.prod(shape) != math.prod(tensor.shape):
            raise self.malformed(f"{tensor} has shape {list(tensor.shape)}, expected {list(shape)}")
        if tensor.data is not None:
            return self._values.get(tensor, shape)
        return self.emit(ReshapeOp(self._values.get(tensor), tensor_type(tensor, shape))).results[0]

    def state(self, tensor: Tensor, shape: Sequence[int] | None = None) -> SSAValue:
        """The variable that a state tensor of the operator is, of another shape of as many elements if one is given.

        Raises:
            InputError: the tensor keeps no state.
            Unsupported: it is an input of the model, too.
        """
        if not tensor.is_variable:
            raise self.malformed(f"{tensor} must be a variable")
        if self._values.is_bound(tensor):
            raise Unsupported(f"the state {tensor} is an input of the model")
        if shape is not None and math.prod(shape) != math.prod(tensor.shape) and not self.graph.is_dynamic:
            raise self.malformed(f"{tensor} has shape {list(tensor.shape)}, expected {list(shape)}")
        return self.variables.state(self._values.graph, tensor, tensor_type(tensor, shape))

    @property
    def variables(self) -> Variables:
        """The model's variables."""
        return self._values.variables

    def emit(self, operation: Operation) -> Operation:
        """Append an `nn` operation; see `emission.insert`."""
        first = self._outputs[0].name if self._outputs else ""
        origin = OriginAttr.get(self.operator.index, self.operator.opcode, first)
        inserted = insert(self._values.builder, operation, origin, first)
        self.emitted.append(inserted)
        return inserted
