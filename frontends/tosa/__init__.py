"""TOSA 1.0, as MLIR text or as a flatbuffer, to `nn` IR."""

from .import_tosa import ImportTosaPass

__all__ = ["ImportTosaPass"]
