"""How a name becomes a C identifier."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .keywords import KEYWORDS
from .reserved import is_declared, is_file_scope, is_header, is_word
from .unique import UniqueNames


def identifier(name: str) -> str:
    """The name of a model, tensor or pool as one C identifier: what is no letter or digit becomes single underscores.

    Never empty, never a word that `is_word` knows, never starting with a digit or an underscore.
    """
    text = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")
    if not text or text[0].isdigit():
        text = f"t{text}"
    return f"{text}_" if text.lower() in KEYWORDS or is_word(text) else text


def macro_stem(name: str) -> str:
    """Form of the identifier `name` within a macro: upper case.

    An underscore that keeps it from being a macro or type of a header is not needed there.
    """
    bare = name.removesuffix("_")
    return (bare if is_declared(bare) and bare.lower() not in KEYWORDS else name).upper()


def model_identifier(name: str) -> str:
    """A model's name as a C identifier, `<name>.h` being no header that the system has."""
    text = identifier(name)
    return f"{text}_" if is_header(text) else text


def symbol(name: str, *, is_external: bool = False) -> str:
    """A symbol of the IR as the nearest C identifier; one that C can have at file scope stays as it is.

    Other characters become `_`; in front of a digit and behind a reserved name stands one more. What is defined
    elsewhere (`is_external`) may be a function of the library.
    """
    text = spelled(name)
    if text[0].isdigit():
        text = f"_{text}"
    return f"{text}_" if (is_word if is_external else is_file_scope)(text) else text


def spelled(name: str) -> str:
    """`name` with `_` for every character that an identifier cannot have."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"


def unique_identifiers(names: Iterable[str], reserved: Iterable[str] = ()) -> list[str]:
    """One identifier per name, distinct from each other and from `reserved` even as parts of macros."""
    unique = UniqueNames(reserved, first=2, key=macro_stem)
    return [unique.fresh(identifier(name)) for name in names]
