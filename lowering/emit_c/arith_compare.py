"""Comparisons and `select` of `arith`."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import MemRefType, i1
from xdsl.ir import SSAValue

from .buffers import Buffer, argument_strides
from .builder import Builder
from .lowering import Lowering, Patterns
from .types import c_type, is_bool, unsigned

_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"lt": ">=", "le": ">", "gt": "<=", "ge": "<"}


def _compare_integers(op: arith.CmpiOp, at: Lowering) -> None:
    build = at.build
    lhs, rhs = at.value(op.lhs), at.value(op.rhs)
    predicate = CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    if predicate in ("eq", "ne"):
        result = build.compare("==" if predicate == "eq" else "!=", lhs, rhs)
    else:
        signed = predicate[0] == "s"
        if is_bool(lhs.type) and signed:
            # Signed i1 is 0 or -1: the order of `bool` turned round.
            lhs, rhs = rhs, lhs
        elif not is_bool(lhs.type) and not signed:
            lhs, rhs = build.cast(lhs, unsigned(lhs.type)), build.cast(rhs, unsigned(rhs.type))
        result = build.compare(_ORDER[predicate[1:]], lhs, rhs)
    at.define(op.result, result)


def _compare_floats(op: arith.CmpfOp, at: Lowering) -> None:
    """C's comparisons are ordered (false for NaN), except `!=`; the others are negations and compositions."""
    c_type(op.lhs.type)
    predicate = CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    at.define(op.result, _float_comparison(at.build, predicate, at.value(op.lhs), at.value(op.rhs)))


def _float_comparison(build: Builder, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    match predicate:
        case "false" | "true":
            return build.constant(int(predicate == "true"), i1)
        case "oeq":
            return build.compare("==", lhs, rhs)
        case "une":
            return build.compare("!=", lhs, rhs)
        case "one":
            return build.logical_or(build.compare("<", lhs, rhs), build.compare(">", lhs, rhs))
        case "ueq":
            return build.logical_not(_float_comparison(build, "one", lhs, rhs))
        case "ord":
            return build.logical_and(build.compare("==", lhs, lhs), build.compare("==", rhs, rhs))
        case "uno":
            return build.logical_or(build.compare("!=", lhs, lhs), build.compare("!=", rhs, rhs))
        case _ if predicate[0] == "o":
            return build.compare(_ORDER[predicate[1:]], lhs, rhs)
        case _:
            return build.logical_not(build.compare(_OPPOSITE[predicate[1:]], lhs, rhs))


def _select(op: arith.SelectOp, at: Lowering) -> None:
    condition, true, false = at.value(op.cond), at.value(op.lhs), at.value(op.rhs)
    chosen = at.build.conditional(condition, true, false)
    type = op.result.type
    if isinstance(type, MemRefType):
        at.define_buffer(op.result, Buffer(chosen, argument_strides(cast("MemRefType", type))))
    else:
        c_type(type)
        at.define(op.result, chosen)


PATTERNS: Patterns = {
    arith.CmpiOp: _compare_integers,
    arith.CmpfOp: _compare_floats,
    arith.SelectOp: _select,
}
