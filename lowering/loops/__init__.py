"""Lowering of structured operations as in `mlir-opt`, to `scf.for`, loads and stores: one pass per dialect."""

from .lower_to_loops import LowerToLoopsPass

__all__ = ["LowerToLoopsPass"]
