"""Python ints are folded; with an SSA value, they take its type."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1, i16, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from stillpool.lowering.builder import Loops


def _loops(type: Attribute) -> tuple[Loops, SSAValue]:
    block = Block(arg_types=[type])
    return Loops(block), block.args[0]


def test_two_ints_are_computed_in_python():
    k, _ = _loops(i32)
    assert (k.add(2, 3), k.sub(2, 3), k.mul(2, 3), k.div(-7, 2), k.max(2, 3), k.min(2, 3)) == (5, -1, 6, -3, 3, 2)
    assert not list(k.block.ops)


@pytest.mark.parametrize("type", [i16, i32, i64, IndexType()])
@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "div", "max", "min", "shift_left", "shift_right", "bit_and", "bit_or", "bit_xor"]
)
@pytest.mark.parametrize("number", [0, 1, 5])
def test_with_an_ssa_value_the_result_has_its_type(type: Attribute, name: str, number: int):
    k, value = _loops(type)
    if name != "div" or number:
        assert getattr(k, name)(value, number).type == type


@pytest.mark.parametrize("name", ["add", "sub", "mul", "max", "shift_left"])
def test_an_int_on_the_left_takes_the_type_too(name: str):
    k, value = _loops(i64)
    assert getattr(k, name)(7, value).type == i64


def test_a_product_with_zero_is_a_constant_of_the_other_type():
    k, value = _loops(i64)
    product = k.mul(value, 0)
    assert isinstance(product, SSAValue)
    assert isinstance(product.owner, arith.ConstantOp)
    assert product.owner.value == IntegerAttr(0, i64)


def test_what_changes_nothing_is_not_emitted():
    k, value = _loops(i32)
    assert k.add(value, 0) is k.sub(value, 0) is k.mul(1, value) is k.div(value, 1) is value
    assert not list(k.block.ops)


def test_an_index_known_at_compile_time_stays_one_as_i32():
    k, value = _loops(IndexType())
    assert k.index_to_i32(3) == 3
    assert k.index_to_i32(value).type == i32


@pytest.mark.parametrize(("condition", "emitted"), [(True, [arith.AddiOp]), (False, [arith.SubiOp])])
def test_a_branch_whose_condition_is_known_emits_one_side(condition: bool, emitted: list[type[Operation]]):
    k, value = _loops(i32)
    k.branch(condition, lambda: _insert(k, arith.AddiOp(value, value)), lambda: _insert(k, arith.SubiOp(value, value)))
    assert [type(op) for op in k.block.ops] == emitted


def test_a_branch_whose_condition_is_computed_emits_both_sides():
    k, value = _loops(i1)
    k.branch(value, lambda: _insert(k, arith.AddiOp(value, value)), lambda: _insert(k, arith.SubiOp(value, value)))
    (branch,) = k.block.ops
    assert [type(region.block.first_op) for region in branch.regions] == [arith.AddiOp, arith.SubiOp]


def _insert(k: Loops, op: Operation) -> None:
    k.builder.insert(op)
