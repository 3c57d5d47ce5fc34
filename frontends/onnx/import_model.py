"""Builds the `nn` module of an ONNX file."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import checker, helper, inliner, version_converter
from xdsl.builder import Builder
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn_keys
from ...errors import InputError, UnsupportedError, UsageError
from ...targets.identifiers import identifier
from ..emission import LARGEST, erase_unused
from ..formats import read_file
from ..index_inputs import with_limits
from ..names import distinct
from ..reasons import Reasons, Unsupported
from .external_data import with_external_data
from .import_graph import CONTRADICTIONS, GraphImport, names_read
from .node import ELEMENTS, UI8, Node
from .old_sets import ALONG_ONE, NAMED_MODES, flattened, named_modes, rewritten
from .stored import Stored, channels_last, permuted, typed
from .tensors import Lazy, Tensor

LEAST_OPSET = 7
_QONNX = ("qonnx.", "onnx.brevitas", "finn.")
"""Beginnings of the domains of QONNX's operators."""
CONVERTED_BELOW, CONVERTED_TO = 13, 17
"""Files of older operator sets are converted by ONNX's own converter."""


def import_onnx(
    path: str | os.PathLike[str], name: str, *, input_shapes: Mapping[str, Sequence[int]] | None = None
) -> ModuleOp:
    """Import an ONNX file; see `import_onnx_bytes`."""
    data = with_external_data(read_file(Path(path)), path)
    return import_onnx_bytes(data, name, os.fspath(path), input_shapes or {})


def import_onnx_bytes(
    data: bytes,
    name: str,
    source: str,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    *,
    channels_last_inputs: bool = False,
) -> ModuleOp:
    """Import an ONNX model as `nn` IR.

    Args:
        data: the file's bytes.
        name: the model's name; the entry function bears it as a C identifier.
        source: the file's name, for messages.
        input_shapes: shapes of inputs by name where the file leaves them open; a first dimension is 1 then.
        channels_last_inputs: whether images, inputs of four dimensions, come with their channels last.

    Returns:
        A verified module with one public function on tensors.

    Raises:
        InputError: the file is malformed; names the operator or tensor.
        UnsupportedError: it is sound but needs what cannot be compiled; lists all of that.
        UsageError: there is no such input, or no image.
    """
    try:
        # Infinite and undefined numbers are those of ONNX's float32: nobody needs to hear of them.
        with np.errstate(all="ignore"):
            return _Import(parse(data, source), name, source, input_shapes or {}, channels_last_inputs).run()
    except UnicodeDecodeError as error:
        raise InputError(f"malformed ONNX file {source}: a name is no UTF-8 text") from error


def parse(data: bytes, source: str) -> onnx.ModelProto:
    """The model in a file, of an operator set that the importers know.

    Raises:
        InputError: it is malformed.
        UnsupportedError: its operator set is too old, or that of QONNX.
    """
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
        if not model.graph.node:
            raise InputError(f"malformed ONNX file {source}: it has no operators")
        if any(node.domain.startswith(_QONNX) for node in model.graph.node):
            raise UnsupportedError(
                f"{source} is QONNX, with operators for any number of bits",
                remedy="export it with QuantizeLinear and DequantizeLinear of 8 bits",
            )
        domains = {"ai.onnx" if opset.domain == "" else opset.domain for opset in model.opset_import}
        if domains <= {"ai.onnx", "ai.onnx.ml"}:
            checker.check_model(model)
    except (DecodeError, checker.ValidationError, ValueError) as error:
        words = str(error).strip().splitlines()
        raise InputError(f"malformed ONNX file {source}: {words[0] if words else 'it cannot be read'}") from error
    version = max((opset.version for opset in model.opset_import if opset.domain in ("", "ai.onnx")), default=1)
    if version < LEAST_OPSET:
        raise UnsupportedError(f"{source} has operator set {version}; {LEAST_OPSET} is the oldest that is read")
    if model.functions:
        model = inliner.inline_local_functions(model)
    if version < ALONG_ONE:
        rewritten(model.graph, flattened)
    if version < CONVERTED_BELOW:
        with contextlib.suppress(Exception):
            # Operators whose converter lacks: most mean the same in the old set.
            model = version_converter.convert_version(model, CONVERTED_TO)
    if version < NAMED_MODES:
        rewritten(model.graph, named_modes)
    return model


class _Import:
    def __init__(self, model: onnx.ModelProto, name: str, source: str, shapes: Mapping[str, Sequence[int]], last: bool):
        self.model, self.source, self.symbol, self.last = model, source, identifier(name), last
        self.block, self.reasons = Block(), Reasons(source)
        builder = Builder(InsertPoint.at_end(self.block))
        opsets = [helper.make_opsetid(opset.domain, opset.version) for opset in model.opset_import]
        self.graph = GraphImport(builder, source, opsets, self.reasons)
        constants = {initializer.name for initializer in model.graph.initializer}
        self.inputs = [value for value in model.graph.input if value.name not in constants]
        known = [value.name for value in self.inputs]
        for given in shapes:
            if given not in known:
                listed = ", ".join(f"'{each}'" for each in known)
                raise UsageError(f"input shape: {source} has no input '{given}'", remedy=f"it has {listed}")
        self.shapes = shapes

    def run(self) -> ModuleOp:
        for value in self.inputs:
            self._input(value)
        if self.last and all(len(tensor.shape) != 4 for tensor in self.graph.tensors.values()):
            raise UsageError(f"input layout: {self.source} has no input with four dimensions")
        self.graph.read |= names_read(self.model.graph)
        self.graph.run(self.model.graph)
        returned = [self._output(value.name) for value in self.model.graph.output]
        self.reasons.raise_if_any("stillpool ops --kind onnx lists the operators that can be compiled")
        if not returned:
            raise InputError(f"malformed ONNX file {self.source}: it has no outputs")
        self.block.add_op(ReturnOp(*returned))
        types = [argument.type for argument in self.block.args], [value.type for value in returned]
        function = FuncOp(self.symbol, types, Region(self.block))
        function.arg_attrs = with_limits(_named([value.name for value in self.inputs]), function.args)
        function.res_attrs = _named([value.name for value in self.model.graph.output])
        erase_unused(function)
        module = ModuleOp([function])
        module.verify()
        return module

    def _input(self, value: Any) -> None:
        kind = value.type.tensor_type
        if not value.type.HasField("tensor_type"):
            raise UnsupportedError(f"{self.source}: input '{value.name}' is no tensor")
        dtype = _dtype(kind.elem_type)
        if dtype not in ELEMENTS or dtype == "uint16":
            raise UnsupportedError(f"{self.source}: input '{value.name}' has the type {dtype}")
        shape = self._shape(value, kind)
        if math.prod(shape) >= LARGEST:
            raise UnsupportedError(f"{self.source}: input '{value.name}' has {math.prod(shape)} elements")
        order = channels_last(4) if self.last and len(shape) == 4 else tuple(range(len(shape)))
        element = UI8 if dtype == "uint8" else ELEMENTS[dtype]
        type = typed(element, permuted(shape, order))
        argument = self.block.insert_arg(type, len(self.block.args))
        node = Node(self.graph, 0, helper.make_node("Input", [], [value.name]), [])

        def signed() -> Stored:
            return Stored(node.signed(argument) if dtype == "uint8" else argument, order)

        self.graph.tensors[value.name] = Tensor(value.name, shape, dtype, Lazy(signed))

    def _shape(self, value: Any, kind: Any) -> tuple[int, ...]:
        given = self.shapes.get(value.name)
        dims = [dim.dim_value if dim.HasField("dim_value") else 0 for dim in kind.shape.dim]
        if given is not None:
            if len(given) != len(dims):
                raise UsageError(f"input shape: {list(given)} has {len(given)} dimensions, '{value.name}' {len(dims)}")
            return tuple(given)
        if dims and dims[0] <= 0:
            dims[0] = 1
        if any(dim <= 0 for dim in dims):
            raise UnsupportedError(
                f"{self.source}: input '{value.name}' has an open shape",
                remedy=f"say it: --input-shape {value.name}=...",
            )
        return tuple(dims)

    def _output(self, name: str) -> SSAValue:
        tensor = self.graph.tensor(name)
        node = Node(self.graph, self.graph.index, helper.make_node("Output", [], [name]), [tensor])
        try:
            if tensor.dtype not in ELEMENTS or tensor.dtype == "uint16":
                raise Unsupported(f"output '{name}' has the type {tensor.dtype}")
            value = node.real(tensor)
            return node.unsigned(Stored.plain(value)) if tensor.dtype == "uint8" else value
        except CONTRADICTIONS as error:
            raise InputError(f"malformed ONNX file {self.source}: output '{name}': {error}") from error
        except (Unsupported, InputError) as reason:
            if isinstance(reason, InputError) and self.reasons.is_empty:
                raise
            if isinstance(reason, Unsupported):
                self.reasons.add_model(str(reason))
            return self.graph.constant(name, np.zeros(1, np.float32)).value.stored.value


def _dtype(kind: int) -> str:
    """Name of an ONNX type, for messages too."""
    try:
        return np.dtype(helper.tensor_dtype_to_np_dtype(kind)).name
    except KeyError:
        return f"number {kind}"


def _named(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr(nn_keys.NAME.item(name)) for name in distinct(names))
