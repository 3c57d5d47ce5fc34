"""Operators whose results are as large as values say are refused with that reason."""

from __future__ import annotations

import pytest
from tflite_build import Tensor, one_operator

from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite


def test_where_of_one_operand_says_why() -> None:
    model = one_operator("WHERE", None, [Tensor((4,), "bool")], Tensor((4, 1), "int64"))
    with pytest.raises(UnsupportedError, match="decide the size of its result"):
        import_tflite(model, "where.tflite")
