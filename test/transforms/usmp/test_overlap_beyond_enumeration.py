"""Loops of more points than are enumerated: nothing is known of the order within, so an output overlaps nothing."""

from __future__ import annotations

import pytest
from xdsl.dialects import func

from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.usmp.analysis import overlap_distance

BYTES = 24
COPY = """
func.func @copy(%in: memref<24xi8>, %out: memref<24xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 24 : index
  scf.for %i = %zero to %n step %one {
    %0 = memref.load %in[%i] : memref<24xi8>
    memref.store %0, %out[%i] : memref<24xi8>
  }
  func.return
}
"""


@pytest.mark.parametrize(
    ("most", "least"),
    [
        pytest.param(BYTES, 0, id="enumerated"),
        # The last byte is written before the first one is read, for all that is known.
        pytest.param(BYTES - 1, BYTES, id="one moment"),
    ],
)
def test_distance(most: int, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlap_distance, "MOST_POINTS", most)
    (copy,) = parse(context(), COPY.encode(), "copy.mlir").ops
    assert isinstance(copy, func.FuncOp)
    given, output = copy.args
    assert overlap_distance.Walks(copy).distance(given, output) == least
