"""Sparse constants: damaged trees are refused, whole ones stand for the right matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stillpool.frontends.tflite.sparsity import Level, Sparsity, SparsityError, densify

# Rows are dense; in row 0 column 2 is stored, in row 1 nothing, in row 2 columns 0 and 1.
ROWS = Sparsity((0, 1), (), (Level(3, None), Level(0, (0, 1, 1, 3), (2, 0, 1))))
STORED = np.array([7, 8, 9], np.int16).tobytes()


def test_compressed_rows() -> None:
    dense = np.frombuffer(densify((3, 4), 2, STORED, ROWS), np.int16).reshape(3, 4)
    assert dense.tolist() == [[0, 0, 7, 0], [0, 0, 0, 0], [8, 9, 0, 0]]


def test_blocks_of_two_columns() -> None:
    blocks = Sparsity((0, 1, 2), (1,), (Level(2, None), Level(0, (0, 1, 2), (1, 0)), Level(2, None)))
    dense = np.frombuffer(densify((2, 4), 1, bytes([1, 2, 3, 4]), blocks), np.uint8).reshape(2, 4)
    assert dense.tolist() == [[0, 0, 1, 2], [3, 4, 0, 0]]


@pytest.mark.parametrize(
    ("sparsity", "reason"),
    [
        (replace(ROWS, order=(0, 0)), "do not fit 2 dimensions"),
        (replace(ROWS, blocked=(5,), order=(0, 1, 2)), "2 levels in the order"),
        (replace(ROWS, levels=(Level(1 << 40, None), ROWS.levels[1])), "1099511627776 indices for each of 1 nodes"),
        (replace(ROWS, levels=(Level(3, None), Level(0, (0, 1), (2,)))), "do not fit the level above"),
        (replace(ROWS, levels=(Level(3, None), Level(0, (0, 2, 1, 3), (2, 0, 1)))), "do not fit the level above"),
        (replace(ROWS, levels=(Level(3, None), Level(0, (0, 1, 1, 9), (2, 0, 1)))), "lists end at 9"),
        (replace(ROWS, levels=(Level(3, None), Level(0, (0, 1, 1, 3), (2, 0, 4)))), "leaves the dimension of 4"),
        (replace(ROWS, levels=(Level(3, None), Level(0, (0, 1, 1, 2), (2, 0)))), "stored for 2 elements"),
    ],
)
def test_damaged_trees(sparsity: Sparsity, reason: str) -> None:
    with pytest.raises(SparsityError, match=reason):
        densify((3, 4), 2, STORED, sparsity)
