"""A model read from a file, ready to compile."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..errors import InputError
from ..targets.interfaces.identifiers import identifier


@dataclass(frozen=True)
class Model:
    """A model as `nn` IR, with what it came from."""

    name: str
    """The user's name for it: the file's name without suffix unless given."""
    source: str
    """The file, for messages."""
    nn: ModuleOp
    """The imported module; compile works on copies."""
    tflite: bytes | None
    """The TFLite file's bytes, for reference interpreters; None for other formats."""

    @property
    def identifier(self) -> str:
        """The name in C."""
        return identifier(self.name)

    @property
    def inputs(self) -> Sequence[str]:
        """Names of the inputs in order."""
        from .describe import tensor_names

        return tensor_names(self.nn, "input")

    @property
    def outputs(self) -> Sequence[str]:
        """Names of the outputs in order."""
        from .describe import tensor_names

        return tensor_names(self.nn, "output")


def load(path: str | os.PathLike[str], *, name: str | None = None) -> Model:
    """Read and import a `.tflite` file.

    Raises:
        InputError: the file cannot be read or is malformed.
        UnsupportedError: it needs operators or types that cannot be compiled; lists all of them.
    """
    from ..frontends.tflite import import_tflite

    file = Path(path)
    data = read(file)
    chosen = name if name is not None else file.stem
    return Model(chosen, str(file), import_tflite(data, chosen, source=str(file)), data)


def read(file: Path) -> bytes:
    """The bytes of a model file.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
