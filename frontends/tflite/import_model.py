"""Builds the `nn` module of a TFLite file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    UnrealizedConversionCastOp,
    f32,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ...dialects.nn.constant import ConstantOp
from ...errors import InputError
from ...targets.interfaces.identifiers import identifier
from .consistency import check_model
from .flatbuffer import read_model
from .names import interface_names
from .node import Node, Unsupported, Values, tensor_type
from .operators import lookup
from .quantisation import QuantisationError
from .refusals import Refusals
from .schema import Model, Tensor
from .variables import Variables

INTERFACE_TYPES = ("FLOAT32", "INT8", "UINT8", "INT16", "INT32", "INT64", "BOOL")
"""Element types that a model's inputs and outputs may have."""


def import_tflite(data: bytes | str | os.PathLike[str], name: str, *, source: str | None = None) -> ModuleOp:
    """Import the first subgraph of a TFLite model as `nn` IR.

    Args:
        data: the file's bytes, or its path.
        name: the model's name; the entry function bears it as a C identifier.
        source: the file's name for messages; the path, or `<name>.tflite` if bytes are given.

    Returns:
        A verified module with one public function on tensors. Its arguments and results carry `nn.name` and, when they
        are quantised, `nn.scale` and `nn.zero_point`; every operation carries `nn.origin`, every constant `nn.name`.

    Raises:
        InputError: the file cannot be read or is malformed; names the operator or tensor.
        UnsupportedError: it is sound but needs what cannot be compiled; lists all of that.
    """
    if not isinstance(data, bytes):
        source = source or os.fspath(data)
        try:
            data = Path(data).read_bytes()
        except OSError as error:
            raise InputError(f"cannot read {source}: {error.strerror or error}") from error
    model = read_model(data, source or f"{name}.tflite")
    check_model(model)
    return _Import(model, identifier(name)).run()


class _Import:
    def __init__(self, model: Model, symbol: str):
        self.model = model
        self.graph = model.subgraphs[0]
        self.inputs = frozenset(self.graph.inputs)
        self.symbol = symbol
        self.refusals = Refusals(model.source)

    def run(self) -> ModuleOp:
        graph = self.graph
        self._refuse_entry_points()
        inputs = [graph.tensors[position] for position in graph.inputs]
        outputs = [graph.tensors[position] for position in graph.outputs]
        types = [tensor_type(tensor) for tensor in inputs], [tensor_type(tensor) for tensor in outputs]
        function = FuncOp(self.symbol, types)
        builder = Builder(InsertPoint.at_end(function.body.block))
        values = Values(builder, Variables(function.body.block))
        for tensor, argument in zip(inputs, function.args, strict=True):
            values.bind(tensor, argument)
        for operator in graph.operators:
            self._operator(Node(self.model.source, operator, graph.tensors, values), values)
        self._refuse_interface(inputs, outputs)
        self.refusals.raise_if_any()
        builder.insert(ReturnOp(*(values.get(tensor) for tensor in outputs)))
        names = interface_names(self.model)
        function.arg_attrs = self._interface(inputs, names.inputs)
        function.res_attrs = self._interface(outputs, names.outputs)
        for operation in reversed(tuple(function.body.block.ops)):
            if isinstance(operation, ConstantOp) and not operation.result.uses:
                operation.erase()
        module = ModuleOp([function])
        module.verify()
        return module

    def _operator(self, node: Node, values: Values) -> None:
        """Import one operator; one that must be refused leaves placeholders, so that the others are looked at too."""
        entry = lookup(node.operator.opcode)
        try:
            if entry is None:
                raise Unsupported("the operator cannot be compiled")
            node.check_arity(entry.inputs, entry.outputs)
            self._refuse_tensors(node, entry.states)
            made = entry.importer(node)
            results = made.results if isinstance(made, Operation) else made
            for emitted in node.emitted:
                emitted.verify_()
        except (QuantisationError, VerifyException) as error:
            raise node.malformed(str(error)) from error
        except Unsupported as reason:
            self.refusals.add(node, str(reason))
            results = UnrealizedConversionCastOp(
                operands=[[]], result_types=[[tensor_type(tensor) for tensor in node.outputs]]
            ).results
        for tensor, result in zip(node.outputs, results, strict=True):
            values.bind(tensor, result)

    def _refuse_tensors(self, node: Node, states: Sequence[int]) -> None:
        for number, position in enumerate(node.operator.inputs):
            if position == -1:
                continue
            tensor = self.graph.tensors[position]
            if tensor.is_variable and position not in self.inputs and number not in states:
                raise Unsupported(f"{tensor} keeps state between runs")
            if tensor.is_sparse:
                raise Unsupported(f"{tensor} is stored sparsely")

    def _refuse_entry_points(self) -> None:
        others = sorted({signature.key for signature in self.model.signatures if signature.subgraph})
        if others:
            keys = ", ".join(f"'{key}'" for key in others)
            self.refusals.add_model(f"signatures {keys} name further subgraphs; only models of one entry are compiled")

    def _refuse_interface(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        for side, tensors in (("input", inputs), ("output", outputs)):
            for tensor in tensors:
                if tensor.element_type.name not in INTERFACE_TYPES:
                    self.refusals.add_model(f"{side} {tensor} has the type {tensor.element_type.name}")

    def _interface(self, tensors: Sequence[Tensor], names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
        entries: list[DictionaryAttr] = []
        for tensor, name in zip(tensors, names, strict=True):
            attributes: dict[str, Attribute] = {"nn.name": StringAttr(name)}
            if tensor.quantisation is not None and tensor.element_type.name != "FLOAT32":
                attributes["nn.scale"] = DenseArrayBase.from_list(f32, tensor.quantisation.scales)
                attributes["nn.zero_point"] = DenseArrayBase.from_list(i32, tensor.quantisation.zero_points)
            entries.append(DictionaryAttr(attributes))
        return ArrayAttr(entries)
