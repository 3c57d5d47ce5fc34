"""Constraints that are made once say of attributes what xDSL's own say."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl import irdl
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i8,
    i32,
)
from xdsl.dialects.emitc import EmitC_ArrayType, EmitC_OpaqueType, EmitC_PointerType, EmitCTypeConstraint
from xdsl.ir import Attribute
from xdsl.irdl import VerificationContext
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from stillpool.dialects import hints
from stillpool.dialects.emitc import types

HINTS: list[Any] = [ArrayAttr[IntAttr], ArrayAttr[IntegerAttr], IntegerAttr, DenseArrayBase]
ATTRIBUTES: list[Attribute] = [
    ArrayAttr([IntAttr(1)]),
    ArrayAttr([IntegerAttr(1, i32)]),
    ArrayAttr([i8, IntAttr(2)]),
    MemRefType(i8, [2]),
    IntegerAttr(1, i8),
    DenseArrayBase.from_list(i32, [1]),
]


@pytest.mark.parametrize("hint", HINTS)
@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_an_attribute_is_of_a_type_as_before(hint: Any, attribute: Attribute) -> None:
    try:
        hints._made(hint).verify(attribute, VerificationContext())  # pyright: ignore[reportPrivateUsage]
        expected = True
    except VerifyException:
        expected = False
    for _ in range(2):
        assert isa(attribute, hint) == expected


def test_the_constraint_of_a_generic_type_is_made_once() -> None:
    assert irdl.irdl_to_attr_constraint(ArrayAttr[IntAttr]) is irdl.irdl_to_attr_constraint(ArrayAttr[IntAttr])


@pytest.mark.parametrize(
    "type_",
    [
        i32,
        EmitC_OpaqueType(StringAttr("x")),
        EmitC_PointerType(i8),
        EmitC_ArrayType([2], i8),
        FunctionType.from_lists([], []),
    ],
)
def test_types_of_emitc_are_verified_as_before(type_: Attribute) -> None:
    def accepts(verify: Any) -> bool:
        try:
            verify(EmitCTypeConstraint(), type_, VerificationContext())
        except VerifyException:
            return False
        return True

    expected = accepts(types._verify)  # pyright: ignore[reportPrivateUsage]
    assert [accepts(EmitCTypeConstraint.verify) for _ in range(2)] == [expected] * 2
