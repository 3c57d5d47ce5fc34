"""From `nn` on tensors to memref + scf + arith + fx."""

from .lower_nn import LowerNnPass

__all__ = ["LowerNnPass"]
