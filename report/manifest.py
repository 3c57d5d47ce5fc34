"""`manifest.json`: what was compiled and where everything lies, for build systems and scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, cast

from ..targets.interfaces.description import Buffer, Description, LostChannels, Operator, Pool, RowChoice, Stack, Tensor
from ..targets.interfaces.origin import Origin
from ..targets.provenance import LICENCE, OF_THE_MODEL
from ..targets.weights.blob import Blob
from ..version import __version__
from .schemas import SCHEMA_VERSION


def manifest(model: Description, interface: str, paths: Iterable[str] = ()) -> dict[str, Any]:
    """The manifest of `model` as plain data; `paths` are the files written beside it, relative."""
    return {
        "schema": SCHEMA_VERSION,
        "tool": {"name": "stillpool", "version": __version__},
        "model": model.name,
        "identifier": model.identifier,
        "source": None if model.origin is None else _origin(model.origin),
        "interface": interface,
        "inputs": [{**_tensor(tensor), **_contract(model, tensor)} for tensor in model.inputs],
        "outputs": [_tensor(tensor) for tensor in model.outputs],
        "pools": [pool_entry(pool) for pool in model.pools],
        "buffers": [_buffer(buffer) for buffer in model.buffers],
        "operators": [_operator(operator) for operator in model.operators],
        "code": {
            "weights_bytes": model.constants.payload,
            "model_constants_bytes": model.constants.weights,
            "table_bytes": model.constants.tables,
            "linked_bytes": None if model.stack is None else model.stack.code_bytes,
        },
        "blobs": [_blob(blob) for blob in model.blobs],
        "stack": None if model.stack is None else _stack(model.stack),
        "estimates": None if model.estimates is None else asdict(model.estimates),
        "rows": None if model.rows is None else _rows(model.rows),
        "channels": _channels(model.lost) if model.lost else None,
        "files": sorted(paths),
    }


def dump(document: Any) -> str:
    """JSON text as stillpool writes it: indented, keys in the order given, ending in a newline."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _tensor(tensor: Tensor) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "identifier": tensor.identifier,
        "dtype": tensor.dtype,
        "shape": list(tensor.shape),
        "scale": list(tensor.scale),
        "zero_point": list(tensor.zero_point),
        "bytes": tensor.bytes,
        "pool": tensor.pool,
        "offset": tensor.offset,
    }


def _stack(stack: Stack) -> dict[str, Any]:
    """Bytes of it that one run takes."""
    return {"worst_case_bytes": stack.worst_case_bytes, "target": stack.target, "compiler": stack.compiler}


def _contract(model: Description, tensor: Tensor) -> dict[str, Any]:
    """Contract of an input with the application."""
    after = tensor.released_after
    return {
        "rows": tensor.streamed_rows,
        "kept": tensor.pool is None or tensor.is_kept,
        "slots": [{"pool": pool, "offset": offset} for pool, offset in tensor.slots],
        "released_after": after,
        "released_after_index": None if after is None else -1 if after < 0 else model.operators[after].index,
    }


def pool_entry(pool: Pool) -> dict[str, Any]:
    """One entry of `pools`."""
    return {
        "name": pool.name,
        "kind": pool.kind,
        "bytes": pool.bytes,
        "alignment": pool.alignment,
        "size_limit": pool.size_limit,
        "lower_bound_bytes": pool.lower_bound_bytes,
        "algorithm": pool.algorithm,
        "proven_optimal": pool.proven_optimal,
        "persistent": pool.persistent,
    }


def _origin(origin: Origin) -> dict[str, Any]:
    """Origin of the code, and whose it is."""
    return {
        "file": origin.file,
        "sha256": origin.sha256,
        "options": list(origin.options),
        "license": {"code": LICENCE, "constants": OF_THE_MODEL},
    }


def _blob(blob: Blob) -> dict[str, Any]:
    """A file of bytes with constants, in the folder of the headers."""
    return {
        "file": blob.file,
        "pool": blob.pool,
        "bytes": blob.bytes,
        "alignment": blob.alignment,
        "sha256": blob.sha256,
        "crc32": blob.crc32,
        "constants": [{"name": part.name, "offset": part.offset, "bytes": part.bytes} for part in blob.parts],
    }


def _rows(choice: RowChoice) -> dict[str, Any]:
    """Decision of `--rows auto` or `on`."""
    return {
        "taken": choice.is_taken,
        "bytes": choice.row_bytes,
        "bytes_without": choice.whole_bytes,
        "instructions": choice.row_instructions,
        "instructions_without": choice.whole_instructions,
        "macs_again": choice.macs_again,
        "refusal": choice.refusal,
    }


def _channels(lost: Sequence[LostChannels]) -> dict[str, Any]:
    """Channels that the model lost, in all and by operator."""
    numbers = ("channels", "channels_without", "macs", "macs_without", "weights", "weights_without")
    return {
        **{name: sum(getattr(one, name) for one in lost) for name in numbers},
        "operators": [_listed(vars(one)) for one in lost if one.is_smaller],
    }


def _listed(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the value with lists, as JSON has them."""
    return {
        key: list(cast(tuple[Any, ...], value)) if isinstance(value, tuple) else value for key, value in entry.items()
    }


def _buffer(buffer: Buffer) -> dict[str, Any]:
    return {
        "name": buffer.name,
        "kind": buffer.kind,
        "pool": buffer.pool,
        "offset": buffer.offset,
        "bytes": buffer.bytes,
        "first_use": buffer.first_use,
        "last_use": buffer.last_use,
    }


def _operator(operator: Operator) -> dict[str, Any]:
    return {
        "position": operator.position,
        "index": operator.index,
        "name": operator.name,
        "op": operator.op,
        "macs": operator.macs,
        "weights_bytes": operator.weights,
        **({} if operator.row is None else {"row": operator.row}),
    }
