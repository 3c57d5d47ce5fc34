"""Flash and RAM of a linked model, without the firmware around it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ...targets.interfaces.interface import Interface
from .image import Image, Symbol


@dataclass(frozen=True)
class Sizes:
    """Bytes; library functions that the model needs are part of its code."""

    code: int
    """Machine code and the literals within it."""
    weights: int
    """Constants of the model file, without padding: as `Constants` of the description."""
    tables: int
    """Constants that stillpool added, likewise."""
    padding: int
    """Padding of constants, and constants of library functions."""
    pools: int
    """Pools in RAM."""
    arrays: int
    """Inputs and outputs that the caller owns."""
    data: int
    """Initialised variables."""
    bss: int
    """Zeroed variables."""

    @property
    def flash(self) -> int:
        """All of it that must be stored; initialised variables are stored too."""
        return self.code + self.constants + self.data

    @property
    def constants(self) -> int:
        """Weights and tables as they lie in flash."""
        return self.weights + self.tables + self.padding

    @property
    def ram(self) -> int:
        """All of it that is in RAM, without the stack."""
        return self.pools + self.arrays + self.data + self.bss

    def document(self) -> dict[str, dict[str, int]]:
        """Return it as JSON data."""
        sizes = asdict(self)
        flash, ram = (
            {key: sizes[key] for key in keys}
            for keys in (("code", "weights", "tables", "padding", "data"), ("pools", "arrays", "data", "bss"))
        )
        return {"flash": {**flash, "total": self.flash}, "ram": {**ram, "total": self.ram}}


def sizes(image: Image, interface: Interface) -> Sizes:
    """Measure a firmware image."""
    arrays = interface.caller.memories()
    places = {array.symbol for array in arrays}
    pools = {array.symbol for array in arrays if array.what.startswith("pool ")}
    constants = _constant_bytes(image, ".rodata", places)
    # A compiler may leave out constants that it computes with.
    parts = (interface.model.constants, interface.model.pooled)
    weights = min(sum(part.weights for part in parts), constants)
    tables = min(sum(part.tables for part in parts), constants - weights)
    return Sizes(
        code=_constant_bytes(image, ".text", places),
        weights=weights,
        tables=tables,
        padding=constants - weights - tables,
        pools=sum(array.bytes for array in arrays if array.symbol in pools),
        arrays=sum(array.bytes for array in arrays if array.symbol not in pools),
        data=_variable_bytes(image, ".data", places),
        bss=_variable_bytes(image, ".bss", places),
    )


def _constant_bytes(image: Image, section: str, places: set[str]) -> int:
    """Bytes of a section in flash, without what belongs to the firmware; gaps for alignment count."""
    size = image.sections.get(section, (0, 0, False))[1]
    return size - sum(symbol.bytes for symbol in _symbols(image, section) if _own(symbol, places))


def _variable_bytes(image: Image, section: str, places: set[str]) -> int:
    """Bytes of the variables in a section that do not belong to the firmware."""
    return sum(symbol.bytes for symbol in _symbols(image, section) if not _own(symbol, places))


def _symbols(image: Image, section: str) -> list[Symbol]:
    """The symbols of a section; of several names for one thing, one."""
    return list({(s.address, s.bytes): s for s in image.symbols if s.section == section}.values())


def _own(symbol: Symbol, places: set[str]) -> bool:
    """Whether something belongs to the firmware: all its functions and variables are called `stillpool_...`."""
    return symbol.name.startswith("stillpool_") or symbol.name in places
