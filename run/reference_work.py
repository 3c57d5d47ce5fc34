"""Work of a reference interpreter in one run of a model, as far as the model says it."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from ..dialects.nn.control_flow import ScanOp, WhileLoopOp
from ..lowering.nn.operator_functions import macs_of
from ..lowering.nn.trip_count import most_rounds

LEAST_IN_LOOPS = 1000
"""Multiplications that an operator in a loop takes the time of, however small it is."""


def reference_work(module: ModuleOp) -> int | None:
    """Multiplications of one run, at most; None where data decide how often a loop runs.

    Args:
        module: the model as operators of `nn`, or as loops where that is what the file has.
    """
    total = 0
    for op in module.walk():
        if isinstance(op, scf.WhileOp):
            return None
        work, parent = macs_of(op), op.parent_op()
        while parent is not None:
            if isinstance(parent, WhileLoopOp | ScanOp):
                rounds = most_rounds(parent) if isinstance(parent, WhileLoopOp) else parent.steps
                if rounds is None:
                    return None
                work = max(work, LEAST_IN_LOOPS) * rounds
            parent = parent.parent_op()
        total += work
    return total
