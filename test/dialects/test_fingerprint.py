"""Two functions have one fingerprint if they have one text, and only then."""

from __future__ import annotations

from itertools import combinations

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.parser import Parser

from stillpool.dialects.fingerprint import fingerprint
from stillpool.driver.pipeline import context

BODIES = [
    "(%x: i32) -> i32 { func.return %x : i32 }",
    "(%y: i32) -> i32 { func.return %y : i32 }",
    "(%x: i64) -> i64 { func.return %x : i64 }",
    "(%x: i32) -> i32 attributes {a} { func.return %x : i32 }",
    "(%x: i32, %y: i32) -> i32 { func.return %x : i32 }",
    "(%x: i32, %y: i32) -> i32 { func.return %y : i32 }",
    "(%x: i32) -> i32 { %c = arith.constant 1 : i32 func.return %x : i32 }",
    "(%x: i32) -> i32 { %c = arith.constant 1 : i32 func.return %c : i32 }",
    "(%x: i32) -> i32 { %c = arith.constant 2 : i32 func.return %c : i32 }",
    "(%x: i32) -> i32 { %d = arith.constant 2 : i32 func.return %d : i32 }",
    "(%x: i32) -> i32 { %c = arith.addi %x, %x : i32 func.return %c : i32 }",
    "(%x: i32) -> i32 { %c = arith.muli %x, %x : i32 func.return %c : i32 }",
    "(%c: i1) { scf.if %c { scf.if %c {} } func.return }",
    "(%c: i1) { scf.if %c {} scf.if %c {} func.return }",
    "(%c: i1) { scf.if %c {} else { scf.if %c {} } func.return }",
    "(%c: i1) { cf.cond_br %c, ^a, ^b ^a: func.return ^b: func.return }",
    "(%c: i1) { cf.cond_br %c, ^a, ^a ^a: func.return ^b: func.return }",
    "(%c: i1) { cf.cond_br %c, ^b, ^a ^a: func.return ^b: func.return }",
    *(
        "() -> i32 { cf.br ^b ^a: func.return %" + used + " : i32 "
        "^b: %x = arith.constant 1 : i32 %y = arith.constant 1 : i32 cf.br ^a }"
        for used in "xy"
    ),
]


def functions(body: str) -> list[func.FuncOp]:
    """Two functions of one text."""
    module = Parser(context(), f"func.func @f{body}\nfunc.func @g{body}").parse_module()
    made = [op for op in module.ops if isinstance(op, func.FuncOp)]
    for function in made:
        function.sym_name = StringAttr("same")
    return made


@pytest.mark.parametrize("body", BODIES)
def test_equal_text_has_one_fingerprint(body: str) -> None:
    first, second = functions(body)
    assert str(first) == str(second)
    assert fingerprint(first) == fingerprint(second) == fingerprint(first.clone())


def test_different_text_has_different_fingerprints() -> None:
    made = [functions(body)[0] for body in BODIES]
    for one, other in combinations(made, 2):
        assert (str(one) == str(other)) == (fingerprint(one) == fingerprint(other)), f"{one}\n{other}"
