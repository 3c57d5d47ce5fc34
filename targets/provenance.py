"""The comment that begins every file of a project: which tool made it, from what, and whose it is.

It states nothing that changes from one run to the next: no time, no folder, no user.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import PurePosixPath

from ..version import __version__
from .interfaces.description import Description
from .interfaces.native import comment_text

LICENCE = "0BSD"
"""SPDX identifier of what stillpool itself writes into a file."""
OF_THE_MODEL = "LicenseRef-Model"
"""SPDX identifier of files that hold little but the model's numbers: the terms of the model, whatever they are."""

PAGE = "https://pypi.org/project/stillpool/"
"""Page for formats that must state one: that of the tool, for the network has none."""

_WIDTH = 110
# In two pieces: tools that read licences of source files would take the sentence for this file's own.
_TAG = "SPDX-License-" + "Identifier:"
_YOURS = (
    "What stillpool wrote here is yours: use, change, sell and license it as you like, without conditions. "
    "What comes from the model, its numbers and names, stays under the terms of the model."
)
_DATA = (
    "These are numbers of the model, under the terms of the model. The authors of stillpool claim nothing in this "
    "file: for their part use, change, sell and license it as you like, without conditions."
)
_BLOCK_COMMENTS = (".c", ".h", ".hpp", ".ino", ".ld", ".overlay", ".S")
_HASH_COMMENTS = (".yml", ".properties", ".mk")
_HASH_COMMENTED = ("CMakeLists.txt", "Makefile", "Kconfig")


def stamped(path: str, text: bytes, models: Sequence[Description] = (), *, is_data: bool = False) -> bytes:
    """A file's text with the statement, in whatever its kind of file has for comments; files without stay as they are.

    Args:
        path: its name; how it ends says what comments look like.
        text: what it holds.
        models: those that it was made from; none of a file that is the same for all models.
        is_data: whether it holds numbers of the models and little else.
    """
    lines = statement(models, is_data=is_data)
    name = PurePosixPath(path)
    if name.suffix in _BLOCK_COMMENTS:
        head = "/* " + "\n * ".join(lines) + " */\n"
    elif name.suffix in _HASH_COMMENTS or name.name in _HASH_COMMENTED:
        head = "".join(f"# {line}\n" for line in lines)
    elif name.suffix == ".pdsc":
        # An instruction to a processor, which may hold two hyphens in a row: a comment of XML may not.
        declaration, _, rest = text.partition(b"\n")
        body = "\n  ".join(lines).replace("?>", "? >")
        return b"".join((declaration, b"\n", f"<?stillpool\n  {body}\n?>\n".encode(), rest))
    elif name.suffix in (".txt", ".md"):
        return b"".join((text, b"\n", "".join(f"{line}\n" for line in lines).encode()))
    else:
        return text
    return head.encode() + text


def statement(models: Sequence[Description], *, is_data: bool = False) -> list[str]:
    """The statement's lines, each of them printable and without an end of a comment."""
    origins = [(model, model.origin) for model in models if model.origin is not None]
    lines = [f"Written by stillpool {__version__}{'' if models else '; the same for all models'}."]
    for model, origin in origins:
        lines += _wrapped(f"Model {model.name}: {origin.file}, SHA-256 {origin.sha256}.")
        lines += _wrapped(f"Options: {' '.join(origin.options) or 'none'}.")
    lines.append(f"{_TAG} {OF_THE_MODEL if is_data else LICENCE}")
    return [*lines, *_wrapped(_DATA if is_data else _YOURS)]


def _wrapped(text: str) -> list[str]:
    # A backslash at the end of a line would join it with the next.
    return [line.rstrip("\\") for line in textwrap.wrap(comment_text(text), _WIDTH, break_on_hyphens=False)]
