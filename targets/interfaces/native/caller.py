"""C text of programs that call a model through the native interface: the storage, the structs, the call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...weights.in_programs import test_symbol
from ..caller import Caller, Memory, Refusal, Watched, margin
from ..description import Pool, Side, Tensor
from .naming import NativeNames


@dataclass(frozen=True)
class NativeCaller(Caller):
    """Pools are `pool_<p>`, what the caller owns is `input_<t>` and `output_<t>`."""

    native: NativeNames

    @property
    def include(self) -> str:
        return self.native.header_name

    def storage(self, *, guarded: bool = False, hook: str = "") -> str:
        """Guarded pools have a margin on both sides and start at `pool_<p> + MARGIN_<P>`."""
        native = self.native
        lines: list[str] = []
        if native.takes_pools:
            for pool in native.outer_constant_pools:
                if (blob := native.model.blob_of(pool)) is not None:
                    lines.append(f"extern const uint8_t {test_symbol(blob)}[];")
                    continue
                lines.append(f"STILLPOOL_ALIGNED({native.pool_align(pool)})")
                lines.append(f"static const uint8_t {_array(pool)}[] = {native.pool_initialiser(pool)};")
            for pool in native.outer_workspace_pools:
                size = native.pool_size(pool) if pool.bytes else "1"
                if guarded:
                    lines.append(f"#define {_margin(pool)} {margin(pool)}")
                    size = f"{size} + 2 * {_margin(pool)}"
                lines.append(f"STILLPOOL_ALIGNED({native.pool_align(pool)})")
                lines.append(f"static uint8_t {_array(pool)}[{size}];")
        if native.model.calls_back:
            lines += [f"{native.callback_declaration}", "{", "    (void)input;", "}"]
        if native.model.tells_operators:
            lines += [f"{native.hook_declaration}", "{", f"    {hook or '(void)position;'}", "}"]
        for side, tensor in self._owned():
            lines.append(f"static {tensor.c_type} {side}_{tensor.identifier}[{self.count(side, tensor)}];")
        return "".join(f"{line}\n" for line in lines)

    def _owned(self) -> Iterator[tuple[Side, Tensor]]:
        for side in ("input", "output"):
            for tensor in self.native.model.caller_owned(side):
                yield side, tensor

    def setup(self, *, guarded: bool = False) -> list[str]:
        """Declare and fill `pools`, `inputs`, `outputs` and state, as far as the interface has them."""
        native = self.native
        lines = ["int32_t slot = 0;"] if native.has_slots else []
        if native.takes_pools:
            lines.append(f"{native.pools_type} pools;")
        for side in ("input", "output"):
            if native.has_struct(side):
                lines.append(f"{native.io_type(side)} {side}s;")
        if native.devices:
            lines.append(f"{native.devices_type} devices;")
        lines += [f"devices.{device} = NULL;" for device in native.devices]
        if native.takes_pools:
            for pool in native.outer_workspace_pools:
                start = f" + {_margin(pool)}" if guarded else ""
                lines.append(f"pools.{pool.identifier} = {_array(pool)}{start};")
            for pool in native.outer_constant_pools:
                blob = native.model.blob_of(pool)
                lines.append(f"pools.{pool.identifier} = {_array(pool) if blob is None else test_symbol(blob)};")
        for side in ("input", "output"):
            if native.has_map(side):
                lines.append(self._map(side))
        lines += [f"{side}s.{tensor.identifier} = {side}_{tensor.identifier};" for side, tensor in self._owned()]
        return [*lines, *self.reset()]

    def reset(self) -> list[str]:
        native = self.native
        pools = "&pools" if native.takes_pools else ""
        return [f"(void){native.m}_reset({pools});"] if native.has_reset else []

    def _map(self, side: Side) -> str:
        native = self.native
        pools = ["&pools"] if native.takes_pools else []
        slot = ["slot"] if side == "input" and native.has_slots else []
        return f"{side}s = {native.m}_map_{side}s({', '.join([*pools, *slot])});"

    def other_slot(self) -> list[str]:
        native = self.native
        if not native.has_slots:
            return []
        owned = [f"inputs.{t.identifier} = input_{t.identifier};" for t in native.model.caller_owned("input")]
        return ["slot = 1 - slot;", self._map("input"), *owned]

    def call(self) -> str:
        native = self.native
        arguments = [f"&{name}" for _, name in native.run_arguments] + (["slot"] if native.has_slots else [])
        return f"{native.run_function}({', '.join(arguments)})"

    def elements(self, side: Side, tensor: Tensor) -> str:
        return self.native.typed(tensor, f"{side}s.{tensor.identifier}")

    def size(self, side: Side, tensor: Tensor) -> str:
        return self.native.tensor_macro(side, tensor, "SIZE")

    def count(self, side: Side, tensor: Tensor) -> str:
        return self.native.tensor_macro(side, tensor, "COUNT")

    def unused(self) -> list[str]:
        return ["(void)outputs;"] if self.native.has_struct("output") else []

    def watched(self) -> list[Watched]:
        native = self.native
        pools = native.outer_workspace_pools if native.takes_pools else ()
        return [
            Watched(
                pool.identifier,
                _array(pool),
                _margin(pool),
                native.pool_size(pool),
                tuple(self._refusals(pool)) if native.model.uses(pool) else (),
                (f"pools.{pool.identifier} = {_array(pool)} + {_margin(pool)};",) if native.model.uses(pool) else (),
            )
            for pool in pools
        ]

    def _refusals(self, pool: Pool) -> Iterator[Refusal]:
        cases = [("NULL", "NULL_POOL", "null")]
        if pool.alignment > 1:
            cases.append((f"{_array(pool)} + {_margin(pool)} + 1", "MISALIGNED_POOL", "misaligned"))
        for address, error, word in cases:
            mistake = f"pools.{pool.identifier} = {address};"
            yield Refusal(f"a {word} pool {pool.identifier}", (mistake,), self.call(), self.native.error(error))

    def memories(self) -> list[Memory]:
        arrays: list[Memory] = []
        for pool in self.native.model.workspace_pools:
            symbol = self._pool(pool)
            section = pool.section if self.native.builds_in(pool) and pool.section else f".bss.{symbol}"
            arrays.append(Memory(symbol, max(pool.bytes, 1), section, f"pool '{pool.name}'"))
        for side, tensor in self._owned():
            symbol = f"{side}_{tensor.identifier}"
            arrays.append(Memory(symbol, tensor.bytes, f".bss.{symbol}", f"{side} '{tensor.name}'"))
        return arrays

    def place(self, side: Side, tensor: Tensor) -> tuple[str, int]:
        if tensor.pool is None:
            return f"{side}_{tensor.identifier}", 0
        pool = next(pool for pool in self.native.model.pools if pool.name == tensor.pool)
        assert tensor.offset is not None, "a tensor in a pool has an offset"
        return self._pool(pool), tensor.offset

    def _pool(self, pool: Pool) -> str:
        return self.native.builtin_pool(pool) if self.native.builds_in(pool) else _array(pool)


def _array(pool: Pool) -> str:
    return f"pool_{pool.identifier}"


def _margin(pool: Pool) -> str:
    return f"MARGIN_{pool.identifier.upper()}"
