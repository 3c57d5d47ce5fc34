"""The project in Model Library Format: the tar archive in which Apache TVM's microTVM hands models on.

Version 7, as `tvm.micro.model_library_format` writes it for the ahead-of-time executor with the C interface.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from typing import Any

from ..interfaces.description import Description, Operator, Tensor
from .archive import tar_of
from .format import Format, Project
from .library import Folders, Library

_VERSION = 7
_CPU, _EXTENSION = 1, 12
"""DLPack's numbers of device types: the processor, which all memory belongs to, and devices of external functions."""
_EPOCH = "1970-01-01 00:00:00Z"
"""Instead of the time of the export: equal models give equal archives."""
_PARAMETERS = struct.pack("<QQQQ", 0xF7E58D4F05049CB7, 0, 0, 0)
"""TVM's file of named arrays with none in it: the constants are in the code, as the ahead-of-time executor has them."""


class ModelLibraryFormat(Format):
    """`<m>.tar`, with one entry of `metadata.json` for each model."""

    name = "mlf"

    def files(self, project: Project) -> dict[str, bytes]:
        """The archive alone: all other files are in it."""
        folders = Folders(include="codegen/host/include", source="codegen/host/src")
        texts = {"metadata.json": _json({"version": _VERSION, "modules": _modules(project)})}
        for model in project.models:
            texts[f"parameters/{model.identifier}.params"] = _PARAMETERS
            texts[f"runtime-config/aot/{model.identifier}.json"] = _json({"pools": _pools(model)})
        return {f"{project.name}.tar": tar_of({**Library(project, folders).files(), **texts})}


FORMAT = ModelLibraryFormat


def _json(document: Any) -> bytes:
    return (json.dumps(document, indent=2, sort_keys=True) + "\n").encode()


def _modules(project: Project) -> dict[str, Any]:
    return {
        model.identifier: {
            "model_name": model.identifier,
            "export_datetime": _EPOCH,
            "memory": {"functions": {"main": _main(model), "operator_functions": _operators(model)}},
            "target": ["c", *_devices(model)],
            "executors": ["aot"],
            "style": "full-model",
        }
        for model in project.models
    }


def _devices(model: Description) -> tuple[str, ...]:
    return () if model.externals is None else model.externals.devices


def _main(model: Description) -> list[dict[str, Any]]:
    """Bytes that a run needs, an entry for each type of device. All lie in the processor's pools, which other devices
    use too; inputs and outputs in a pool count as workspace too.
    """
    processor = {
        "device": _CPU,
        "workspace_size_bytes": sum(pool.bytes for pool in model.workspace_pools),
        "constants_size_bytes": model.constants.payload + sum(pool.bytes for pool in model.constant_pools),
        "io_size_bytes": sum(tensor.bytes for tensor in (*model.inputs, *model.outputs)),
        "inputs": _tensors(model.inputs),
        "outputs": _tensors(model.outputs),
    }
    others = {"device": _EXTENSION, "workspace_size_bytes": 0, "constants_size_bytes": 0, "io_size_bytes": 0}
    return [processor, others] if _devices(model) else [processor]


def _tensors(tensors: Iterable[Tensor]) -> dict[str, Any]:
    return {tensor.identifier: {"size": tensor.bytes, "dtype": tensor.dtype} for tensor in tensors}


def _operators(model: Description) -> list[dict[str, Any]]:
    """The scratch memory of each function, of several calls the largest."""
    sizes: dict[str, tuple[int, int]] = {}
    for operator in model.operators:
        device = _EXTENSION if operator.device else _CPU
        sizes[operator.function] = max(sizes.get(operator.function, (device, 0)), (device, _scratch(model, operator)))
    return [
        {"function_name": name, "workspace": [{"device": device, "workspace_size_bytes": size}]}
        for name, (device, size) in sizes.items()
    ]


def _scratch(model: Description, operator: Operator) -> int:
    at = operator.position
    return sum(b.bytes for b in model.buffers if b.kind == "scratch" and b.first_use <= at <= b.last_use)


def _pools(model: Description) -> list[dict[str, Any]]:
    return [
        {"pool_name": pool.identifier, "kind": pool.kind, "size_bytes": pool.bytes, "alignment": pool.alignment}
        for pool in model.pools
    ]
