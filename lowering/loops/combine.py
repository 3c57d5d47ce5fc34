"""Combination of two values in reductions, and the values that these begin with."""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

_OPERATIONS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "addf": arith.AddfOp,
    "addi": arith.AddiOp,
    "andi": arith.AndIOp,
    "maximumf": arith.MaximumfOp,
    "maxnumf": arith.MaxnumfOp,
    "maxs": arith.MaxSIOp,
    "maxu": arith.MaxUIOp,
    "minimumf": arith.MinimumfOp,
    "minnumf": arith.MinnumfOp,
    "mins": arith.MinSIOp,
    "minu": arith.MinUIOp,
    "mulf": arith.MulfOp,
    "muli": arith.MuliOp,
    "ori": arith.OrIOp,
    "xori": arith.XOrIOp,
}

_FLOATS = {
    "addf": 0.0,
    "maximumf": -math.inf,
    "maxnumf": -math.inf,
    "minimumf": math.inf,
    "minnumf": math.inf,
    "mulf": 1.0,
}


def combine(build: Builder, kind: str, left: SSAValue, right: SSAValue) -> SSAValue:
    """Both in one; `kind` is one of upstream's `AtomicRMWKind`s.

    Raises:
        PassFailedException: there is no such reduction.
    """
    if kind not in _OPERATIONS:
        raise PassFailedException(f"reduction '{kind}' cannot be lowered")
    return build.insert(_OPERATIONS[kind](left, right)).results[0]


def neutral(build: Builder, kind: str, type_: Attribute) -> SSAValue:
    """The value that changes no other one when they are combined."""
    if isinstance(type_, AnyFloat):
        value = FloatAttr(_FLOATS.get(kind, 0.0), type_)
    else:
        assert isinstance(type_, IntegerType | IndexType), "reductions are of scalars"
        value = IntegerAttr(_integer(kind, 32 if isinstance(type_, IndexType) else type_.width.data), type_)
    return build.insert(arith.ConstantOp(value)).result


def _integer(kind: str, width: int) -> int:
    match kind:
        case "muli":
            return 1
        case "andi" | "minu":
            return -1
        case "mins":
            return 2 ** (width - 1) - 1
        case "maxs":
            return -(2 ** (width - 1))
        case _:
            return 0
