"""The operations that take words of bytes apart into lanes, by the sign of the bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import Operation

from ....dialects.simd import UnpackEvenOp, UnpackEvenUnsignedOp, UnpackOddOp, UnpackOddUnsignedOp
from ....dialects.task.products import Factor
from ....dialects.values import Value

Unpacking: TypeAlias = Callable[[Value], Operation]


def unpackings(factor: Factor) -> tuple[Unpacking, Unpacking]:
    """Return the operations that unpack the even and the odd bytes of a factor that lies in bytes."""
    return (UnpackEvenOp, UnpackOddOp) if factor.signed else (UnpackEvenUnsignedOp, UnpackOddUnsignedOp)


def both_lanes(number: int) -> int:
    """The word both of whose lanes are a number."""
    return int.from_bytes((number & 0xFFFF).to_bytes(2, "little") * 2, "little", signed=True)
