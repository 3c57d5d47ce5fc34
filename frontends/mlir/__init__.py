"""MLIR text to IR: what xDSL's parser does, with the place in the file kept on every operation."""

from .parser import LocatedParser

__all__ = ["LocatedParser"]
