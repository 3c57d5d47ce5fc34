"""Writing memref + scf + arith functions from Python: scalars, then loops over them."""

from .loops import Loops
from .scalars import Scalars, Value

__all__ = ["Loops", "Scalars", "Value"]
