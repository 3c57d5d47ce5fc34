"""Loops and branches of kernels: their labels, and the instructions that they are."""

from __future__ import annotations

from kernel_runs import allocated

from stillpool.dialects.simd.rescaling import Rescaling
from stillpool.lowering.kernels.armv7em.dual_products import Walk, dual_bytes
from stillpool.lowering.kernels.thumb import Counts, KernelOp, text
from stillpool.lowering.kernels.thumb.control import LoopOp, UnlessOp, UntilOp, YieldOp


def test_instructions_are_counted() -> None:
    kernel = allocated(dual_bytes(Walk(4, 2), 1, Rescaling(False, False, 5), shares=False))
    counts = Counts(kernel)
    _, *written = [line for line in text(kernel).splitlines() if not line.endswith(":")]
    assert counts.standing == len(written) + len(kernel.body.block.args)
    # Each of two blocks, of 14 words in loops of 4: a word is 11 instructions, a pass 3 more.
    once = counts.run((1, 1))
    assert counts.run((1, 3)) - once == 2 * (4 * 11 + 3)
    assert counts.run((2, 3)) - counts.run((1, 3)) == counts.run((1, 3)) - (counts.run((0, 3)))


def test_loops_around_what_may_not_run_have_labels_of_their_own() -> None:
    """A loop whose label was that of a branch inside of it jumped to the branch's end."""
    kernel = KernelOp("r0", "r1")
    with kernel.filled() as (place, end):
        loop = LoopOp(place)
        with loop.filled() as (place,):
            unless = UnlessOp(place, end, place)
            with unless.filled():
                YieldOp(place)
            UntilOp(unless.results[0], end, unless.results[0])
    assert text(kernel).splitlines()[1:] == ["2:", "cmp r0,r1", "beq 1f", "1:", "cmp r0,r1", "bne 2b"]
