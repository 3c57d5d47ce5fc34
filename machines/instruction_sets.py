"""The instruction sets of processors, and which of their features code generation asks for.

A processor lists the sets that it has. Sets of packages have none of these features: they bring kernels
(`lowering.kernels`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class Feature(Enum):
    """What a processor can do, as `Cpu` explains."""

    DSP = auto()
    FPU = auto()
    ROUNDS = auto()
    VECTOR = auto()
    VECTORISES = auto()
    UNALIGNED = auto()
    UNSIGNED_BYTES = auto()
    FEW_REGISTERS = auto()
    LOW_PRODUCTS = auto()
    SWAR = auto()


FEATURES: Final[Mapping[str, frozenset[Feature]]] = {
    "armv6m": frozenset((Feature.UNSIGNED_BYTES, Feature.FEW_REGISTERS, Feature.LOW_PRODUCTS, Feature.SWAR)),
    "armv7m": frozenset((Feature.UNALIGNED,)),
    "dsp": frozenset((Feature.DSP,)),
    "fpv4": frozenset((Feature.FPU,)),
    "fpv5": frozenset((Feature.FPU, Feature.ROUNDS)),
    "host": frozenset((Feature.FPU, Feature.VECTORISES, Feature.UNALIGNED)),
    "mve": frozenset((Feature.VECTOR,)),
    "rv32imc": frozenset(),
}
"""Features of each set, by its name. `armv7m` is the base of Armv8-M's main line, too; `dsp` makes it Armv7E-M."""
