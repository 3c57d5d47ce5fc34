"""Copies made in one pass are what xDSL's own are, down to the order of uses."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.builtin import Builtin, FileLineColLoc, IntAttr, ModuleOp, StringAttr, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser

from stillpool.dialects import copying

LOOPS = """
    %a, %b = "test.op"() {x = 1 : i32} : () -> (i32, i32)
    "test.op"(%a) <{prop1 = i32}> ({
      ^first(%c: i32):
        %d = "test.op"(%c, %a) : (i32, i32) -> i32
        "test.termop"(%d)[^last] : (i32) -> ()
      ^last:
        %e = "test.op"(%b, %d) ({
          "test.termop"(%a, %d) : (i32, i32) -> ()
        }) : (i32, i32) -> i32
        "test.termop"(%e) : (i32) -> ()
    }, {}) : (i32) -> ()
    "test.op"(%a, %b) : (i32, i32) -> ()
"""
LATE = """
    "test.op"(%f, %g) ({
      %d = "test.op"(%f) : (i32) -> i32
      "test.termop"(%d) : (i32) -> ()
    }) : (i32, i32) -> ()
    %f = "test.op"(%g) : (i32) -> i32
    %g = "test.op"() : () -> i32
"""


def _uses(op: Operation) -> list[list[tuple[int, int]]]:
    numbers = {inner: number for number, inner in enumerate(op.walk())}
    blocks = [block for inner in numbers for region in inner.regions for block in region.blocks]
    values: list[SSAValue] = [value for inner in numbers for value in inner.results]
    values += [value for block in blocks for value in block.args]
    return [[(numbers[use.operation], use.index) for use in value.uses] for value in values]


def _module(text: str) -> ModuleOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(test.Test)
    return Parser(context, text).parse_module()


@pytest.mark.parametrize("text", [LOOPS, LATE])
def test_a_copy_is_that_of_xdsl(text: str) -> None:
    module = _module(text)
    own, upstream = module.clone(), copying._cloned(module)  # pyright: ignore[reportPrivateUsage]
    assert str(own) == str(upstream)
    assert _uses(own) == _uses(upstream)


def test_what_lies_outside_stays_and_what_is_mapped_is_not() -> None:
    module = _module(LOOPS)
    first, second, last = module.body.block.ops
    other = test.TestOp(result_types=[i32])
    assert tuple(last.clone().operands) == tuple(first.results)
    assert tuple(last.clone({first.results[0]: other.results[0]}).operands) == (other.results[0], first.results[1])
    mapping: dict[SSAValue, SSAValue] = {}
    blocks: dict[Block, Block] = {}
    copy = second.clone(mapping, blocks)
    assert [mapping[arg] for arg in second.regions[0].blocks[0].args] == list(copy.regions[0].blocks[0].args)
    assert [blocks[block] for block in second.regions[0].blocks] == list(copy.regions[0].blocks)


def test_locations_and_names_are_kept_where_asked_for() -> None:
    op = test.TestOp(result_types=[i32])
    op.location = FileLineColLoc(StringAttr("f"), IntAttr(1), IntAttr(2))
    op.results[0].name_hint = "x"
    assert op.clone().location == op.location
    assert op.clone().results[0].name_hint == "x"
    assert op.clone(clone_name_hints=False).results[0].name_hint is None


def test_operands_stay_away_where_asked_for() -> None:
    module = _module(LOOPS)
    assert all(not op.operands for op in module.clone(clone_operands=False).walk())
