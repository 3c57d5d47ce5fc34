"""Models whose inputs and outputs are integers where their file has reals that are quantised at once."""

from __future__ import annotations

from dataclasses import replace

from ...transforms.nn.quantised_io import NnQuantisedIoPass
from .. import pipeline
from .entry import entry_function
from .model import Model
from .model_file import WithQuantisedIo


def with_quantised_io(model: Model) -> Model:
    """The model on integers, from whatever kind of file; the model itself if no input or output can be one."""
    module = model.nn.clone()
    before = entry_function(module).function_type
    pipeline.apply(module, (NnQuantisedIoPass(),), where=model.source)
    after = entry_function(module).function_type
    changed = [
        frozenset(number for number, (old, new) in enumerate(zip(*types, strict=True)) if old != new)
        for types in ((before.inputs.data, after.inputs.data), (before.outputs.data, after.outputs.data))
    ]
    if not any(changed):
        return model
    file = None if model.file is None else WithQuantisedIo(model.file, *changed)
    return replace(model, nn=module, file=file)
