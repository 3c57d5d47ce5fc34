"""Models from TOSA: MLIR text with operations of TOSA, and TOSA flatbuffers."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...errors import InputError
from ...frontends.formats import read_file
from ...frontends.mlir.import_mlir import choose_entry, parse, public_functions
from ...frontends.tosa.import_module import import_function
from ...frontends.tosa.read_flatbuffer import read_flatbuffer
from ...frontends.tosa.resources import with_resources
from ...outside import well_formed
from ...targets.identifiers import identifier
from .. import pipeline
from .model import Model
from .model_file import TosaFile


def entries_of_tosa(file: Path) -> Sequence[str]:
    """Names of the public functions of a file."""
    return [op.sym_name.data for op in public_functions(_read(file))]


def load_tosa(file: Path, name: str, entry: str | None, input_shapes: Mapping[str, Sequence[int]]) -> Model:
    """Import one function.

    Args:
        file: the file.
        name: the model's name.
        entry: the public function; None if there is only one.
        input_shapes: shapes of inputs by name where the file leaves them open.

    Raises:
        InputError: the file is malformed; says where.
        UnsupportedError: it needs what cannot be compiled; lists all of that.
        UsageError: there is no such function or input.
    """
    data, source = read_file(file), well_formed(str(file))
    module = _read(file)
    function = choose_entry(module, source, entry)
    made = import_function(module, function, identifier(name), source, input_shapes)
    imported = ModuleOp([made.function])
    imported.verify()
    given = TosaFile(module, source, made.tensors, None if file.suffix == ".mlir" else data)
    return Model(name, source, imported, None, given, hashlib.sha256(data).hexdigest())


MOST_SPLAT = 1 << 22
"""Elements of a constant that a text says once."""
_SPLAT = re.compile(rb"dense<[^\"\[>]*>\s*:\s*tensor<([0-9x]+)x[a-z]")


def _refuse_large(data: bytes, source: str) -> None:
    """Elements that a text says once are all made when it is read: a short text must not take all memory."""
    for found in _SPLAT.finditer(data):
        extents = [int(extent) for extent in found[1].split(b"x") if extent]
        if math.prod(extents) > MOST_SPLAT:
            line = data.count(b"\n", 0, found.start()) + 1
            raise InputError(f"{source}:{line}: constants of {math.prod(extents)} elements cannot be compiled")


def _read(file: Path) -> ModuleOp:
    data, source = read_file(file), well_formed(str(file))
    if file.suffix != ".mlir":
        return read_flatbuffer(data, source)
    _refuse_large(data, source)
    return parse(pipeline.context(), with_resources(data, source), source)
