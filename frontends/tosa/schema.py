"""Numbers of TOSA's flatbuffer schema: element types, and operators with the fields of their attributes.

Source: `tosa.fbs` of TOSA's serialization library 1.0. Fields of tables are counted from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum, auto
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerType, f16, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute

IDENTIFIER = b"TOSA"
"""Bytes 4 to 7 of every file."""

MAJOR = 1
"""The only major version that is read."""

ELEMENTS: Mapping[int, Attribute] = {
    1: i1,
    2: IntegerType(4),
    3: i8,
    4: i16,
    5: i32,
    6: IntegerType(48),
    7: f32,
    8: f16,
    17: i64,
}
"""Element types that MLIR has, by number."""
SHAPE = 10
"""Number of the type of shapes."""
UNKNOWN_ELEMENTS: Mapping[int, str] = {
    9: "BF16",
    11: "FP8E4M3",
    12: "FP8E5M2",
    13: "FP6E2M3",
    14: "FP6E3M2",
    15: "FP4E2M1",
    16: "FP8UE8M0",
    18: "MXINT8",
}


class Kind(StrEnum):
    """Type of a field of an attribute table."""

    AXIS = auto()
    """A number of 32 bits."""
    FLAG = auto()
    """A truth value."""
    WINDOW = auto()
    """Integers, which MLIR has in 64 bits."""
    ORDER = auto()
    """Integers, which MLIR has in 32 bits."""
    TYPE = auto()
    """An element type."""
    NAN = auto()
    """How NaN is treated."""
    ROUNDING = auto()
    """How products are rounded."""
    RESIZING = auto()
    """How elements between others are found."""
    NUMBER = auto()
    """A number of the operand's element type, as bytes."""
    NAME = auto()
    """A string."""
    TEXT = auto()
    """Bytes."""
    REGION = auto()
    """The name of a region."""


class Field(NamedTuple):
    """A field: its name in MLIR and what it holds."""

    name: str
    kind: Kind


class Entry(NamedTuple):
    """An operator: its name in MLIR, and the fields of its attribute in order."""

    name: str
    fields: Sequence[Field] = ()


_AXIS = (Field("axis", Kind.AXIS),)
_NAN = Field("nan_mode", Kind.NAN)
_ACC = Field("acc_type", Kind.TYPE)
_LOCAL = Field("local_bound", Kind.FLAG)
_CONV = (
    *(Field(name, Kind.WINDOW) for name in ("pad", "stride", "dilation")),
    _LOCAL,
    _ACC,
)
_POOL = tuple(Field(name, Kind.WINDOW) for name in ("kernel", "stride", "pad"))

OPERATORS: Mapping[int, Entry] = {
    1: Entry("argmax", (*_AXIS, _NAN)),
    2: Entry("avg_pool2d", (*_POOL, _ACC)),
    3: Entry("conv2d", _CONV),
    4: Entry("conv3d", _CONV),
    5: Entry("depthwise_conv2d", _CONV),
    6: Entry("fft2d", (Field("inverse", Kind.FLAG), _LOCAL)),
    7: Entry("matmul"),
    8: Entry("max_pool2d", (*_POOL, _NAN)),
    9: Entry("rfft2d", (_LOCAL,)),
    10: Entry("transpose_conv2d", (Field("out_pad", Kind.WINDOW), Field("stride", Kind.WINDOW), _LOCAL, _ACC)),
    11: Entry("clamp", (Field("min_val", Kind.NUMBER), Field("max_val", Kind.NUMBER), _NAN)),
    12: Entry("erf"),
    13: Entry("sigmoid"),
    14: Entry("tanh"),
    15: Entry("add"),
    16: Entry("arithmetic_right_shift", (Field("round", Kind.FLAG),)),
    17: Entry("bitwise_and"),
    18: Entry("bitwise_or"),
    19: Entry("bitwise_xor"),
    20: Entry("intdiv"),
    21: Entry("logical_and"),
    22: Entry("logical_left_shift"),
    23: Entry("logical_right_shift"),
    24: Entry("logical_or"),
    25: Entry("logical_xor"),
    26: Entry("maximum", (_NAN,)),
    27: Entry("minimum", (_NAN,)),
    28: Entry("mul"),
    29: Entry("pow"),
    30: Entry("sub"),
    31: Entry("table"),
    32: Entry("abs"),
    33: Entry("bitwise_not"),
    34: Entry("ceil"),
    35: Entry("clz"),
    36: Entry("cos"),
    37: Entry("exp"),
    38: Entry("floor"),
    39: Entry("log"),
    40: Entry("logical_not"),
    41: Entry("negate"),
    42: Entry("reciprocal"),
    43: Entry("rsqrt"),
    44: Entry("sin"),
    45: Entry("select"),
    46: Entry("equal"),
    47: Entry("greater"),
    48: Entry("greater_equal"),
    49: Entry("reduce_all", _AXIS),
    50: Entry("reduce_any", _AXIS),
    51: Entry("reduce_max", (*_AXIS, _NAN)),
    52: Entry("reduce_min", (*_AXIS, _NAN)),
    53: Entry("reduce_product", _AXIS),
    54: Entry("reduce_sum", _AXIS),
    55: Entry("concat", _AXIS),
    56: Entry("pad"),
    57: Entry("reshape"),
    58: Entry("reverse", _AXIS),
    59: Entry("slice"),
    60: Entry("tile"),
    61: Entry("transpose", (Field("perms", Kind.ORDER),)),
    62: Entry("gather"),
    63: Entry("scatter"),
    64: Entry("resize", (Field("mode", Kind.RESIZING),)),
    65: Entry("cast"),
    66: Entry(
        "rescale",
        (
            Field("scale32", Kind.FLAG),
            Field("rounding_mode", Kind.ROUNDING),
            *(Field(name, Kind.FLAG) for name in ("per_channel", "input_unsigned", "output_unsigned")),
        ),
    ),
    67: Entry("const"),
    68: Entry("identity"),
    69: Entry(
        "custom",
        (Field("operator_name", Kind.NAME), Field("domain_name", Kind.NAME), Field("implementation_attrs", Kind.TEXT)),
    ),
    70: Entry("cond_if", (Field("then_graph", Kind.REGION), Field("else_graph", Kind.REGION))),
    71: Entry("while_loop", (Field("cond_graph", Kind.REGION), Field("body_graph", Kind.REGION))),
    72: Entry("variable"),
    73: Entry("variable_write"),
    74: Entry("variable_read"),
    75: Entry("const_shape"),
}
"""Operators of TOSA 1.0, by number; the union of attributes has the same numbers."""

NAN_MODES = {1: "PROPAGATE", 2: "IGNORE"}
RESIZE_MODES = {1: "NEAREST_NEIGHBOR", 2: "BILINEAR"}
ROUNDING_MODES = {1: "SINGLE_ROUND", 2: "INEXACT_ROUND", 3: "DOUBLE_ROUND"}
