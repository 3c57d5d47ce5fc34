"""A model read from a file, ready to compile."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..errors import InputError
from ..targets.identifiers import model_identifier
from .entry import tensor_names

MLIR = ".mlir"
"""Suffix of files that are read as MLIR; all others are TFLite's."""


@dataclass(frozen=True)
class Model:
    """A model as `nn` IR, with what it came from."""

    name: str
    """The user's name for it: the file's name without suffix unless given."""
    source: str
    """The file, for messages."""
    nn: ModuleOp = field(repr=False)
    """The imported module; compile works on copies."""
    tflite: bytes | None = field(repr=False)
    """A TFLite file that reference interpreters run as this model; None where there is none."""
    mlir: Callable[[], tuple[str, str]] | None = field(default=None, repr=False)
    """Makes a module that MLIR's tools run as this model: who computes, in words, and its text; None for others."""
    file_sha256: str = field(default="", repr=False)
    """Of the file that it was read from, in hexadecimal; empty where there was none."""

    @property
    def identifier(self) -> str:
        """The name in C."""
        return model_identifier(self.name)

    @property
    def revision(self) -> str:
        """Changes with the model: the start of the SHA-256 of its file, or of its IR where there is none."""
        data = str(self.nn).encode() if self.tflite is None else self.tflite
        return hashlib.sha256(data).hexdigest()[:16]

    @property
    def sha256(self) -> str:
        """SHA-256 of the file that it was read from, of its IR where there was none; in hexadecimal."""
        return self.file_sha256 or hashlib.sha256(str(self.nn).encode()).hexdigest()

    @property
    def inputs(self) -> Sequence[str]:
        """Names of the inputs in order."""
        return tensor_names(self.nn, "input")

    @property
    def outputs(self) -> Sequence[str]:
        """Names of the outputs in order."""
        return tensor_names(self.nn, "output")


def load(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    signature: str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    custom: Mapping[str, str] | None = None,
) -> Model:
    """Read and import a `.tflite` or `.mlir` file.

    Args:
        path: the file.
        name: the model's name; None for the file's name.
        signature: the key of the signature, or name of the public function, to import if the file has several.
        input_shapes: shapes of inputs by name where they are not to be the file's.
        custom: C functions that run custom operators, by custom code.

    Raises:
        InputError: the file cannot be read or is malformed.
        UnsupportedError: it needs operators or types that cannot be compiled, lists all of them; or it has several
            entries and none is named.
        UsageError: there is no such signature or input.
    """
    from ..frontends.formats import read_file
    from ..frontends.tflite import import_entry

    file = Path(path)
    chosen = name if name is not None else file.stem
    if file.suffix == MLIR:
        from .mlir_model import load_mlir

        others = {"--input-shape": input_shapes, "--custom": custom}
        without = [option for option, given in others.items() if given]
        return load_mlir(file, name=chosen, entry=signature, takes_options=without)
    data = read_file(file)
    imported = import_entry(data, chosen, str(file), signature, input_shapes or {}, custom or {})
    return Model(chosen, str(file), imported.module, imported.data, file_sha256=hashlib.sha256(data).hexdigest())


def load_entries(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    signature: str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    custom: Mapping[str, str] | None = None,
) -> list[Model]:
    """As `load`, but without a signature all entries of the file: models `<name>_<signature>` if there are several."""
    from ..frontends.formats import read_file
    from ..frontends.tflite import entries_of

    file = Path(path)
    if signature is not None:
        keys = [signature]
    elif file.suffix == MLIR:
        from .mlir_model import entries_of_mlir

        keys = entries_of_mlir(file)
    else:
        keys = entries_of(read_file(file), str(file))
    if len(keys) <= 1:
        signature = keys[0] if keys else None
        return [load(file, name=name, signature=signature, input_shapes=input_shapes, custom=custom)]
    stem = name if name is not None else file.stem
    return [load(file, name=f"{stem}_{key}", signature=key, input_shapes=input_shapes, custom=custom) for key in keys]


def read(file: Path) -> bytes:
    """The bytes of a model file.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
