"""The one list of what names in C must not be, by the place where the name stands."""

from __future__ import annotations

from .headers import FILES, MACRO_SCHEMES, MACROS, OWN, TYPE_SCHEMES, TYPES
from .keywords import KEYWORDS
from .library import FUNCTIONS


def is_word(name: str) -> bool:
    """Whether `name` can name nothing at all: a keyword, or a macro or type of a header that the code includes."""
    return name in KEYWORDS or is_declared(name)


def is_declared(name: str) -> bool:
    """Whether `name` is a macro or type of a header that the code includes."""
    return (
        name in MACROS
        or name in TYPES
        or name in OWN
        or MACRO_SCHEMES.fullmatch(name) is not None
        or TYPE_SCHEMES.fullmatch(name) is not None
    )


def is_file_scope(name: str) -> bool:
    """Whether `name` is taken at file scope, where functions and globals are: a word, or a function of the library."""
    return is_word(name) or name in FUNCTIONS


def is_header(name: str) -> bool:
    """Whether `<name>.h` is a header of the system or of stillpool; file systems may not tell cases apart."""
    return name.lower() in FILES
