"""The names of TVM's interface: those of the native one with other prefixes, and the macros that TVM alone has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ...identifiers import macro_stem
from ..description import Pool, Side, Tensor
from ..interface import Asked
from ..native import Native

RUNTIME = (
    "dlpack/dlpack.h",
    "tvm/runtime/c_backend_api.h",
    "tvm/runtime/c_runtime_api.h",
    "tvm/runtime/crt/error_codes.h",
    "tvm/runtime/crt/logging.h",
    "tvm/runtime/crt/platform.h",
    "tvm/runtime/crt/stack_allocator.h",
)
"""Headers of TVM's runtime that its applications include; they lie in `include/` beside this file."""


@dataclass(frozen=True)
class TvmNames(Native):
    """A description seen through TVM's interface.

    Members of structs are `void *`. A device context as last argument of `run` is TVM's way to hand over accelerators:
    it is to be one more entry of `run_arguments`.
    """

    style: ClassVar[str] = "tvm"
    workspace_io: ClassVar[str] = "none"
    refuses: ClassVar[frozenset[str]] = frozenset({"--io double-buffer", "--io released-callback", "--profile-hooks"})
    shared_headers: ClassVar[frozenset[str]] = frozenset(RUNTIME)

    @classmethod
    def builds_pools_in(cls, asked: Asked) -> bool:
        """Say whether the workspace is static: as in TVM, unless it is given a name."""
        return asked.builtin_pools or not asked.workspace_pools

    @classmethod
    def passes(cls, asked: Asked) -> frozenset[str]:
        """Named pools come from the application even if the workspace does not."""
        return frozenset() if asked.builtin_pools else frozenset((*asked.constant_pools, *asked.state_pools))

    @property
    def m(self) -> str:
        return f"tvmgen_{self._name}"

    @property
    def _name(self) -> str:
        """The model's name; behind a prefix it may be a keyword: TVM calls models `default`."""
        return self.stem.rstrip("_")

    @property
    def upper(self) -> str:
        return self.m.upper()

    @property
    def header_name(self) -> str:
        return f"{self.m}.h"

    def pool_type(self, pool: Pool) -> str:
        return "const void" if pool.kind == "constant" else "void"

    def pool_member(self, pool: Pool) -> str:
        bytes_ = "const uint8_t" if pool.kind == "constant" else "uint8_t"
        return f"(({bytes_} *)pools->{pool.identifier})"

    def data_macro(self, values: str) -> str:
        return values

    def pool_initialiser(self, pool: Pool) -> str:
        return f"{{{self.pool_data(pool)}}}"

    def pool_size(self, pool: Pool) -> str:
        return self.full_pool_size(pool)

    def buffer_size(self, pool: Pool) -> str:
        """The macro that RFC 0009 had for a pool's size."""
        return f"TVM_{self._name.upper()}_{macro_stem(pool.identifier)}_{self._rfc(pool)}_BUFFER_SIZE"

    def _rfc(self, pool: Pool) -> str:
        return "PARAMETER" if pool.kind == "constant" else "WORKSPACE"

    @property
    def workspace_size(self) -> str:
        """The macro with the bytes of all workspace pools."""
        return f"{self.upper}_WORKSPACE_SIZE"

    def member_type(self, tensor: Tensor) -> str:
        return "void"

    def typed(self, tensor: Tensor, pointer: str) -> str:
        return f"(({tensor.c_type} *){pointer})"

    def tensor_macro(self, side: Side, tensor: Tensor, what: str) -> str:
        """TVM's `TVMGEN_<M>_<TENSOR>_SIZE`, and others likewise; with the side in it where that is taken."""
        return f"{self._tensor_macros[side, tensor.identifier]}_{what}"

    def full_tensor_macro(self, side: Side, tensor: Tensor, what: str) -> str:
        return self.tensor_macro(side, tensor, what)

    @cached_property
    def _tensor_macros(self) -> Mapping[tuple[Side, str], str]:
        words = ("SIZE", "COUNT", "SCALE", "ZERO_POINT", "NUMBER", "RELEASED_AFTER")
        taken = {self.workspace_size, *(self.pool_size(pool) for pool in self.model.pools)}
        taken |= {self.pool_align(pool) for pool in self.model.pools}
        names: dict[tuple[Side, str], str] = {}
        for side in ("input", "output"):
            for tensor in self.model.side(side):
                name = f"{self.upper}_{macro_stem(tensor.identifier)}"
                while taken & {f"{name}_{word}" for word in words}:
                    name = f"{self.upper}_{side.upper()}_{name.removeprefix(f'{self.upper}_')}"
                taken |= {f"{name}_{word}" for word in words}
                names[side, tensor.identifier] = name
        return names
