"""Steps that make other nests of a nest, carried out."""

from . import order as order
from . import parts as parts
from .fold_zero_point import remove_zero_point
from .rewriting import Made, apply_steps, position, reading, remade, rewrite_nests, rewrites

__all__ = [
    "Made",
    "apply_steps",
    "position",
    "reading",
    "remade",
    "remove_zero_point",
    "rewrite_nests",
    "rewrites",
]
