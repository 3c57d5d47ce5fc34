"""Comments: lines for readers of the C that functions, loops and calls carry."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from ...dialects import emitc
from ...targets.c.comment_text import comment_text
from .lowering import Lowering

COMMENT = "nn.comment"
"""Attribute of a function, a loop or a call: one line that says what it does."""


def put_comment(op: Operation, at: Lowering) -> None:
    """Print what the operation says of itself, if it does."""
    comment = op.attributes.get(COMMENT)
    if isinstance(comment, StringAttr):
        text = comment_text(" ".join(comment.data.split()))
        at.build.add(emitc.VerbatimOp(f"/* {text} */"))
