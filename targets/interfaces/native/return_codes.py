"""Return codes of the native interface: name, value, meaning."""

from __future__ import annotations

ERRORS = (
    ("NULL_POOL", -1, "the pools argument or one of its pointers is null"),
    ("MISALIGNED_POOL", -2, "a pool does not start at a multiple of its alignment"),
    ("NULL_INPUT", -3, "the inputs argument or one of its pointers is null"),
    ("NULL_OUTPUT", -4, "the outputs argument or one of its pointers is null"),
    ("MISALIGNED_IO", -5, "an input or output does not start at a multiple of its element size"),
)
"""Return codes of `run` other than 0: name, value, meaning."""

DAMAGED_POOL = ("DAMAGED_POOL", -6, "bytes at an end of a pool changed: something writes where it must not")
"""Further codes of `run` when the network guards the ends of its pools."""

NO_SLOT = ("NO_SLOT", -7, "the slot of the inputs is neither 0 nor 1")
"""Further codes of `run` when inputs have two slots."""

STREAMED = (
    ("NULL_STREAM", -8, "the stream argument is null"),
    ("ROW_COUNT", -9, "fewer than 0 rows, or more than the stream still wants: none was taken"),
)
"""Further codes of a model whose input comes row by row."""

EXTERNAL = ("EXTERNAL", -10, "an external function, or a hook of a device, returned a number other than 0")
"""Further codes of `run` when functions of the application compute operators."""

NULL_DEVICES = ("NULL_DEVICES", -11, "the devices argument is null")
"""Further codes of `run` when it takes handles of devices."""
