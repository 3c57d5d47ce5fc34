"""Flash and RAM of a linked model, without the firmware around it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ...targets.interfaces.native import Native
from .application import owned
from .image import Image, Symbol


@dataclass(frozen=True)
class Sizes:
    """Bytes; library functions that the model needs are part of its code."""

    code: int
    """Machine code and the literals within it."""
    weights: int
    """Constants that stand in the model file."""
    tables: int
    """Constants that the compiler added: multipliers, lookup tables."""
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
        return self.code + self.weights + self.tables + self.data

    @property
    def ram(self) -> int:
        """All of it that is in RAM, without the stack."""
        return self.pools + self.arrays + self.data + self.bss

    def document(self) -> dict[str, dict[str, int]]:
        """As JSON data."""
        sizes = asdict(self)
        flash, ram = (
            {key: sizes[key] for key in keys}
            for keys in (("code", "weights", "tables", "data"), ("pools", "arrays", "data", "bss"))
        )
        return {"flash": {**flash, "total": self.flash}, "ram": {**ram, "total": self.ram}}


def sizes(image: Image, native: Native, model_weights: int) -> Sizes:
    """Measure a firmware image; `model_weights` is the bytes of constants in the model file."""
    arrays = owned(native)
    places = {array.symbol for array in arrays}
    pools = {array.symbol for array in arrays if array.what.startswith("pool ")}
    constants = _constant_bytes(image, ".rodata", places)
    weights = min(model_weights, constants)
    return Sizes(
        code=_constant_bytes(image, ".text", places),
        weights=weights,
        tables=constants - weights,
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
