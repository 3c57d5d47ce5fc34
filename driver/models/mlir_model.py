"""Models from `.mlir` files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IndexType, MemRefType, ModuleOp, TensorType
from xdsl.ir import Attribute

from ...dialects import nn_keys
from ...dialects.pool import keys
from ...dialects.pool.keys import Side
from ...dialects.pool.kinds import BufferKind
from ...documents import read_bytes
from ...errors import InputError, UnsupportedError, UsageError
from ...frontends.mlir.import_mlir import choose_entry, is_of_tensors, parse, public_functions, results_to_arguments
from ...lowering.emit_c.func_ops import callees_first
from ...lowering.loops import LowerToLoopsPass
from ...outside import well_formed
from ...transforms.usmp.analysis.sound import require_sound
from ...transforms.usmp.analysis.uses import Writers
from .. import pipeline
from .entry import attributes_of, dtype_of, entry_function
from .model import Model
from .model_file import MlirFile


def load_mlir(path: Path, *, name: str, entry: str | None, takes_options: Sequence[str]) -> Model:
    """Read a module as a model.

    Args:
        path: the file: functions on memrefs, as `mlir-opt` prints them, or what `--emit` prints of `nn` or `memref`.
        name: the model's name.
        entry: the public function; None if there is only one.
        takes_options: options that were given and concern other kinds of files.

    Raises:
        InputError: the file is malformed, or its function has no equivalent in C.
        UnsupportedError: an argument or result has a type that C has not.
        UsageError: there is no such function, or an option has no effect.
    """
    source = well_formed(str(path))
    if takes_options:
        raise UsageError(f"{source}: {', '.join(takes_options)} has no effect on .mlir files")
    data = read_bytes(path)
    digest = hashlib.sha256(data).hexdigest()
    module = _PARSED.pop((source, data), None) or parse(pipeline.context(), data, source)
    function = choose_entry(module, source, entry)
    _require_model(module, function, source)
    if is_of_tensors(function):
        return model_of(module, name, source, digest)
    results_to_arguments(function, source)
    # Before what MLIR lowers itself is lowered here.
    written = module.clone()
    pipeline.apply(module, (LowerToLoopsPass(),), where=source)
    _tell_sides(module)
    return Model(name, source, module, None, MlirFile(module, source, written), digest)


def model_of(module: ModuleOp, name: str, source: str, digest: str = "") -> Model:
    """A model of `nn` IR."""
    return Model(name, source, module, None, MlirFile(module, source), digest)


def _require_model(module: ModuleOp, entry: func.FuncOp, source: str) -> None:
    """Check what every pass takes for granted, and that an application can call the entry."""
    with pipeline.located(source):
        require_sound(module)
        callees_first(module)
    for op in module.walk():
        if keys.ASSIGNED.within(op.attributes):
            raise InputError(
                f"{source}: '{op.name}' op has a place in a pool already", remedy="give what --emit memref prints"
            )
        kind = keys.KIND.get(op.attributes)
        if kind is BufferKind.INPUT or kind is BufferKind.OUTPUT:
            raise InputError(
                f"{source}: '{op.name}' op is an {kind.value} that is a buffer already",
                remedy="give what --emit memref prints of one model, or of one signature",
            )
    types = entry.function_type
    named = [
        *((f"argument {number}", type) for number, type in enumerate(types.inputs)),
        *((f"result {number}", type) for number, type in enumerate(types.outputs)),
    ]
    wrong = [f"{name} is {type}" for name, type in named if not _has_c_type(type)]
    if wrong:
        raise UnsupportedError(
            f"{source}: @{entry.sym_name.data}: {', '.join(wrong)}",
            remedy="inputs and outputs are memrefs, tensors or values of i1, i8 to i64, ui8, f32, f64, or an index",
        )


def _has_c_type(type: Attribute) -> bool:
    element = type.element_type if isinstance(type, MemRefType | TensorType) else type
    return dtype_of(element) is not None or isinstance(type, IndexType)


def entries_of_mlir(path: Path) -> list[str]:
    """Names of the public functions of a file."""
    source, data = well_formed(str(path)), read_bytes(path)
    module = parse(pipeline.context(), data, source)
    _PARSED.clear()
    _PARSED[source, data] = module
    return [op.sym_name.data for op in public_functions(module)]


_PARSED: dict[tuple[str, bytes], ModuleOp] = {}
"""The file whose functions were asked for last: the first model of it takes the module, which is read once so."""


def _attributes(module: ModuleOp) -> list[dict[str, Attribute]]:
    entry = entry_function(module)
    return attributes_of(entry.arg_attrs, len(entry.function_type.inputs))


def _tell_sides(module: ModuleOp) -> None:
    """Write on every argument whether it is input or output, and its name."""
    entry = entry_function(module)
    writers = Writers(module)
    told: list[DictionaryAttr] = []
    for argument, given in zip(entry.body.block.args, _attributes(module), strict=True):
        side = Side.OUTPUT if writers.is_written(argument) else Side.INPUT
        name = argument.name_hint or f"argument_{argument.index}"
        told.append(DictionaryAttr(keys.IO.item(side) | nn_keys.NAME.item(name) | given))
    entry.properties["arg_attrs"] = ArrayAttr(told)
