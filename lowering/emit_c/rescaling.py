"""C and assembly of sums that become bytes."""

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


def high_in_c(rescaling: Rescaling, value: str, total: str) -> str:
    """The high half of a value that has the sign of `total`, with what is added; `record` is the channel's."""
    if rescaling.is_real:
        return f"simd_scale_real({value}, record[0])"
    function = f"simd_multiply_high_{'floor_' if rescaling.floor else ''}add"
    sign = f" + ({total} >> 31)" if rescaling.signed else ""
    return f"{function}({value}, record[0], record[1]{sign})"


def byte_in_c(rescaling: Rescaling) -> str:
    """The byte that becomes of `high`."""
    saturate = f"(int8_t)simd_saturate{'_unsigned' if rescaling.unsigned else ''}_8"
    if rescaling.zero_point is not None:
        return f"{saturate}(high {'-' if rescaling.zero_point < 0 else '+'} {abs(rescaling.zero_point)})"
    shift = "record[2]" if rescaling.shift is None else str(rescaling.shift)
    return f"{saturate}(high >> {shift})"
