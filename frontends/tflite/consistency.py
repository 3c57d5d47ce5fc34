"""Checks of every sound TFLite model whatever its operators: indices, sizes, scales, order of execution."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...errors import InputError
from .option_tables import options_table
from .schema import Model, Operator, Quantisation, Subgraph, Tensor
from .wrong_scales import wrong_scale

MAX_RANK = 32
"""Most dimensions of a tensor; TensorFlow Lite's own kernels stop at 8 or earlier."""

MAX_BYTES = 2**31 - 1
"""Largest tensor: offsets are 32-bit signed numbers in the emitted C."""

_MEMORY: Mapping[str, tuple[int, ...]] = {"CUSTOM ethos-u": (2, 3)}
"""Inputs of operators that are room to work in: nothing is read of them that was there before."""

_QUANTISED = ("INT4", "INT8", "UINT8", "INT16")
"""Types whose scales are always used; other tensors may carry a record of what they were made from."""


def check_model(model: Model) -> None:
    """Check the signatures, and the subgraphs that they and their operators run.

    Raises:
        InputError: the file contradicts itself; the message names the operator or tensor.
    """
    _Check(model).run()


class _Check:
    def __init__(self, model: Model):
        self.model = model

    def malformed(self, message: str) -> InputError:
        return InputError(f"malformed TFLite file {self.model.source}: {message}")

    def run(self) -> None:
        if not self.model.subgraphs:
            raise self.malformed("it has no subgraph")
        self._signatures()
        entries = set(self.model.entries.values())
        for index in self.model.reachable():
            if not 0 <= index < len(self.model.subgraphs):
                raise self.malformed(f"an operator runs subgraph {index} of {len(self.model.subgraphs)}")
            graph = self.model.subgraphs[index]
            for tensor in graph.tensors:
                self._tensor(tensor)
            for operator in graph.operators:
                self._options(operator)
            self._order(graph, "the model" if index in entries else f"subgraph {index}", must_give=index in entries)

    def _tensor(self, tensor: Tensor) -> None:
        if any(extent < 0 for extent in tensor.shape):
            raise self.malformed(f"{tensor} has the negative extents {list(tensor.shape)}")
        if len(tensor.shape) > MAX_RANK:
            raise self.malformed(f"{tensor} has {len(tensor.shape)} dimensions, more than {MAX_RANK}")
        elements = math.prod(tensor.shape)
        # An extent of 0 hides what the others would take.
        if math.prod(extent or 1 for extent in tensor.shape) * (tensor.element_type.bits or 8) > 8 * MAX_BYTES:
            raise self.malformed(f"{tensor} of shape {list(tensor.shape)} has more than {MAX_BYTES} bytes")
        if tensor.signature and (
            len(tensor.signature) != len(tensor.shape)
            or any(s not in (-1, extent) for s, extent in zip(tensor.signature, tensor.shape, strict=True))
        ):
            raise self.malformed(
                f"{tensor} has shape {list(tensor.shape)} and the shape signature {list(tensor.signature)}"
            )
        expected = tensor.element_type.buffer_bytes(elements)
        if tensor.data is not None and not tensor.is_sparse and expected not in (None, len(tensor.data)):
            raise self.malformed(
                f"{tensor} of shape {list(tensor.shape)} and type {tensor.element_type.name} needs {expected} bytes of "
                f"data, its buffer {tensor.buffer} has {len(tensor.data)}"
            )
        if tensor.is_variable and tensor.data is not None:
            raise self.malformed(f"{tensor} is a variable and has constant data")
        if tensor.quantisation is not None:
            self._quantisation(tensor, tensor.quantisation)

    def _quantisation(self, tensor: Tensor, quantisation: Quantisation) -> None:
        scales, zero_points = quantisation.scales, quantisation.zero_points
        if len(zero_points) != len(scales):
            raise self.malformed(f"{tensor} has {len(scales)} scales and {len(zero_points)} zero points")
        if any(not -(1 << 31) <= zero_point < 1 << 31 for zero_point in zero_points):
            raise self.malformed(f"{tensor} has zero points of more than 32 bits")
        if len(scales) > 1 and len(scales) not in tensor.shape:
            raise self.malformed(f"{tensor} of shape {list(tensor.shape)} has {len(scales)} scales")
        if tensor.element_type.name in _QUANTISED and (wrong := wrong_scale(tensor, quantisation)) is not None:
            raise self.malformed(f"{tensor} has the scale {wrong}; scales are positive and finite")

    def _options(self, operator: Operator) -> None:
        expected = options_table(operator.opcode)
        if operator.options_type.startswith("UNKNOWN") and expected == "NONE":
            return
        if operator.options_type not in (expected, "NONE"):
            wanted = f"{expected} " if expected != "NONE" else "no options "
            raise self.malformed(
                f"operator {operator.index} {operator.title} has {operator.options_type} where {wanted}belong"
            )

    def _order(self, graph: Subgraph, whole: str, *, must_give: bool) -> None:
        """Every tensor is written once, before it is read: the list of operators is in execution order."""
        written = [tensor.data is not None for tensor in graph.tensors]
        for position in graph.inputs:
            self._write(graph, position, written, f"{whole}'s inputs", as_input=True)
        for operator in graph.operators:
            what = f"operator {operator.index} {operator.title}"
            memory = _MEMORY.get(operator.key, ())
            for position in (p for number, p in enumerate(operator.inputs) if number not in memory):
                tensor = None if position == -1 else self._at(graph, position, what)
                if tensor is not None and not written[tensor.index] and not tensor.is_variable:
                    raise self.malformed(f"{what} reads {tensor} before anything writes it")
            for position in operator.outputs:
                self._write(graph, position, written, what)
        if not graph.outputs and must_give:
            raise self.malformed(f"{whole} has no outputs")
        for position in graph.outputs:
            tensor = self._at(graph, position, f"{whole}'s outputs")
            if not written[position]:
                raise self.malformed(f"nothing writes {whole}'s output {tensor}")

    def _at(self, graph: Subgraph, position: int, what: str) -> Tensor:
        if not 0 <= position < len(graph.tensors):
            raise self.malformed(f"{what}: there is no tensor {position}, the model has {len(graph.tensors)}")
        return graph.tensors[position]

    def _write(self, graph: Subgraph, position: int, written: list[bool], what: str, *, as_input: bool = False) -> None:
        tensor = self._at(graph, position, what)
        if 0 in tensor.shape:
            raise self.malformed(f"{what}: {tensor} of shape {list(tensor.shape)} has no elements")
        if tensor.data is not None:
            raise self.malformed(f"{what}: {tensor} is a constant and cannot be written")
        if tensor.is_variable and not as_input:
            raise self.malformed(f"{what}: {tensor} is a variable and cannot be written")
        if written[position]:
            raise self.malformed(f"{what}: {tensor} is written twice")
        written[position] = True

    def _signatures(self) -> None:
        for signature in self.model.signatures:
            what = f"signature '{signature.key}'"
            if signature.subgraph >= len(self.model.subgraphs):
                raise self.malformed(f"{what} names subgraph {signature.subgraph} of {len(self.model.subgraphs)}")
            graph = self.model.subgraphs[signature.subgraph]
            for side, named, actual in (
                ("input", signature.inputs, graph.inputs),
                ("output", signature.outputs, graph.outputs),
            ):
                for position in sorted(set(named) - set(actual)):
                    raise self.malformed(f"{what} names tensor {position}, which is not an {side}")
