"""A file for the assembler that takes constants in from a file of bytes, so that no compiler reads them as text.

The C preprocessor goes first (`.S`): it knows how symbols and sections of the object format are called. `%progbits`
and `%object` are read by the assemblers of GCC and of Clang for all processors; `@` begins a comment on Arm. The
assembler is never part of link-time optimisation, which loses symbols that `asm` in C defines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_HEAD = """\
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers in {file} are little-endian: compile the model with --weights source for this processor"
#endif
#ifndef {macro}
/* The file, which the assembler finds on the include path; define this if it lies elsewhere. */
#define {macro} "{file}"
#endif

#if defined(__APPLE__) || (defined(_WIN32) && !defined(_WIN64))
#define SYMBOL(name) _##name
#else
#define SYMBOL(name) name
#endif
#if defined(__APPLE__)
#define SECTION(name) .section __TEXT,__const
#define TYPE(name)
#define SIZE(name, bytes)
#elif defined(_WIN32)
#define SECTION(name) .section .rdata,"dr"
#define TYPE(name)
#define SIZE(name, bytes)
#else
#define SECTION(name) .section .rodata.name,"a",%progbits
#define TYPE(name) .type SYMBOL(name), %object
#define SIZE(name, bytes) .size SYMBOL(name), bytes
#endif
"""

_ARRAY = """
/* {declaration} */
SECTION({name})
    .balign {alignment}
    .globl SYMBOL({name})
TYPE({name})
SYMBOL({name}):
    .incbin {macro}, {offset}, {bytes}
SIZE({name}, {bytes})
"""

_END = """
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
"""


@dataclass(frozen=True)
class Array:
    """A constant that C programs refer to by name."""

    name: str
    declaration: str
    """Declaration in C, without a semicolon."""
    offset: int
    """Bytes from the start of the file."""
    bytes: int
    alignment: int


def assembly(file: str, macro: str, arrays: Sequence[Array]) -> str:
    """The text of the `.S` file.

    Args:
        file: name of the file of bytes.
        macro: what programmers define to say where it is.
        arrays: what is in it.
    """
    body = "".join(
        _ARRAY.format(
            declaration=array.declaration,
            name=array.name,
            alignment=array.alignment,
            macro=macro,
            offset=array.offset,
            bytes=array.bytes,
        )
        for array in arrays
    )
    return _HEAD.format(file=file, macro=macro) + body + _END
