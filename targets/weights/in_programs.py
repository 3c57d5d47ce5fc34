"""Constant pools that are files of bytes, in programs that only try a model out: self-tests, and emulated firmware.

There they lie in the flash that the program runs from. Where they lie in a product is the application's business.
"""

from __future__ import annotations

from collections.abc import Sequence

from .assembly import Array, assembly
from .blob import Blob


def test_symbol(blob: Blob) -> str:
    """The array that programs find the contents of a pool in."""
    return f"test_{blob.file.removesuffix('.bin')}"


def test_sources(blobs: Sequence[Blob]) -> dict[str, str]:
    """The texts that define these arrays by file name, for blobs that are pools."""
    return {
        f"{test_symbol(blob)}.S": f"/* Takes in a constant pool for the self-test. */\n{_text(blob)}"
        for blob in blobs
        if blob.pool is not None
    }


def _text(blob: Blob) -> str:
    name = test_symbol(blob)
    array = Array(name, f"const uint8_t {name}[{blob.bytes}]", 0, blob.bytes, blob.alignment)
    return assembly(blob.file, f"{name.upper()}_BIN", [array])
