"""Operations that are built the short way are what xDSL's own builder makes of the same arguments."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects import arith, memref, scf, test
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, UnitAttr, i32
from xdsl.irdl import IRDLOperation

from stillpool.dialects import building

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
    (memref.AllocOp, {"operands": [[], []], "result_types": [MemRefType(i32, [2])], "properties": {}}),
    (test.TestOp, {"operands": [[INDEX]], "result_types": [[i32, i32]], "regions": [[]]}),
]
WRONG: list[tuple[type[IRDLOperation], dict[str, Any]]] = [
    (arith.AddiOp, {"operands": [*A.results], "result_types": [i32]}),
    (arith.AddiOp, {"operands": [*A.results, None], "result_types": [i32]}),
    (arith.AddiOp, {"operands": BOTH, "result_types": []}),
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


def test_builders_of_dialects_go_the_short_way() -> None:
    arith.AddiOp(A, B)
    arith.AddiOp(A.results[0], B.results[0])
    assert building._COUNTS[arith.AddiOp] == (2, 1)  # pyright: ignore[reportPrivateUsage]
    assert building._COUNTS[scf.YieldOp] is None  # pyright: ignore[reportPrivateUsage]
