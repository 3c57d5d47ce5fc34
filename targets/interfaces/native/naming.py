"""The names of the native interface, in one place for the header, the wrapper and the programs that call them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ...identifiers import macro_stem
from ..description import Pool, Side, Tensor
from ..interface import Interface
from .return_codes import DAMAGED_POOL, ERRORS, EXTERNAL, NO_SLOT, NULL_DEVICES, STREAMED


def released_callback(identifier: str) -> str:
    """The C function that the application defines to hear of released inputs; takes a model's identifier."""
    return f"{identifier}_input_released"


def operator_hook(identifier: str) -> str:
    """The C function that the application defines to hear of operators that have run; takes a model's identifier."""
    return f"{identifier}_operator_done"


@dataclass(frozen=True)
class NativeNames(Interface):
    """Names of a description's parts in the native interface."""

    style: ClassVar[str] = "native"
    has_structs: ClassVar[bool] = True
    """Whether applications call the model with structs of pointers."""

    @property
    def m(self) -> str:
        """The prefix of functions and types."""
        return self.model.identifier

    @property
    def upper(self) -> str:
        """The prefix of macros."""
        return macro_stem(self.model.identifier)

    @property
    def errors(self) -> tuple[tuple[str, int, str], ...]:
        """The return codes of `run` other than 0."""
        damaged = (DAMAGED_POOL,) if self.model.counts_damage else ()
        streamed = STREAMED if self.model.streamed else ()
        external = (EXTERNAL,) if self.model.externals else ()
        devices = (NULL_DEVICES,) if self.devices else ()
        return (*ERRORS, *damaged, *((NO_SLOT,) if self.has_slots else ()), *streamed, *external, *devices)

    def error(self, name: str) -> str:
        """The macro of a return code."""
        return f"{self.upper}_ERROR_{name}"

    def pool_size(self, pool: Pool) -> str:
        """The macro with a pool's size in bytes; the older name where a pool or tensor has the shorter one."""
        name = f"{self.upper}_{macro_stem(pool.identifier)}_POOL_SIZE"
        return self.full_pool_size(pool) if name in self._full_names else name

    def full_pool_size(self, pool: Pool) -> str:
        """The older macro with a pool's size, with the pool's kind in its name."""
        return f"{self.upper}_{macro_stem(pool.identifier)}_{pool.kind.upper()}_POOL_SIZE"

    @cached_property
    def _full_names(self) -> frozenset[str]:
        """Older macros of sizes, and those of tensors, which no shorter name of a pool may take."""
        sides: tuple[Side, ...] = ("input", "output")
        tensors: list[tuple[Side, Tensor]] = [(side, tensor) for side in sides for tensor in self.model.side(side)]
        macros = [macro(*each, "SIZE") for each in tensors for macro in (self.tensor_macro, self.full_tensor_macro)]
        return frozenset([*map(self.full_pool_size, self.model.pools), *macros])

    def pool_align(self, pool: Pool) -> str:
        """The macro with a pool's alignment in bytes."""
        return f"{self.upper}_{macro_stem(pool.identifier)}_POOL_ALIGN"

    def pool_section(self, pool: Pool) -> str:
        """The macro with the linker section that the user wants a pool in."""
        return f"{self.upper}_{macro_stem(pool.identifier)}_POOL_SECTION"

    def pool_data(self, pool: Pool) -> str:
        """The macro with the initialiser of a constant pool."""
        return f"{self.upper}_{macro_stem(pool.identifier)}_CONSTANT_POOL_DATA"

    def tensor_macro(self, side: Side, tensor: Tensor, what: str) -> str:
        """A macro about an input or output: `SIZE`, `COUNT`, `SCALE` or `ZERO_POINT`; the side stands in it once."""
        stem, others = macro_stem(tensor.identifier), [each.identifier for each in self.model.side(side)]
        begins, _, rest = stem.partition("_")
        is_twice = begins == side.upper() and rest and rest not in map(macro_stem, others)
        return f"{self.upper}_{stem}_{what}" if is_twice else self.full_tensor_macro(side, tensor, what)

    def full_tensor_macro(self, side: Side, tensor: Tensor, what: str) -> str:
        """The older macro, in which the side stands in front of whatever name the tensor has."""
        return f"{self.upper}_{side.upper()}_{macro_stem(tensor.identifier)}_{what}"

    def pool_type(self, pool: Pool) -> str:
        """The type that the pool's member of the struct of pools points to."""
        return "const uint8_t" if pool.kind == "constant" else "uint8_t"

    def pool_member(self, pool: Pool) -> str:
        """The pool's address, of the `pools` that a function was given."""
        return f"pools->{pool.identifier}"

    def data_macro(self, values: str) -> str:
        """Text that the macro `pool_data` stands for; `values` are the bytes with commas, on several lines."""
        return f"{{ {values} }}"

    def extra_macros(self) -> str:
        """Further macros of the header."""
        return ""

    def pool_initialiser(self, pool: Pool) -> str:
        """The initialiser of an array that is a constant pool."""
        return self.pool_data(pool)

    def member_type(self, tensor: Tensor) -> str:
        """The type that a member of the structs of inputs and outputs points to."""
        return tensor.c_type

    def typed(self, tensor: Tensor, pointer: str) -> str:
        """Such a member as a pointer to elements."""
        return pointer

    @property
    def pools_type(self) -> str:
        """The struct of pool pointers, of constant pools too."""
        return f"{self.m}_workspace_pools"

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices whose handles the application passes in."""
        return () if self.model.externals is None else self.model.externals.devices

    @property
    def devices_type(self) -> str:
        """The struct of device handles."""
        return f"{self.m}_devices"

    def io_type(self, side: Side) -> str:
        """The struct of input or output pointers."""
        return f"{self.m}_{side}s"

    def has_struct(self, side: Side) -> bool:
        """Whether there is anything to point at: C has no empty structs."""
        return bool(self.model.side(side))

    def has_map(self, side: Side) -> bool:
        """Whether `map_inputs` or `map_outputs` exists."""
        return bool(self.model.in_workspace(side))

    @property
    def outer_workspace_pools(self) -> tuple[Pool, ...]:
        """The workspace pools that the application passes in."""
        return tuple(pool for pool in self.model.workspace_pools if not self.builds_in(pool))

    @property
    def outer_constant_pools(self) -> tuple[Pool, ...]:
        """The constant pools that the application passes in."""
        return tuple(pool for pool in self.model.constant_pools if not self.builds_in(pool))

    @property
    def has_constants_header(self) -> bool:
        """Whether a header has the contents of the constant pools: files of bytes have them otherwise."""
        return any(self.model.blob_of(pool) is None for pool in self.model.constant_pools)

    def pool_crc(self, pool: Pool) -> str:
        """The macro with the checksum of a constant pool whose contents are a file of bytes."""
        return f"{self.upper}_{macro_stem(pool.identifier)}_CONSTANT_POOL_CRC32"

    @property
    def takes_pools(self) -> bool:
        """Whether the application passes pools in."""
        return not all(self.builds_in(pool) for pool in self.model.pools)

    @property
    def run_arguments(self) -> tuple[tuple[str, str], ...]:
        """(type, name) of the parameters of `run`, all of them pointers."""
        arguments: list[tuple[str, str]] = []
        if self.model.caller_owned("input"):
            arguments.append((self.io_type("input"), "inputs"))
        if self.model.caller_owned("output"):
            arguments.append((self.io_type("output"), "outputs"))
        if self.takes_pools:
            arguments.append((self.pools_type, "pools"))
        if self.devices:
            arguments.append((self.devices_type, "devices"))
        return tuple(arguments)

    @property
    def run_declaration(self) -> str:
        """The declaration of `run`, without a semicolon."""
        parameters = [f"{type_} *{name}" for type_, name in self.run_arguments]
        return f"int32_t {self.run_function}({', '.join([*parameters, *self._slot()]) or 'void'})"

    @property
    def run_function(self) -> str:
        return f"{self.m}_run"

    @property
    def has_slots(self) -> bool:
        """Whether inputs have two slots, one of which a run is given."""
        return any(tensor.slots for tensor in self.model.inputs)

    def _slot(self) -> list[str]:
        """The parameter that chooses a slot."""
        return ["int32_t slot"] if self.has_slots else []

    @property
    def callback_declaration(self) -> str:
        """The declaration of the application's function that hears of released inputs, without a semicolon."""
        return f"void {released_callback(self.m)}(int32_t input)"

    @property
    def hook_declaration(self) -> str:
        """The declaration of the application's function that hears of operators, without a semicolon."""
        return f"void {operator_hook(self.m)}(int32_t position)"

    @property
    def operator_count(self) -> str:
        """The macro with the number of operators that a run tells of."""
        return f"{self.upper}_OPERATOR_COUNT"

    @property
    def has_reset(self) -> bool:
        """Whether the model keeps state, and so `reset` exists."""
        return bool(self.model.states)

    @property
    def reset_declaration(self) -> str:
        """The declaration of `reset`, without a semicolon."""
        return f"int32_t {self.m}_reset({f'{self.pools_type} *pools' if self.takes_pools else 'void'})"

    def map_declaration(self, side: Side) -> str:
        """The declaration of `map_inputs` or `map_outputs`, without a semicolon."""
        parameters = [f"{self.pools_type} *pools"] if self.takes_pools else []
        parameters += self._slot() if side == "input" else []
        return f"{self.io_type(side)} {self.m}_map_{side}s({', '.join(parameters) or 'void'})"

    @property
    def reserved(self) -> frozenset[str]:
        """Symbols of the interface that no weight or function of the model may take."""
        words = (
            "run",
            "reset",
            "input_released",
            "operator_done",
            "map_inputs",
            "map_outputs",
            "inputs",
            "outputs",
            "workspace_pools",
            "devices",
            "network",
            "stream",
            "stream_begin",
            "push_rows",
        )
        pools = [f"{pool.identifier}_pool" for pool in self.model.pools]
        return frozenset(f"{m}_{word}" for m in (self.m, self.constants_prefix) for word in (*words, *pools))

    @property
    def header_name(self) -> str:
        return f"{self.stem}.h"
