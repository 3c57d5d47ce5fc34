"""Which operator makes a row next: the deepest one, unless fewer bytes are live when it waits."""

from __future__ import annotations

from itertools import permutations

from branched import ADDED, ROWS, SUMS, WIDER, network

from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.rows.network import Network
from stillpool.transforms.rows.order import ordered, peak_of
from stillpool.transforms.rows.run import Run, Segment
from stillpool.transforms.rows.turns import rearranged
from stillpool.transforms.usmp.analysis.structure import entries


def test_a_branch_that_could_run_ahead_waits() -> None:
    """Wide rows can all be made from the input at once: then each of them is live until its sums are there."""
    made, deepest = network(), Segment(0, 3)
    before = peak_of(made, [deepest])
    (found,) = rearranged(made, [deepest])
    assert peak_of(made, [found]) < before
    steps = ordered(made, [found])
    assert sorted(steps) == [(operator, row) for operator in range(3) for row in range(ROWS)]
    for operator in range(3):
        assert [row for number, row in steps if number == operator] == [*range(ROWS)]


RESIDUAL = """
func.func @residual(%x: memref<8x4xi8> {pool.io = "input"}, %y: memref<8x4xi8> {pool.io = "output"}) {
  %a = memref.alloc() : memref<8x4xi8>
  %b = memref.alloc() : memref<8x4xi8>
  %c = memref.alloc() : memref<8x4xi8>
  %w = memref.alloc() : memref<8x4xi32>
  func.call @sums(%x, %a) : (memref<8x4xi8>, memref<8x4xi8>) -> ()
  func.call @sums(%a, %b) : (memref<8x4xi8>, memref<8x4xi8>) -> ()
  func.call @sums(%b, %c) : (memref<8x4xi8>, memref<8x4xi8>) -> ()
  func.call @wider(%a, %w) : (memref<8x4xi8>, memref<8x4xi32>) -> ()
  func.call @added(%c, %w, %y) : (memref<8x4xi8>, memref<8x4xi32>, memref<8x4xi8>) -> ()
  func.return
}
"""


def test_the_branch_of_a_residual_block_waits_for_the_sum() -> None:
    """Whichever operator is asked first, a wide row comes too soon, or too late: it waits for its sum instead."""
    text = (SUMS + WIDER + ADDED + RESIDUAL).replace("8x4", "32x4").replace("y = 8", "y = 32")
    module = parse(context(), text.encode(), "residual.mlir")
    (entry,) = entries(module)
    made = Network.of(module, entry)
    run = Run(made)
    least = min(run.peak(Segment(0, 5, turns)) or 0 for turns in permutations(range(5)))
    (found,) = rearranged(made, [Segment(0, 5)])
    assert found.is_patient
    assert peak_of(made, [found]) < least


def test_scratch_counts_while_a_step_runs() -> None:
    run, more = (Run(network(scratch)) for scratch in ("", "{pool.scratch = 1000 : i64}"))
    least, most = (each.peak(Segment(0, 3)) for each in (run, more))
    assert least is not None
    assert most is not None
    assert 1000 < most <= least + 1000


def test_a_chain_stays_as_it_is() -> None:
    made = network()
    assert rearranged(made, [Segment(0, 1), Segment(1, 2), Segment(2, 3)]) == [Segment(n, n + 1) for n in range(3)]


def test_an_output_holds_its_bytes_to_the_end() -> None:
    """Also one that is there first, whether anything reads it or not; of all else the last rows go as `z` comes."""
    text = """
    func.func @first(%x: memref<8x4xi8> {pool.io = "input"}, %y: memref<8x4xi8> {pool.io = "output"},
                     %z: memref<8x4xi8> {pool.io = "output"}) {
      %b = memref.alloc() : memref<8x4xi32>
      func.call @sums(%x, %y) : (memref<8x4xi8>, memref<8x4xi8>) -> ()
      func.call @wider(%READ, %b) : (memref<8x4xi8>, memref<8x4xi32>) -> ()
      func.call @added(%x, %b, %z) : (memref<8x4xi8>, memref<8x4xi32>, memref<8x4xi8>) -> ()
      func.return
    }
    """
    for read in ("x", "y"):
        module = parse(context(), (SUMS + WIDER + ADDED + text.replace("READ", read)).encode(), "first.mlir")
        (entry,) = entries(module)
        one_by_one = [Segment(n, n + 1) for n in range(3)]
        assert peak_of(Network.of(module, entry), one_by_one) == 32 + 32 + 4 * 32 + 4
