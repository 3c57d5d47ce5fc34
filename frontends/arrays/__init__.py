"""Networks that a program builds from arrays."""

from .network import Network, Tensor
from .scale import Scale

__all__ = ["Network", "Scale", "Tensor"]
