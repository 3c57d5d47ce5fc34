"""Builds the `nn` module of a TFLite file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from ...dialects import nn_keys
from ...errors import InputError, StillpoolError, UnsupportedError, UsageError
from ...targets.identifiers import identifier
from ..emission import erase_unused
from ..formats import read_file
from ..index_inputs import with_limits
from .consistency import check_model
from .customs import Customs
from .flatbuffer import read_model
from .import_graph import GraphImport
from .names import interface_names
from .node import tensor_type
from .refusals import Refusals
from .resize import resized
from .schema import Model, Tensor
from .unfolding import check_size
from .variables import Variables

INTERFACE_TYPES = ("FLOAT32", "INT8", "UINT8", "INT16", "INT32", "INT64", "BOOL")
"""Element types that a model's inputs and outputs may have."""


InputShapes = Mapping[str, Sequence[int]]
"""Shapes that inputs are to have, by name."""


@dataclass(frozen=True)
class Imported:
    """One entry of a model."""

    module: ModuleOp
    data: bytes | None
    """A TFLite file whose first subgraph is this entry, with all shapes as they are in the module; None where it cannot
    be made from the model's file."""


def entries_of(data: bytes, source: str) -> list[str]:
    """The keys of the signatures that name subgraphs of their own; one key, perhaps empty, if there is one entry.

    Raises:
        InputError: the file is malformed.
    """
    model = read_model(data, source)
    check_model(model)
    first: dict[int, str] = {}
    for key, subgraph in model.entries.items():
        first.setdefault(subgraph, key)
    return list(first.values())


def import_tflite(
    data: bytes | str | os.PathLike[str],
    name: str,
    *,
    source: str | None = None,
    signature: str | None = None,
    input_shapes: InputShapes | None = None,
    custom: Mapping[str, str] | None = None,
) -> ModuleOp:
    """Import one entry of a TFLite model as `nn` IR: a subgraph with those that it runs.

    Args:
        data: the file's bytes, or its path.
        name: the model's name; the entry function bears it as a C identifier.
        source: the file's name for messages; the path, or `<name>.tflite` if bytes are given.
        signature: the key of the signature to import; may be left out if all of them name one subgraph.
        input_shapes: shapes of inputs by name where they are not to be the file's.
        custom: C functions that run custom operators, by custom code.

    Returns:
        A verified module with one public function on tensors. Its arguments and results carry `nn.name` and, when they
        are quantised, `nn.scale` and `nn.zero_point`, where they are indices, `nn.limits`; every operation carries
        `nn.origin`, every constant `nn.name`.

    Raises:
        InputError: the file cannot be read or is malformed; names the operator or tensor.
        UnsupportedError: it is sound but needs what cannot be compiled; lists all of that. Or it has several entries
            and none is named.
        UsageError: there is no such signature or input.
    """
    if not isinstance(data, bytes):
        source = source or os.fspath(data)
        data = read_file(Path(data))
    return import_entry(data, name, source or f"{name}.tflite", signature, input_shapes or {}, custom or {}).module


def import_entry(
    data: bytes,
    name: str,
    source: str,
    signature: str | None,
    input_shapes: InputShapes,
    custom: Mapping[str, str],
) -> Imported:
    """Import as `import_tflite` does; return also the file that reference interpreters run."""
    model = read_model(data, source)
    check_model(model)
    subgraph = _entry(model, signature)
    check_size(model, subgraph)
    work = _Import(model, identifier(name), subgraph, input_shapes, Customs(custom))
    try:
        module = work.run()
    except (InputError, UnsupportedError) as error:
        if input_shapes and _is_sound(model, name, subgraph, custom):
            raise UsageError(_about_shapes(error, model, input_shapes), remedy="leave out --input-shape") from error
        if isinstance(error, InputError) and model.is_dynamic:
            # Behind an operator that is refused shapes are no longer known.
            work.refusals.check()
            raise _about_open_shapes(error, model, work) from error
        raise
    return Imported(module, resized(data, subgraph, work.shapes))


def refusals_of(model: Model) -> Refusals:
    """Reasons not to compile a model, all entries together; of a dynamic one as far as shapes are known.

    Raises:
        InputError: the file is malformed.
    """
    found = Refusals(model.source)
    for subgraph in sorted(set(model.entries.values())):
        check_size(model, subgraph)
        work = _Import(model, "model", subgraph, {}, Customs({}))
        try:
            work.run()
        except UnsupportedError:
            found.by_place |= work.refusals.by_place
            found.of_model += [reason for reason in work.refusals.of_model if reason not in found.of_model]
        except InputError:
            if not model.is_dynamic:
                raise
            found.by_place |= work.refusals.by_place
    return found


def _is_sound(model: Model, name: str, subgraph: int, custom: Mapping[str, str]) -> bool:
    """Whether the model can be imported with the shapes that it has in the file."""
    try:
        _Import(model, identifier(name), subgraph, {}, Customs(custom)).run()
    except (InputError, UnsupportedError):
        return False
    return True


def _about_shapes(error: Exception, model: Model, input_shapes: InputShapes) -> str:
    """An error that only the user's shapes cause, said of them and not of the file."""
    given = ", ".join(f"{name}={','.join(map(str, shape))}" for name, shape in input_shapes.items())
    return f"input shape {given} does not fit {model.source}: {_reason(error, model)}"


def _about_open_shapes(error: InputError, model: Model, work: _Import) -> InputError | UnsupportedError:
    """An error of a model whose file does not say all shapes: the file is sound, shapes are missing."""
    reason, tensors = _reason(error, model), model.subgraphs[work.graph.index].tensors
    places = zip(work.names.inputs, work.graph.graph.inputs, strict=True)
    open_inputs = {name: tensors[place] for name, place in places if -1 in tensors[place].signature}
    if not open_inputs:
        return UnsupportedError(f"{model.source} leaves shapes open, and cannot be compiled with those found: {reason}")
    having, options = list[str](), list[str]()
    for name, tensor in open_inputs.items():
        having.append(f"'{name}' of {list(tensor.shape)}")
        wanted = ",".join("N" if extent == -1 else str(extent) for extent in tensor.signature)
        options.append(f"--input-shape {shlex.quote(f'{name}={wanted}')}")
    shapes = " and ".join(having)
    return InputError(
        f"{model.source} leaves the shapes of its inputs open, and cannot be compiled with {shapes}: {reason}",
        remedy=f"give {' '.join(options)} with a number for each N",
    )


def _reason(error: Exception, model: Model) -> str:
    """Message of an error, without the list of what there is instead and without the name of the file."""
    said = error.message if isinstance(error, StillpoolError) else str(error)
    reason = " ".join(said.split())
    for prefix in (f"malformed TFLite file {model.source}: ", f"{model.source} cannot be compiled: "):
        reason = reason.removeprefix(prefix)
    return reason


def _entry(model: Model, signature: str | None) -> int:
    """The subgraph that a signature names."""
    if signature is not None and signature in model.entries:
        return model.entries[signature]
    listed = ", ".join(f"'{key}'" for key in model.entries)
    if signature:
        raise UsageError(f"{model.source} has no signature '{signature}'", remedy=f"it has {listed}")
    if len(set(model.entries.values())) > 1:
        raise UnsupportedError(
            f"{model.source} has several entries, the signatures {listed}", remedy="name one of them"
        )
    return next(iter(model.entries.values()))


class _Import:
    def __init__(self, model: Model, symbol: str, subgraph: int, input_shapes: InputShapes, customs: Customs):
        self.model = model
        self.symbol = symbol
        self.refusals = Refusals(model.source)
        self.block = Block()
        self.graph = GraphImport(model, subgraph, self.block, Variables(self.block), self.refusals, customs)
        self.names = interface_names(model, subgraph)
        self._resize(input_shapes)

    def run(self) -> ModuleOp:
        graph = self.graph
        inputs = [graph.tensors[position] for position in graph.graph.inputs]
        graph.bind([self.block.insert_arg(tensor_type(tensor), len(self.block.args)) for tensor in inputs])
        graph.run()
        self._refuse_interface(inputs, graph.outputs)
        self._refuse_shared_variables()
        self.refusals.check()
        returned = [graph.values.get(tensor) for tensor in graph.outputs]
        self.block.add_op(ReturnOp(*returned))
        types = [argument.type for argument in self.block.args], [value.type for value in returned]
        function = FuncOp(self.symbol, types, Region(self.block))
        function.arg_attrs = with_limits(self._interface(inputs, self.names.inputs), function.args)
        function.res_attrs = self._interface(graph.outputs, self.names.outputs)
        erase_unused(function)
        module = ModuleOp([function])
        module.verify()
        return module

    @property
    def shapes(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The shapes that differ from the file's, by subgraph and tensor."""
        return {
            (graph.index, old.index): new.shape
            for graph in self.graph.all
            for old, new in zip(graph.graph.tensors, graph.tensors, strict=True)
            if old.shape != new.shape
        }

    def _resize(self, input_shapes: InputShapes) -> None:
        """Give inputs the shapes that the user asks for."""
        graph = self.graph
        places = dict(zip(self.names.inputs, graph.graph.inputs, strict=True))
        for name, shape in input_shapes.items():
            if name not in places:
                listed = ", ".join(f"'{known}'" for known in places)
                raise UsageError(f"input shape: {self.model.source} has no input '{name}'", remedy=f"it has {listed}")
            tensor = graph.tensors[places[name]]
            if tensor.shape and len(tensor.shape) != len(shape):
                raise UsageError(
                    f"input shape: {list(shape)} has {len(shape)} dimensions, input '{name}' {len(tensor.shape)}"
                )
            graph.tensors[places[name]] = replace(tensor, shape=tuple(shape))
            graph.is_dynamic = graph.is_resized = True

    def _refuse_interface(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        for side, tensors in (("input", inputs), ("output", outputs)):
            for tensor in tensors:
                if tensor.element_type.name not in INTERFACE_TYPES:
                    self.refusals.add_model(f"{side} {tensor} has the type {tensor.element_type.name}")

    def _refuse_shared_variables(self) -> None:
        """Entries are models of their own, each with its own state."""
        own = self.model.variables(self.graph.index)
        for key, subgraph in self.model.entries.items():
            shared = sorted(own & self.model.variables(subgraph)) if subgraph != self.graph.index else []
            if shared:
                names = ", ".join(f"'{name}'" for name in shared)
                self.refusals.add_model(
                    f"the signature '{key}' shares the variables {names}, but entries keep state apart"
                )

    def _interface(self, tensors: Sequence[Tensor], names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
        entries: list[DictionaryAttr] = []
        for tensor, name in zip(tensors, names, strict=True):
            attributes = nn_keys.NAME.item(name)
            if tensor.quantisation is not None and tensor.element_type.name != "FLOAT32":
                nn_keys.SCALE.put(attributes, tensor.quantisation.scales)
                nn_keys.ZERO_POINT.put(attributes, tensor.quantisation.zero_points)
            entries.append(DictionaryAttr(attributes))
        return ArrayAttr(entries)
