"""Steps that make other nests of a nest, carried out."""

from . import fold_zero_point as fold_zero_point
from . import order as order
from . import parts as parts
from .rewriting import Made, apply_steps, position, remade, rewrite_nests, rewrites

__all__ = ["Made", "apply_steps", "position", "remade", "rewrite_nests", "rewrites"]
