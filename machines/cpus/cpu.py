"""Facts of a processor for code generation, compilers and emulators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..costs import Costs, costs_in
from ..instruction_sets import FEATURES, Feature


@dataclass(frozen=True)
class Memory:
    """A memory region as small systems with this core usually have it."""

    name: str
    kind: Literal["flash", "ram"]
    origin: int
    """Start address."""
    length: int
    """Bytes."""
    most: int = 0
    """Bytes to which an emulator can extend it, as the address map has room; `length` if that is more."""


@dataclass(frozen=True)
class Tile:
    """Sums of products that fit the registers of a processor side by side."""

    channels: int
    pixels: int
    unroll: int
    """Terms of each sum in one pass of a loop, at most."""


@dataclass(frozen=True)
class Cpu:
    """One processor core."""

    name: str
    isa: Literal["thumb", "riscv32", "host"]
    instruction_sets: tuple[str, ...]
    """Instruction sets that it has: some of `machines.instruction_sets`, then those of packages, in the order in which
    their kernels count."""
    gcc_prefix: str
    """Name of the GNU cross compiler before `gcc`."""
    gcc_flags: tuple[str, ...]
    """Flags that select the core in GCC."""
    zig_flags: tuple[str, ...]
    """Flags that select the core in `zig cc`."""
    unicorn_model: str | None
    """Constant of unicorn's processor models; None when unicorn cannot run the core."""
    qemu_machine: str | None
    """Machine of qemu-system-arm with this core; None when there is none."""
    cycles_per_instruction: float | None = None
    """Cycles of an instruction on average, with memory without wait states; None where no cycles are known."""
    tile: Tile = Tile(channels=4, pixels=2, unroll=5)
    """For sums of products. Measured with the compilers that the emulator asks for: longer loops make them spill."""

    @property
    def dsp(self) -> bool:
        """Has 16-bit SIMD multiply-accumulate."""
        return self._has(Feature.DSP)

    @property
    def fpu(self) -> bool:
        """Has single-precision floating point."""
        return self._has(Feature.FPU)

    @property
    def rounds(self) -> bool:
        """Has an instruction that rounds floats to whole numbers, halves away from zero."""
        return self._has(Feature.ROUNDS)

    @property
    def vector(self) -> bool:
        """Has the M-profile vector extension."""
        return self._has(Feature.VECTOR)

    @property
    def vectorises(self) -> bool:
        """Compilers turn loops into vector instructions for it."""
        return self._has(Feature.VECTORISES)

    @property
    def unaligned(self) -> bool:
        """Whether loads and stores of words may be unaligned."""
        return self._has(Feature.UNALIGNED)

    @property
    def unsigned_bytes(self) -> bool:
        """Loads bytes at a constant offset without their sign only."""
        return self._has(Feature.UNSIGNED_BYTES)

    @property
    def few_registers(self) -> bool:
        """Most instructions know eight."""
        return self._has(Feature.FEW_REGISTERS)

    @property
    def low_products(self) -> bool:
        """Multiplies words to the low half alone."""
        return self._has(Feature.LOW_PRODUCTS)

    @property
    def swar(self) -> bool:
        """Sums of two channels are faster in one word than each for itself, as there is no multiply-accumulate."""
        return self._has(Feature.SWAR)

    def _has(self, feature: Feature) -> bool:
        return any(feature in FEATURES.get(name, ()) for name in self.instruction_sets)

    @property
    def side_by_side(self) -> int:
        """Channels whose sums its kernels compute at once: in one word, or in a tile."""
        return 2 if self.swar else self.tile.channels

    @property
    def costs(self) -> Costs:
        """Costs of operations as machine code."""
        return costs_in(self.cost_table)

    @property
    def cost_table(self) -> str:
        """The file of these costs in `machines/cost_tables`, without its ending."""
        if self.isa == "riscv32":
            return "rv32"
        if self.unsigned_bytes:
            return "thumb1"
        return "mve" if self.vector else "thumb2_dsp" if self.dsp else "thumb2"

    @property
    def in_words(self) -> bool:
        """Whether the four bytes of a word are best computed side by side."""
        return self.dsp and self.unaligned and not self.vector

    @property
    def registers(self) -> int:
        """Number of registers that compilers have for numbers and pointers in loops."""
        return 26 if self.isa == "riscv32" else 8 if self.few_registers else 14

    memories: tuple[Memory, ...] = (
        Memory("flash", "flash", 0x0000_0000, 0x0040_0000, most=0x1000_0000),
        Memory("sram", "ram", 0x2000_0000, 0x0040_0000, most=0x1000_0000),
    )
    """In order of preference for each kind; what does not fit goes to the next one."""
