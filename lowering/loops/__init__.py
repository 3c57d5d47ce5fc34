"""What `mlir-opt` makes of structured operations, to `scf.for`, loads and stores of scalars: one pass per dialect."""

from .lower_to_loops import LowerToLoopsPass

__all__ = ["LowerToLoopsPass"]
