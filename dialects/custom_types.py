"""Element types that the application's C functions may be given."""

from __future__ import annotations

TYPES = ("float32", "int8", "uint8", "int16", "int32", "int64", "bool")
"""Their names, in the order of the C enumeration."""
