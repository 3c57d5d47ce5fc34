"""MLIR text to IR: what xDSL's parser and verifiers do, and what they leave out."""

from .parser import LocatedParser
from .verify import verify

__all__ = ["LocatedParser", "verify"]
