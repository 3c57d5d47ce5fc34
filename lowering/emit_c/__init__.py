"""Lowering to C constructs: the pass `emit-c`, one file per family of operations that it lowers."""

from .emit_c_pass import EmitCPass

__all__ = ["EmitCPass"]
