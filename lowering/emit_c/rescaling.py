"""Words of comments and directives on sums that become bytes."""

from __future__ import annotations

from ...dialects.simd.rescaling import Rescaling
from .c_function import FLOATS


def told(rescaling: Rescaling) -> str:
    """Words of a comment on a record."""
    if rescaling.is_real:
        return "a factor, then for each what its product is added to"
    return "multiplier, what is added" + ("" if rescaling.shift is not None else ", shift")


def sources(rescaling: Rescaling) -> str:
    """Words of a comment on instructions."""
    if rescaling.is_real:
        return "VMLA, USAT16"
    return f"{'SMMLA' if rescaling.floor else 'SMMLAR'}, {'USAT' if rescaling.unsigned else 'SSAT'}"


def needs(rescaling: Rescaling) -> str:
    """What the preprocessor asks for beside the extension."""
    return FLOATS if rescaling.is_real else ""
