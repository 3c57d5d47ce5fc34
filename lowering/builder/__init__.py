"""Writing memref + scf + arith functions from Python: scalars, then loops over them."""

from .flat import flat, place_of
from .folding import Condition
from .loops import Loops
from .scalars import Scalars, Value

__all__ = ["Condition", "Loops", "Scalars", "Value", "flat", "place_of"]
