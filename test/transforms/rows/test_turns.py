"""Which operator makes a row next: the deepest one, unless fewer bytes are live when it waits."""

from __future__ import annotations

from branched import ADDED, ROWS, SUMS, WIDER, network

from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.rows.network import Network
from stillpool.transforms.rows.order import Run, Segment, ordered, peak_of
from stillpool.transforms.rows.turns import rearranged
from stillpool.transforms.usmp.analysis.structure import entries


def test_a_branch_that_could_run_ahead_waits() -> None:
    """Wide rows can all be made from the input at once: then each of them is live until its sums are there."""
    made, deepest = network(), Segment(0, 3)
    before = peak_of(made, [deepest])
    (found,) = rearranged(made, [deepest])
    assert sorted(found.turns) == [0, 1, 2]
    assert found.asked.index(0) < found.asked.index(1)
    assert peak_of(made, [found]) < before
    steps = ordered(made, [found])
    assert sorted(steps) == [(operator, row) for operator in range(3) for row in range(ROWS)]
    for operator in range(3):
        assert [row for number, row in steps if number == operator] == [*range(ROWS)]


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
