"""Names in C: what is taken, what is made of other names, and how they stay unique."""

from .reserved import is_file_scope, is_header, is_word
from .rule import identifier, macro_stem, model_identifier, spelled, symbol, unique_identifiers
from .unique import UniqueNames

__all__ = [
    "UniqueNames",
    "identifier",
    "is_file_scope",
    "is_header",
    "is_word",
    "macro_stem",
    "model_identifier",
    "spelled",
    "symbol",
    "unique_identifiers",
]
