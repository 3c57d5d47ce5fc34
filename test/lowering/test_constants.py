"""What nests read of constants."""

from __future__ import annotations

import numpy as np
from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp
from stillpool.driver import pipeline
from stillpool.lowering.constants import elements

NEST = """
func.func private @f(%w: memref<5x7xi32>, %y: memref<NxMxi32>) {
  task.nest space(n = N, m = M)
    finish (%v = %w[AT] : memref<5x7xi32>) {
      task.yield %v : i32
    }
    writes (%y[n, m] : memref<NxMxi32>)
  func.return
}
"""
VALUES = np.arange(35).reshape(5, 7)


def read(n: int, m: int, at: str, dims: tuple[int, ...]) -> np.ndarray:
    """What a nest of `n` times `m` points reads of the values at a place."""
    text = NEST.replace("N", str(n)).replace("M", str(m)).replace("AT", at)
    module = Parser(pipeline.context(), text).parse_module()
    module.verify()
    (nest,) = all_of(module, NestOp)
    return elements(nest, nest.accesses("finish_reads")[0], dims, VALUES)


def test_places_are_sums_of_dimensions() -> None:
    assert (read(3, 4, "n + 2, m + 3", (0, 1)) == VALUES[2:, 3:]).all()
    assert (read(3, 4, "n + 2, m + 3", (1, 0)) == VALUES[2:, 3:].T).all()
    assert (read(5, 2, "4 - n, 3 * m", (0, 1)) == VALUES[::-1, 0:4:3]).all()


def test_other_dimensions_are_at_their_first_place() -> None:
    assert (read(3, 4, "n + 2, m + 3", (1,)) == VALUES[2, 3:]).all()
    assert (read(3, 4, "1, n", (0, 1)) == VALUES[1, :3, None].repeat(4, axis=1)).all()


def test_a_nest_without_points_reads_nothing_wherever_it_would() -> None:
    assert read(0, 4, "n + 100, m + 3000", (1,)).tolist() == [0] * 4
    assert read(0, 4, "n + 100, m + 3000", (0, 1)).shape == (0, 4)
