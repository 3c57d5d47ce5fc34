"""Modules through `mlir-opt`."""

from mlir_agreement import agree as agree
