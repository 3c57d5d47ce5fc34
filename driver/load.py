"""Models from files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..outside import well_formed
from .model import Model
from .oracles.tflite import TfliteOracle

MLIR = ".mlir"
"""Suffix of files that are read as MLIR; all others are TFLite's."""


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
    chosen, source = well_formed(name if name is not None else file.stem), well_formed(str(file))
    if file.suffix == MLIR:
        from .mlir_model import load_mlir

        others = {"--input-shape": input_shapes, "--custom": custom}
        without = [option for option, given in others.items() if given]
        return load_mlir(file, name=chosen, entry=signature, takes_options=without)
    data = read_file(file)
    imported = import_entry(data, chosen, source, signature, input_shapes or {}, custom or {})
    oracle = None if imported.data is None else TfliteOracle(imported.data)
    return Model(chosen, source, imported.module, imported.data, oracle, hashlib.sha256(data).hexdigest())


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
    stem = well_formed(name if name is not None else file.stem)
    return [load(file, name=f"{stem}_{key}", signature=key, input_shapes=input_shapes, custom=custom) for key in keys]
