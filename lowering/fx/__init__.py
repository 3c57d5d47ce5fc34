"""From `fx` to calls of small functions in `arith`."""

from .lower_fx import LowerFxPass

__all__ = ["LowerFxPass"]
