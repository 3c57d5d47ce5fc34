"""Kernels of MVE as C: values are variables or parts of expressions."""

from __future__ import annotations

import pytest
from xdsl.dialects.ptr import PtrAddOp
from xdsl.dialects.scf import ForOp
from xdsl.utils.exceptions import VerifyException

from stillpool.dialects.operations import all_of
from stillpool.lowering.kernels.mve import instructions as mve
from stillpool.lowering.kernels.mve.kernels import lanewise, rounding_shift_right, sum_products, sum_window
from stillpool.lowering.kernels.mve.printing import body


def test_names_are_variables() -> None:
    """Only what is new is declared; what is returned has the type of the function."""
    assert body(lanewise(rounding_shift_right), "four").splitlines() == [
        "int32x4_t left = vnegq_s32(rhs);",
        "int32x4_t nudge = vshrq_n_s32(vandq_s32(lhs, left), 31);",
        "return vrshlq_s32(vqaddq_s32(lhs, nudge), left);",
    ]
    lines = body(sum_products(), "four").splitlines()
    assert "four sums = vdupq_n_s32(sum0);" in lines
    assert "sums = vsetq_lane_s32(sum1, sums, 1);" in lines


def test_parentheses_stand_where_they_must() -> None:
    assert "elements += row - 2 * column;" in body(sum_window(2, 3), "four")
    text = body(sum_products(), "four")
    assert "if (count % 16 != 0) {\n  int8x16_t x = vldrbq_z_s8(bytes, vctp8q((uint32_t)(count % 16)));" in text


def test_a_variable_that_has_changed_is_not_read() -> None:
    """What is part of an expression is computed where it stands, when pointers may have moved on."""
    kernel = sum_window(1, 2)
    total, move = all_of(kernel, mve.vaddq_s32)[0], all_of(kernel, PtrAddOp)[0]
    total.detach()
    kernel.body.block.insert_op_after(total, move)
    with pytest.raises(VerifyException, match="elements has something else than what is read"):
        body(kernel, "four")


def test_a_loop_carries_what_it_changes() -> None:
    kernel = sum_products()
    (loop,) = all_of(kernel, ForOp)
    loop.res[2].name_hint = "sum7"
    with pytest.raises(VerifyException, match="sum0 is not the variable sum7"):
        body(kernel, "four")


def test_a_loop_leaves_other_variables_as_they_are() -> None:
    """Its next pass would read what this one left there."""
    kernel = sum_products()
    (loop,) = all_of(kernel, ForOp)
    all_of(loop, mve.vldrbq_s8)[0].result.name_hint = "count"
    with pytest.raises(VerifyException, match="a block changes a variable that it does not carry"):
        body(kernel, "four")
