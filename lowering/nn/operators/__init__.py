"""The lowerings, one file per operator family; importing this package registers them."""

from . import conv, depthwise, elementwise, matmul, pooling, quantise, softmax

__all__ = ["conv", "depthwise", "elementwise", "matmul", "pooling", "quantise", "softmax"]
