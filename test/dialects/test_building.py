"""Operations that are built the short way are what xDSL's own builder makes of the same arguments."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects import arith, func, memref, scf, test
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, SymbolRefAttr, UnitAttr, i32
from xdsl.ir import Block, Region
from xdsl.irdl import IRDLOperation

from stillpool.dialects import building, emitc

A, B = (test.TestOp(result_types=[i32]) for _ in range(2))
BOTH = [A.results[0], B.results[0]]
INDEX = test.TestOp(result_types=[IndexType()]).results[0]
NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])
ARGUMENTS: list[tuple[type[IRDLOperation], dict[str, Any]]] = [
    (arith.AddiOp, {"operands": BOTH, "result_types": [i32], "properties": {"overflowFlags": NSW}}),
    (
        arith.AddiOp,
        {"operands": BOTH, "result_types": [i32], "properties": {"overflowFlags": None}},
    ),
    (arith.AddiOp, {"operands": (A, B), "result_types": (i32,)}),
    (arith.AddiOp, {"operands": [[A], B.results], "result_types": [[i32]], "attributes": {"a": UnitAttr(), "b": None}}),
    (arith.ConstantOp, {"result_types": [i32], "properties": {"value": IntegerAttr(1, i32)}}),
    (scf.YieldOp, {"operands": [[A, *B.results]]}),
    (scf.YieldOp, {"operands": [BOTH]}),
    (scf.YieldOp, {"operands": [A.results]}),
    (scf.YieldOp, {"operands": [A.results[0]]}),
    (scf.YieldOp, {"operands": [None]}),
    (emitc.YieldOp, {"operands": [[]]}),
    (emitc.YieldOp, {"operands": [A.results]}),
    (emitc.YieldOp, {"operands": [A.results[0]]}),
    (emitc.YieldOp, {"operands": [None]}),
    (func.CallOp, {"operands": [BOTH], "result_types": [[i32, i32]], "properties": {"callee": SymbolRefAttr("f")}}),
    (memref.AllocOp, {"operands": [[], []], "result_types": [MemRefType(i32, [2])], "properties": {}}),
    (test.TestOp, {"operands": [[INDEX]], "result_types": [[i32, i32]], "regions": [[]]}),
]
REGION = {"operands": [BOTH], "result_types": [i32]}
"""Beside a region, which only one operation can have."""
WRONG: list[tuple[type[IRDLOperation], dict[str, Any]]] = [
    (arith.AddiOp, {"operands": [*A.results], "result_types": [i32]}),
    (arith.AddiOp, {"operands": [*A.results, None], "result_types": [i32]}),
    (arith.AddiOp, {"operands": BOTH, "result_types": []}),
    (arith.AddiOp, {"operands": [*A.results, BOTH], "result_types": [i32]}),
    (emitc.YieldOp, {"operands": [BOTH]}),
    (emitc.ExpressionOp, {"operands": [BOTH], "result_types": [i32], "regions": []}),
    (arith.AddiOp, {"operands": BOTH, "result_types": [None]}),
    (arith.AddiOp, {"operands": BOTH, "result_types": [i32], "regions": [[]]}),
]


def made(kind: type[IRDLOperation], build: Any, arguments: dict[str, Any]) -> IRDLOperation:
    op = kind.__new__(kind)
    build(op, **arguments)
    return op


@pytest.mark.parametrize(("kind", "arguments"), ARGUMENTS)
def test_the_same_is_built(kind: type[IRDLOperation], arguments: dict[str, Any]) -> None:
    one, other = (
        made(kind, build, arguments)
        for build in (building._built, IRDLOperation.__init__)  # pyright: ignore[reportPrivateUsage]
    )
    assert [*one.operands] == [*other.operands]
    assert one.result_types == other.result_types
    assert (one.properties, one.attributes) == (other.properties, other.attributes)
    assert (len(one.regions), len(one.successors)) == (len(other.regions), len(other.successors))


@pytest.mark.parametrize(("kind", "arguments"), WRONG)
def test_what_is_wrong_is_refused_in_the_same_words(kind: type[IRDLOperation], arguments: dict[str, Any]) -> None:
    said = list[str]()
    for build in (building._built, IRDLOperation.__init__):  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(ValueError, match=r"\w") as error:
            made(kind, build, arguments)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_regions_are_taken() -> None:
    for build in (building._built, IRDLOperation.__init__):  # pyright: ignore[reportPrivateUsage]
        region = Region(Block(arg_types=[i32, i32]))
        assert made(emitc.ExpressionOp, build, {**REGION, "regions": [region]}).regions == (region,)


def test_builders_of_dialects_go_the_short_way() -> None:
    arith.AddiOp(A, B)
    arith.AddiOp(A.results[0], B.results[0])
    known = building._PARTS  # pyright: ignore[reportPrivateUsage]
    made = known[arith.AddiOp]
    assert made is not None
    assert (made.operands, made.results, made.regions) == ((0, 0), (0,), 0)
    memref.AllocOp.get(i32, shape=[2])
    assert known[memref.AllocOp] is None
