"""Models from files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ...frontends.arrays import Network
from ...outside import well_formed
from .doors import Wishes, door_of
from .model import Model


def load(
    path: str | os.PathLike[str] | Network,
    *,
    name: str | None = None,
    signature: str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    custom: Mapping[str, str] | None = None,
    input_layout: str | None = None,
) -> Model:
    """Read and import a `.tflite`, `.onnx`, `.tosa` or `.mlir` file, or take a network that was built.

    Args:
        path: the file, or the network.
        name: the model's name; None for the file's name, or the network's.
        signature: the key of the signature, or name of the public function, to import if the file has several.
        input_shapes: shapes of inputs by name where they are not to be the file's.
        custom: C functions that run custom operators, by custom code.
        input_layout: `nhwc` if images come with their channels last although the file, an ONNX one, has them first.

    Raises:
        InputError: the file cannot be read or is malformed.
        UnsupportedError: it needs operators or types that cannot be compiled, lists all of them; or it has several
            entries and none is named.
        UsageError: there is no such signature or input, or an option has no effect.
    """
    if isinstance(path, Network):
        if signature or input_shapes or custom or input_layout:
            raise UsageError("a network that was built takes no option but its name")
        return _built(path, name)
    file = Path(path)
    chosen = well_formed(name if name is not None else file.stem)
    return door_of(file).load(file, Wishes(chosen, signature, input_shapes or {}, custom or {}, input_layout))


def _built(network: Network, name: str | None) -> Model:
    """The model of a network; MLIR's own code says what it must compute."""
    from .mlir_model import model_of

    chosen = well_formed(name if name is not None else network.name)
    return model_of(network.module(), chosen, f"network '{chosen}'")


def load_entries(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    signature: str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    custom: Mapping[str, str] | None = None,
    input_layout: str | None = None,
) -> list[Model]:
    """Read all entries of a file, or those of one signature: models `<name>_<signature>` if there are several."""
    file = Path(path)
    keys = [signature] if signature is not None else door_of(file).entries(file)
    more: dict[str, Any] = {"input_shapes": input_shapes, "custom": custom, "input_layout": input_layout}
    if len(keys) <= 1:
        signature = (keys[0] if keys else None) or signature
        return [load(file, name=name, signature=signature, **more)]
    stem = well_formed(name if name is not None else file.stem)
    return [load(file, name=f"{stem}_{key}", signature=key, **more) for key in keys]
