"""Memory pools as the command line and Python callers write them: `NAME[:kind=KIND,size=BYTES,align=N,...]`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp
from ...errors import UsageError
from ...machines.boards.board import MEMORY_NAME, SECTION_NAME

_SIZE = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([kKmM](?:i?[bB])?)?")
_FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20}
_BANDWIDTHS = ("read_bandwidth", "write_bandwidth")
_COSTS = (*_BANDWIDTHS, "read_latency", "write_latency", "burst")
_PROPERTIES = ("kind", "size", "align", "section", "address", *_COSTS)
PoolKind = Literal["workspace", "constant", "state"]
"""Kinds of pools that users name; a pool of state is a persistent workspace pool in the IR."""
POOL_KINDS: tuple[str, ...] = get_args(PoolKind)


@dataclass(frozen=True)
class PoolSpec:
    """A pool that the user asked for; sizes in bytes, costs as `pool.declare` has them."""

    name: str
    kind: PoolKind = "workspace"
    size: int | None = None
    align: int | None = None
    section: str | None = None
    costs: tuple[tuple[str, float], ...] = field(default=())
    address: int | None = None
    """Where the memory begins that the section is in; the linker needs it, the plan does not."""

    def __str__(self) -> str:
        """The pool as `parse_pool` reads it."""
        values = {"size": self.size, "align": self.align, "section": self.section, **dict(self.costs)}
        values["address"] = None if self.address is None else hex(self.address)
        given = [f"{key}={value}" for key, value in values.items() if value is not None]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def declare(self) -> DeclareOp:
        """The declaration in the IR."""
        from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f64, i64

        is_state = self.kind == "state"
        kind = Kind.WORKSPACE if is_state else Kind(self.kind)
        op = DeclareOp(self.name, kind, limit=self.size, align=self.align, section=self.section, persistent=is_state)
        for name, value in self.costs:
            op.properties[name] = FloatAttr(value, f64) if name in _BANDWIDTHS else IntegerAttr(int(value), i64)
        return op


MOST_BYTES = 1 << 63
"""Numbers of bytes are smaller: the IR holds them in 64 bits."""


def parse_bytes(text: str, where: str) -> int:
    """A number of bytes: decimal or hexadecimal, with an optional `K` (1024) or `M` (1048576).

    Raises:
        UsageError: `text` is not such a number; `where` says whose.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"{where}: '{text}' is not a number of bytes", remedy="write for example 65536, 0x10000 or 64K"
        )
    number, suffix = match.groups()
    base = 16 if number[1:2] in ("x", "X") else 10
    # Python refuses to read some thousand digits.
    count = MOST_BYTES if len(number) > 20 else int(number, base) * _FACTORS[(suffix or "")[:1].lower()]
    if count >= MOST_BYTES:
        raise UsageError(f"{where}: '{text[:40]}' is more than any memory has")
    return count


def _rate(text: str, where: str) -> float:
    """Bytes per processor cycle.

    Raises:
        UsageError: `text` is no positive number.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise UsageError(f"{where}: '{text}' is not a positive number of bytes per processor cycle")
    return value


def parse_pool(text: str, kind: PoolKind | None = None) -> PoolSpec:
    """Read one pool.

    Args:
        text: `NAME[:KEY=VALUE,...]`.
        kind: the kind of the pool; None if its text says it, or if it is a workspace pool.

    Raises:
        UsageError: a malformed name, an unknown or repeated key, a bad value, or another kind than `kind`.
    """
    name, _, rest = text.partition(":")
    if not MEMORY_NAME.fullmatch(name):
        raise UsageError(f"pool '{text}': a pool's name is letters, digits and underscores and starts with a letter")
    values: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or key not in _PROPERTIES:
            known = ", ".join(_PROPERTIES)
            raise UsageError(
                f"pool '{name}': unknown property '{item}'", remedy=f"known are {known}, each as key=value"
            )
        if key in values:
            raise UsageError(f"pool '{name}': property '{key}' is given twice")
        values[key] = value.strip()
    rates = {key: _rate(value, f"pool '{name}', {key}") for key, value in values.items() if key in _BANDWIDTHS}
    numbers = {
        key: parse_bytes(value, f"pool '{name}', {key}")
        for key, value in values.items()
        if key not in ("kind", "section") and key not in rates
    }
    align = numbers.get("align")
    if align is not None and (align < 1 or align & (align - 1)):
        raise UsageError(f"pool '{name}': alignment {align} is not a power of two")
    section = values.get("section")
    if section is not None and not SECTION_NAME.fullmatch(section):
        raise UsageError(f"pool '{name}': '{section}' is not the name of a linker section")
    if "address" in numbers and section is None:
        raise UsageError(f"pool '{name}': an address has no effect without a section", remedy="give section=NAME too")
    said = values.get("kind", kind or "workspace")
    if said not in POOL_KINDS:
        raise UsageError(f"pool '{name}': kind '{said}' is none of {', '.join(POOL_KINDS)}")
    if kind is not None and said != kind:
        raise UsageError(f"pool '{name}': kind={said} in a {kind} pool", remedy="leave out the kind, or use --pool")
    costs = tuple((key, (rates | numbers)[key]) for key in _COSTS if key in rates or key in numbers)
    return PoolSpec(name, cast("PoolKind", said), numbers.get("size"), align, section, costs, numbers.get("address"))


def distinct(pools: Iterable[PoolSpec]) -> tuple[PoolSpec, ...]:
    """Return the pools.

    Raises:
        UsageError: two have one name.
    """
    result = tuple(pools)
    names = [pool.name.upper() for pool in result]
    for pool in result:
        if names.count(pool.name.upper()) > 1:
            raise UsageError(f"pool '{pool.name}' is declared twice", remedy="pool names must differ in more than case")
    return result
