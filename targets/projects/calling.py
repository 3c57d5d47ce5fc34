"""C text that programs share which call a model through its native interface: the storage, the structs, the call."""

from __future__ import annotations

from collections.abc import Iterator

from ..interfaces.description import Side, Tensor
from ..interfaces.native import Native

GUARD = 64
"""Bytes before and after a pool that `storage` can watch."""


def _margin(alignment: int) -> int:
    return max(GUARD, alignment)


def storage(native: Native, *, guarded: bool = False) -> str:
    """Static arrays for the pools (`pool_<p>`) and for what the caller owns (`input_<t>`, `output_<t>`).

    `guarded` pools have a margin on both sides and start at `pool_<p> + MARGIN_<P>`.
    """
    lines: list[str] = []
    if native.takes_pools:
        for pool in native.model.constant_pools:
            lines.append(f"STILLPOOL_ALIGNED({native.pool_align(pool)})")
            lines.append(f"static const uint8_t pool_{pool.identifier}[] = {native.pool_data(pool)};")
        for pool in native.model.workspace_pools:
            size = native.pool_size(pool) if pool.bytes else "1"
            if guarded:
                margin = f"MARGIN_{pool.identifier.upper()}"
                lines.append(f"#define {margin} {_margin(pool.alignment)}")
                size = f"{size} + 2 * {margin}"
            lines.append(f"STILLPOOL_ALIGNED({native.pool_align(pool)})")
            lines.append(f"static uint8_t pool_{pool.identifier}[{size}];")
    if native.model.calls_back:
        lines += [f"{native.callback_declaration}", "{", "    (void)input;", "}"]
    for side, tensor in _owned(native):
        count = native.tensor_macro(side, tensor, "COUNT")
        lines.append(f"static {tensor.c_type} {side}_{tensor.identifier}[{count}];")
    return "".join(f"{line}\n" for line in lines)


def _owned(native: Native) -> Iterator[tuple[Side, Tensor]]:
    for side in ("input", "output"):
        for tensor in native.model.caller_owned(side):
            yield side, tensor


def setup(native: Native, *, guarded: bool = False) -> str:
    """Statements that declare and fill `pools`, `inputs`, `outputs` and state, as far as the interface has them."""
    lines: list[str] = []
    if native.takes_pools:
        lines.append(f"{native.pools_type} pools;")
    for side in ("input", "output"):
        if native.has_struct(side):
            lines.append(f"{native.io_type(side)} {side}s;")
    if native.takes_pools:
        for pool in native.model.workspace_pools:
            margin = f" + MARGIN_{pool.identifier.upper()}" if guarded else ""
            lines.append(f"pools.{pool.identifier} = pool_{pool.identifier}{margin};")
        lines += [f"pools.{pool.identifier} = pool_{pool.identifier};" for pool in native.model.constant_pools]
    if native.has_slots:
        lines.insert(0, "int32_t slot = 0;")
    for side in ("input", "output"):
        if native.has_map(side):
            lines.append(_map(native, side))
    lines += [f"{side}s.{tensor.identifier} = {side}_{tensor.identifier};" for side, tensor in _owned(native)]
    lines += reset(native)
    return "".join(f"    {line}\n" for line in lines)


def reset(native: Native) -> list[str]:
    """The statement that sets what the model keeps from one run to the next, if it keeps anything."""
    return [f"(void){native.m}_reset({'&pools' if native.takes_pools else ''});"] if native.has_reset else []


def _map(native: Native, side: Side) -> str:
    pools = ["&pools"] if native.takes_pools else []
    slot = ["slot"] if side == "input" and native.has_slots else []
    return f"{side}s = {native.m}_map_{side}s({', '.join([*pools, *slot])});"


def other_slot(native: Native) -> list[str]:
    """Statements that go on to the other slot, if inputs have two."""
    if not native.has_slots:
        return []
    owned = [f"inputs.{t.identifier} = input_{t.identifier};" for t in native.model.caller_owned("input")]
    return ["slot = 1 - slot;", _map(native, "input"), *owned]


def call(native: Native) -> str:
    """The expression that runs the network with what `setup` made."""
    arguments = [f"&{name}" for _, name in native.run_arguments] + (["slot"] if native.has_slots else [])
    return f"{native.m}_run({', '.join(arguments)})"
