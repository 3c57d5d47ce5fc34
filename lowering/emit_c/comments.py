"""Comments: lines for readers of the C that functions, loops and calls carry."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import emitc, nn_keys
from ...targets.c.comment_text import comment_text
from .lowering import Lowering


def put_comment(op: Operation, at: Lowering, otherwise: str | None = None) -> None:
    """Print what the operation says of itself, or else `otherwise`."""
    comment = nn_keys.COMMENT.get(op.attributes) or otherwise
    if comment is not None:
        put_text(comment, at)


def put_text(comment: str, at: Lowering) -> None:
    """Print a comment of one line."""
    text = comment_text(" ".join(comment.split()))
    at.build.add(emitc.VerbatimOp(f"/* {text} */"))
