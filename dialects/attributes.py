"""Attributes are made and checked without detours.

xDSL 0.74 asks of each attribute which parameters its class defines, whether it is one at all, and of each memref
whether its extents are an attribute already: half of what making one takes.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntAttr, MemRefType, NoneAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute

_Parts = tuple[tuple[str, Callable[[Any], Attribute] | None], ...]

_made = ParametrizedAttribute.__init__
_PARTS: dict[type[ParametrizedAttribute], _Parts] = {}
"""Parameters of attributes, with what makes an attribute of each, if anything."""
_KINDS: set[type[Attribute]] = set()
"""Classes that attributes may be of."""
_NONE = NoneAttr()


def _parts(kind: type[ParametrizedAttribute]) -> _Parts:
    found = tuple((name, part.converter) for name, part in kind.get_irdl_definition().parameters)
    _PARTS[kind] = found
    return found


def _make(self: ParametrizedAttribute, *parameters: Any) -> None:
    kind = self.__class__
    parts = _PARTS[kind] if kind in _PARTS else _parts(kind)
    if len(parts) != len(parameters):
        _made(self, *parameters)
    for (name, convert), given in zip(parts, parameters, strict=True):
        object.__setattr__(self, name, given if convert is None else convert(given))
    self.__post_init__()


def _verify(self: ParametrizedAttribute) -> None:
    self.get_irdl_definition().verify(self)
    self.verify()


def _check(self: Attribute) -> None:
    self._verify()
    kind = self.__class__
    if kind not in _KINDS:
        if not issubclass(kind, (Data, ParametrizedAttribute)):
            raise TypeError("Attributes should only be Data or ParametrizedAttribute")
        _KINDS.add(kind)


@lru_cache(maxsize=1 << 12)
def _extents(shape: tuple[int | IntAttr, ...]) -> ArrayAttr[IntAttr]:
    return ArrayAttr([IntAttr(extent) if isinstance(extent, int) else extent for extent in shape])


def _make_memref(
    self: MemRefType,
    element_type: Attribute,
    shape: ArrayAttr[IntAttr] | Iterable[int | IntAttr],
    layout: Any = _NONE,
    memory_space: Attribute = _NONE,
) -> None:
    extents = shape if isinstance(shape, ArrayAttr) else _extents(tuple(shape))
    _make(self, extents, element_type, layout, memory_space)


ParametrizedAttribute.__init__ = _make
ParametrizedAttribute._verify = _verify
Attribute.__post_init__ = _check
MemRefType.__init__ = _make_memref
