"""Vectors to scalars: the pass `lower-vector-to-scalar`, one file per family of operations."""

from .lower_vector_to_scalar import LowerVectorToScalarPass

__all__ = ["LowerVectorToScalarPass"]
