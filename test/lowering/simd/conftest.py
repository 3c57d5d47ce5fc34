"""Modules that MLIR runs behind `lower-simd`."""

from mlir_agreement import agree as agree
