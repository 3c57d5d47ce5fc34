"""What C and assembly have for sums that become bytes."""

from __future__ import annotations

from ...dialects.simd import Rescaling


def high_half(rescaling: Rescaling) -> str:
    """The instruction that multiplies and adds."""
    return "smmla" if rescaling.floor else "smmlar"


def told(rescaling: Rescaling) -> str:
    """What a comment says of a record."""
    return "multiplier, what is added" + ("" if rescaling.shift is not None else ", shift")


def sources(rescaling: Rescaling) -> str:
    """What a comment says of instructions."""
    return f"{high_half(rescaling).upper()}, {_saturate(rescaling).upper()}"


def high_in_c(rescaling: Rescaling, value: str, total: str) -> str:
    """The high half of a value that has the sign of `total`, with what is added; `record` is the channel's."""
    function = f"simd_multiply_high_{'floor_' if rescaling.floor else ''}add"
    sign = f" + ({total} >> 31)" if rescaling.signed else ""
    return f"{function}({value}, record[0], record[1]{sign})"


def byte_in_c(rescaling: Rescaling) -> str:
    """The byte that becomes of `high`."""
    shift = "record[2]" if rescaling.shift is None else str(rescaling.shift)
    return f"(int8_t)simd_saturate{'_unsigned' if rescaling.unsigned else ''}_8(high >> {shift})"


def _saturate(rescaling: Rescaling) -> str:
    return "usat" if rescaling.unsigned else "ssat"
