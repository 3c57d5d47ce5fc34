"""Which options table of the schema belongs to which built-in operator."""

from __future__ import annotations

from functools import cache

from tflite.BuiltinOptions import BuiltinOptions
from tflite.BuiltinOptions2 import BuiltinOptions2
from tflite.utils import BUILTIN_OPCODE2NAME

_SHARED = {
    "AVERAGE_POOL_2D": "Pool2DOptions",
    "BIDIRECTIONAL_SEQUENCE_RNN": "BidirectionalSequenceRNNOptions",
    "CONV_3D_TRANSPOSE": "Conv3DOptions",
    "L2_NORMALIZATION": "L2NormOptions",
    "L2_POOL_2D": "Pool2DOptions",
    "MAXIMUM": "MaximumMinimumOptions",
    "MAX_POOL_2D": "Pool2DOptions",
    "MEAN": "ReducerOptions",
    "MINIMUM": "MaximumMinimumOptions",
    "MULTINOMIAL": "RandomOptions",
    "RANDOM_STANDARD_NORMAL": "RandomOptions",
    "RANDOM_UNIFORM": "RandomOptions",
    "REDUCE_ALL": "ReducerOptions",
    "REDUCE_ANY": "ReducerOptions",
    "REDUCE_MAX": "ReducerOptions",
    "REDUCE_MIN": "ReducerOptions",
    "REDUCE_PROD": "ReducerOptions",
    "SUM": "ReducerOptions",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNNOptions",
}
"""Operators whose table has not their own name."""


def enumerators(enumeration: type) -> dict[int, str]:
    """Names by number of one of the schema's generated enumerations."""
    return {value: name for name, value in vars(enumeration).items() if isinstance(value, int)}


@cache
def options_table(opcode: str) -> str:
    """Name of the options table of a built-in operator; `NONE` if it takes no options or is not known."""
    if opcode in _SHARED:
        return _SHARED[opcode]
    if opcode not in BUILTIN_OPCODE2NAME.values():
        return "NONE"
    wanted = f"{opcode.replace('_', '')}options".lower()
    tables = [*enumerators(BuiltinOptions).values(), *enumerators(BuiltinOptions2).values()]
    return next((name for name in tables if name.lower() == wanted), "NONE")
