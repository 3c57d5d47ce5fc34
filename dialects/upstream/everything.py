"""All additions at once."""

from __future__ import annotations

from . import affine, arith, literals, memref, scf, strings, vector
from .patch import Patch

_FAMILIES = (affine, arith, literals, memref, scf, strings, vector)

PATCHES: tuple[Patch, ...] = tuple(patch for family in _FAMILIES for patch in family.PATCHES)
"""All of them, whether needed or not."""

SUPERSEDED: tuple[str, ...] = tuple(what for family in _FAMILIES for what in family.SUPERSEDED)
"""What xDSL can read by itself by now."""
