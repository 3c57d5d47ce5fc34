"""Steps that make other nests of a nest, carried out."""

from .apply_steps import ApplyStepsPass
from .rewriting import Made, apply_steps, position, remade, rewrites

__all__ = ["ApplyStepsPass", "Made", "apply_steps", "position", "remade", "rewrites"]
