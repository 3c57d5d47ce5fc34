"""Networks that a program builds from arrays."""

from .network import Network, Scale, Tensor

__all__ = ["Network", "Scale", "Tensor"]
