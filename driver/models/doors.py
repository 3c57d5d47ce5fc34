"""The kinds of model files that can be compiled: one row each.

A file is what its first bytes say, then what its suffix says; what neither names is TensorFlow Lite's, whose importer
tells other kinds by their bytes and knows a way from each (`frontends/formats.py`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...documents import read_bytes
from ...errors import UsageError
from ...frontends.formats import ONNX, TOSA, foreign_format, read_file
from ...outside import well_formed
from .model import Model
from .model_file import OnnxFile, TfliteFile, layouts_of


@dataclass(frozen=True)
class Wishes:
    """The user's settings for a model beside its file."""

    name: str
    signature: str | None = None
    input_shapes: Mapping[str, Sequence[int]] = field(default_factory=lambda: {})
    custom: Mapping[str, str] = field(default_factory=lambda: {})
    input_layout: str | None = None
    """`nhwc`: images come with their channels last."""

    def without(self, *options: str) -> None:
        """Refuse options that have no effect.

        Raises:
            UsageError: one of them was given.
        """
        given = {
            "--signature": self.signature,
            "--input-shape": self.input_shapes,
            "--custom": self.custom,
            "--io layout": self.input_layout,
        }
        found = [option for option in options if given[option]]
        if found:
            raise UsageError(f"{', '.join(found)} has no effect on this kind of file")


@dataclass(frozen=True)
class Door:
    """A kind of model file."""

    fits: Callable[[Path], bool]
    """Whether a file is of the kind."""
    entries: Callable[[Path], Sequence[str]]
    """Names of what can be run in a file; one, perhaps empty, where there is one entry."""
    load: Callable[[Path, Wishes], Model]
    """Imports one entry."""


def door_of(file: Path) -> Door:
    """The kind of a file."""
    return next(door for door in DOORS if door.fits(file))


def is_tflite(file: Path) -> bool:
    """Whether a file is read as one of TensorFlow Lite: no other kind says that it is its own."""
    return door_of(file) is DOORS[-1]


def _load_mlir(file: Path, wishes: Wishes) -> Model:
    from .mlir_model import load_mlir

    wishes.without("--io layout")
    others = {"--input-shape": wishes.input_shapes, "--custom": wishes.custom}
    without = [option for option, given in others.items() if given]
    return load_mlir(file, name=wishes.name, entry=wishes.signature, takes_options=without)


def _entries_of_mlir(file: Path) -> Sequence[str]:
    from .mlir_model import entries_of_mlir

    return entries_of_mlir(file)


def _is_onnx(file: Path) -> bool:
    return not file.is_dir() and foreign_format(read_file(file), str(file)) is ONNX


def _load_onnx(file: Path, wishes: Wishes) -> Model:
    from ...frontends.onnx.extra import require_onnx

    require_onnx(str(file))
    from ...frontends.onnx import import_onnx_bytes
    from ...frontends.onnx.external_data import with_external_data

    wishes.without("--signature", "--custom")
    data, source = with_external_data(read_file(file), file), well_formed(str(file))
    last = wishes.input_layout == "nhwc"
    module = import_onnx_bytes(data, wishes.name, source, wishes.input_shapes, channels_last_inputs=last)
    given = OnnxFile(data, source, last, layouts_of(module))
    return Model(wishes.name, source, module, None, given, hashlib.sha256(data).hexdigest())


_OPERATION_OF_TOSA = re.compile(rb'^[^"/\n]*"?\btosa\.[a-z_0-9]+"?[ (@]', re.MULTILINE)


def _is_tosa(file: Path) -> bool:
    """Whether a file is a TOSA flatbuffer, or MLIR text with operations of TOSA."""
    if file.is_dir():
        return False
    if file.suffix == ".mlir":
        return _OPERATION_OF_TOSA.search(read_bytes(file)) is not None
    return foreign_format(read_file(file), str(file)) is TOSA


def _load_tosa(file: Path, wishes: Wishes) -> Model:
    from .tosa_model import load_tosa

    wishes.without("--custom")
    wishes.without("--io layout")
    return load_tosa(file, wishes.name, wishes.signature, wishes.input_shapes)


def _entries_of_tosa(file: Path) -> Sequence[str]:
    from .tosa_model import entries_of_tosa

    return entries_of_tosa(file)


def _load_tflite(file: Path, wishes: Wishes) -> Model:
    from ...frontends.tflite import import_entry

    wishes.without("--io layout")
    data, source = read_file(file), well_formed(str(file))
    imported = import_entry(data, wishes.name, source, wishes.signature, wishes.input_shapes, wishes.custom)
    given = None if imported.data is None else TfliteFile(imported.data)
    return Model(wishes.name, source, imported.module, imported.data, given, hashlib.sha256(data).hexdigest())


def _entries_of_tflite(file: Path) -> Sequence[str]:
    from ...frontends.tflite import entries_of

    return entries_of(read_file(file), str(file))


DOORS: Sequence[Door] = (
    Door(_is_tosa, _entries_of_tosa, _load_tosa),
    Door(lambda file: file.suffix == ".mlir", _entries_of_mlir, _load_mlir),
    Door(_is_onnx, lambda file: [""], _load_onnx),
    Door(lambda file: True, _entries_of_tflite, _load_tflite),
)
"""In the order in which files are asked."""


def operators_of_kind(kind: str) -> Sequence[str]:
    """Names of the operators of ONNX (`onnx`) or TOSA (`tosa`) that can be compiled, in alphabetical order.

    Raises:
        InputError: the extra is missing that reads them.
    """
    if kind == "tosa":
        from ...frontends.tosa.registry import supported_operators

        return supported_operators()
    from ...frontends.onnx.extra import require_onnx

    require_onnx()
    from ...frontends.onnx.registry import supported_operators

    return supported_operators()
