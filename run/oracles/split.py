"""TFLite files that hold a part of another one: its operators one by one, or the whole with further outputs."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import install_extra
from ..samples import Array
from .oracle import OracleMissing

_SCHEMAS = ("ai_edge_litert.schema_py_generated", "tflite_micro.tensorflow.lite.micro.python.schema_py_generated")
"""One generated module, in either of the packages with an interpreter."""


@dataclass(frozen=True)
class Part:
    """Consecutive operators that are run together."""

    operators: tuple[int, ...]
    """Their numbers in the file."""
    inputs: tuple[int, ...]
    """Tensors that others compute, or the model's inputs."""
    outputs: tuple[int, ...]


class Network:
    """A TFLite file whose first subgraph is taken apart."""

    def __init__(self, data: bytes):
        self._schema = _schema()
        self._data = data
        graph: Any = self._schema.Model.GetRootAs(data, 0).Subgraphs(0)
        self.inputs: tuple[int, ...] = tuple(graph.Inputs(place) for place in range(graph.InputsLength()))
        self.outputs: tuple[int, ...] = tuple(graph.Outputs(place) for place in range(graph.OutputsLength()))

    @cached_property
    def _model(self) -> Any:
        """The file's tables as objects; a network that is run as a whole needs none."""
        model = self._schema.ModelT.InitFromPackedBuf(self._data, 0)
        for buffer in model.buffers:
            if buffer.offset > 1:  # behind the flatbuffer, as in files over 2 GiB
                buffer.data = np.frombuffer(self._data, np.uint8, buffer.size, buffer.offset)
                buffer.offset = buffer.size = 0
        model.signatureDefs = None
        model.metadata = None
        return model

    @property
    def _graph(self) -> Any:
        return self._model.subgraphs[0]

    @cached_property
    def computed(self) -> frozenset[int]:
        """Tensors that an operator computes."""
        return frozenset(int(tensor) for operator in self._graph.operators for tensor in operator.outputs)

    def tensor(self, name: str) -> int | None:
        """The one tensor of that name; None where there is none, or several."""
        found = [number for number in range(len(self._graph.tensors)) if self.name(number) == name]
        return found[0] if len(found) == 1 else None

    def name(self, tensor: int) -> str:
        """A tensor's name."""
        return (self._graph.tensors[tensor].name or b"").decode(errors="replace")

    def kind(self, operator: int) -> str:
        """An operator's kind, as the schema calls it; a custom one's with its code."""
        code = self._model.operatorCodes[self._graph.operators[operator].opcodeIndex]
        number = max(code.builtinCode, code.deprecatedBuiltinCode)
        names = {value: name for name, value in vars(self._schema.BuiltinOperator).items() if isinstance(value, int)}
        kind = names.get(number, f"BUILTIN_{number}")
        return f"CUSTOM '{(code.customCode or b'').decode(errors='replace')}'" if kind == "CUSTOM" else kind

    def first_output(self, operator: int) -> str:
        """The name of the first tensor that an operator computes."""
        outputs = self._graph.operators[operator].outputs
        return self.name(outputs[0]) if len(outputs) else ""

    def constant(self, tensor: int) -> Array:
        """The elements of a constant."""
        made = self._graph.tensors[tensor]
        types = {value: name for name, value in vars(self._schema.TensorType).items() if isinstance(value, int)}
        shape = [] if made.shape is None else made.shape
        data = np.asarray(self._model.buffers[made.buffer].data, np.uint8)
        return data.view(np.dtype(types[made.type].lower())).reshape(shape)

    def whole(self, further: Sequence[int]) -> bytes:
        """The model with further tensors as outputs."""
        return self._packed(range(len(self._graph.operators)), self.inputs, (*self.outputs, *further))

    def parts(self) -> list[Part]:
        """The operators in order, each by itself; those that share a state with all that run between them."""
        found: list[Part] = []
        for operators in self._runs():
            chosen = [self._graph.operators[number] for number in operators]
            made = dict.fromkeys(int(tensor) for operator in chosen for tensor in operator.outputs)
            read = dict.fromkeys(tensor for operator in chosen for tensor in self._read(operator))
            outer = tuple(tensor for tensor in read if tensor not in made and self._is_given(tensor))
            found.append(Part(operators, outer, tuple(made)))
        return [
            Part(part.operators, part.inputs, self._seen(part, [*found[:number], *found[number + 1 :]]))
            for number, part in enumerate(found)
        ]

    def part(self, part: Part) -> bytes:
        """A file of these operators alone."""
        return self._packed(part.operators, part.inputs, part.outputs)

    def _seen(self, part: Part, others: Iterable[Part]) -> tuple[int, ...]:
        """Outputs of a part that can be asked for: of several operators those that others read."""
        if len(part.operators) == 1:
            return part.outputs
        wanted = set(self.outputs).union(*(other.inputs for other in others))
        return tuple(tensor for tensor in part.outputs if tensor in wanted)

    def _read(self, operator: Any) -> list[int]:
        return [] if operator.inputs is None else [int(tensor) for tensor in operator.inputs if tensor >= 0]

    def _is_given(self, tensor: int) -> bool:
        """Whether a tensor has its values from outside: it is no constant and no state."""
        return tensor in self.computed or tensor in self.inputs

    def _state(self, operator: Any) -> Iterator[object]:
        """Names of what an operator keeps from run to run, or shares with others in another way than by values."""
        tensors = [self._graph.tensors[tensor] for tensor in (*self._read(operator), *operator.outputs)]
        for tensor in tensors:
            if tensor.isVariable:
                yield id(tensor)
            if tensor.type in (self._schema.TensorType.RESOURCE, self._schema.TensorType.VARIANT):
                yield "resources"
        if self._schema.BuiltinOperator.CALL_ONCE == self._model.operatorCodes[operator.opcodeIndex].builtinCode:
            yield "resources"

    def _runs(self) -> list[tuple[int, ...]]:
        """Numbers of operators that are run together, in order."""
        spans: dict[object, tuple[int, int]] = {}
        for number, operator in enumerate(self._graph.operators):
            for state in self._state(operator):
                spans[state] = (spans.get(state, (number, 0))[0], number)
        runs: list[tuple[int, ...]] = []
        number = 0
        while number < len(self._graph.operators):
            last = number
            while further := [end for first, end in spans.values() if number <= first <= last < end]:
                last = max(further)
            runs.append(tuple(range(number, last + 1)))
            number = last + 1
        return runs

    def _packed(self, operators: Sequence[int], inputs: Sequence[int], outputs: Sequence[int]) -> bytes:
        """A file with some of the operators; tensors keep their numbers, constants that nobody reads their places."""
        model, graph = copy.copy(self._model), copy.copy(self._graph)
        graph.operators = [self._graph.operators[number] for number in operators]
        graph.inputs, graph.outputs = np.array(inputs, np.int32), np.array(outputs, np.int32)
        calls = any(_calls(operator) for operator in graph.operators)
        model.subgraphs = [graph, *(self._model.subgraphs[1:] if calls else ())]
        if not calls:
            read = {tensor for operator in graph.operators for tensor in self._read(operator)} | set(outputs)
            used = {self._graph.tensors[tensor].buffer for tensor in read}
            empty = self._schema.BufferT()
            model.buffers = [buffer if number in used else empty for number, buffer in enumerate(self._model.buffers)]
            # LiteRT refuses a file with a kind that it lacks, even if no operator is of it.
            kinds = sorted({operator.opcodeIndex for operator in graph.operators})
            model.operatorCodes = [self._model.operatorCodes[kind] for kind in kinds]
            graph.operators = [copy.copy(operator) for operator in graph.operators]
            for operator in graph.operators:
                operator.opcodeIndex = kinds.index(operator.opcodeIndex)
        builder = importlib.import_module("flatbuffers").Builder(1 << 16)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def _calls(operator: Any) -> bool:
    """Whether an operator runs subgraphs."""
    options = [getattr(operator, name, None) for name in ("builtinOptions", "builtinOptions2")]
    return any("ubgraph" in name for table in options if table is not None for name in vars(table))


def _schema() -> Any:
    for name in _SCHEMAS:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise OracleMissing("no reference interpreter is installed", remedy=install_extra("verify"))
