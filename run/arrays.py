"""Arrays from `.npy` files: a header is believed only as far as the file goes."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import numpy as np

from ..documents import read_bytes
from ..errors import InputError
from .samples import Array

_REMEDY = "inputs are arrays written by numpy.save"


def read_array(path: Path) -> Array:
    """The array of a `.npy` file.

    Raises:
        InputError: it cannot be read, or does not hold one array of numbers.
    """
    try:
        data = read_bytes(path)
    except InputError as error:
        raise InputError(error.message, remedy=error.remedy or _REMEDY) from error
    if data.startswith(b"PK"):
        raise InputError(f"{path} holds several arrays", remedy="inputs are single arrays written by numpy.save")
    stream = io.BytesIO(data)
    shape, is_fortran, dtype = _header(stream, path)
    if dtype.hasobject or not dtype.itemsize or min(shape, default=0) < 0:
        raise InputError(f"cannot read {path}: no array of numbers", remedy=_REMEDY)
    count, there = math.prod(shape), len(data) - stream.tell()
    if count * dtype.itemsize > there:
        raise InputError(
            f"cannot read {path}: its header says {count * dtype.itemsize} bytes, {there} are there", remedy=_REMEDY
        )
    flat = np.frombuffer(data, dtype, count, stream.tell())
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _header(stream: io.BytesIO, path: Path) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        version = np.lib.format.read_magic(stream)
        # Version 3 differs from 2 in what names of fields may hold, of which arrays of numbers have none.
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        return read(stream)
    # NumPy reads the header as a Python expression: what is none raises whatever Python's own parsers do.
    except Exception as error:
        why = " ".join(str(error).split())[:200]
        raise InputError(f"cannot read {path}: {why or type(error).__name__}", remedy=_REMEDY) from error
