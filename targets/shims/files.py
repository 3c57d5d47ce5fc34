"""Which files a shim adds to a project."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from ...errors import UsageError, one_of
from ..c.folding import folded_text
from ..interfaces.interface import Asked, Interface
from ..interfaces.native import Native
from ..provenance import stamped
from . import packed, table

SHIMS = {
    "table": ("stillpool_model.h",),
    "cpp": ("stillpool_model.h", "stillpool_interpreter.hpp"),
    "packed": ("stillpool_model.h", "stillpool_packed.h"),
}
"""Shims by name, and the headers that all models share; every one of them has the table's files."""


def check_shims(shims: Sequence[str], interface: type[Interface], asked: Asked) -> None:
    """Refuse what no shim can express.

    Raises:
        UsageError: an unknown shim, an interface without structs of pointers, or inputs with two slots.
    """
    for shim in shims:
        if shim not in SHIMS:
            raise UsageError(f"shim '{shim}' is not available", remedy=one_of(shim, list(SHIMS)))
        if not issubclass(interface, Native) or not interface.has_structs:
            raise UsageError(
                f"--shim {shim} does not go with the interface '{interface.style}'",
                remedy="use --interface native or tvm",
            )
        if asked.double_buffer_inputs:
            raise UsageError(
                f"--shim {shim} has no place for --io double-buffer", remedy="leave out one of the two options"
            )


def shim_files(interface: Interface, shims: Sequence[str]) -> dict[str, bytes]:
    """Files that the shims add: {relative path: bytes}."""
    if not shims:
        return {}
    assert isinstance(interface, Native), "shims were checked"
    shared = {f"include/{name}": _shared(name) for shim in shims for name in SHIMS[shim]}
    texts = table.texts(interface)
    if "packed" in shims:
        texts |= packed.texts(interface)
    if "cpp" in shims:
        texts |= {f"include/{interface.stem}_interpreter.hpp": _interpreter(interface)}
    return {
        **{path: stamped(path, text.encode()) for path, text in shared.items()},
        **{path: stamped(path, folded_text(text).encode(), [interface.model]) for path, text in texts.items()},
    }


def _shared(name: str) -> str:
    return files(__package__ or "").joinpath(name).read_text(encoding="utf-8")


def _interpreter(native: Native) -> str:
    """The model's own C++ header: what to include, and how large the arena is at most."""
    model, guard = native.model, f"{table.upper(native)}_INTERPRETER_HPP"
    tensors = len(model.inputs) + len(model.outputs)
    pools = [*native.outer_workspace_pools, *native.outer_constant_pools]
    memory = sum(pool.bytes + pool.alignment for pool in native.outer_workspace_pools)
    memory += sum(tensor.bytes + 16 for side in (model.inputs, model.outputs) for tensor in side if tensor.pool is None)
    pointers = tensors + 2 * len(pools) + len(native.devices)
    room = f"{pointers} * sizeof(void *) + {tensors} * sizeof(stillpool::TfLiteTensor)"
    return (
        f"#ifndef {guard}\n#define {guard}\n\n"
        f'#include "stillpool_interpreter.hpp"\n#include "{native.stem}_model.h"\n\n'
        "// An arena of these bytes is large enough, wherever it starts.\n"
        f"constexpr size_t {native.stem}_arena = {memory} + {room}\n    + 2 * alignof(std::max_align_t);\n\n"
        f"#endif // {guard}\n"
    )
