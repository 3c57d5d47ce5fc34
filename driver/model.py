"""A model read from a file, ready to compile."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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
    """A TFLite file that reference interpreters run as this model; None where there is none."""

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


def load(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    signature: str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    custom: Mapping[str, str] | None = None,
) -> Model:
    """Read and import a `.tflite` file.

    Args:
        path: the file.
        name: the model's name; None for the file's name.
        signature: the key of the signature to import, if the file has several entries.
        input_shapes: shapes of inputs by name where they are not to be the file's.
        custom: C functions that run custom operators, by custom code.

    Raises:
        InputError: the file cannot be read or is malformed.
        UnsupportedError: it needs operators or types that cannot be compiled, lists all of them; or it has several
            entries and none is named.
        UsageError: there is no such signature or input.
    """
    from ..frontends.tflite import import_entry

    file = Path(path)
    chosen = name if name is not None else file.stem
    imported = import_entry(read(file), chosen, str(file), signature, input_shapes or {}, custom or {})
    return Model(chosen, str(file), imported.module, imported.data)


def load_entries(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    signature: str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    custom: Mapping[str, str] | None = None,
) -> list[Model]:
    """As `load`, but without a signature all entries of the file: models `<name>_<signature>` if there are several."""
    from ..frontends.tflite import entries_of

    file = Path(path)
    keys = [signature] if signature is not None else entries_of(read(file), str(file))
    if len(keys) == 1:
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
