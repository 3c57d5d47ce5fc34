"""Comments: lines for readers of the C that functions, loops and calls carry."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import emitc, nn_keys
from ...targets.c.comment_text import comment_text
from .lowering import Lowering


def put_comment(op: Operation, at: Lowering) -> None:
    """Print what the operation says of itself, if it does."""
    comment = nn_keys.COMMENT.get(op.attributes)
    if comment is not None:
        text = comment_text(" ".join(comment.split()))
        at.build.add(emitc.VerbatimOp(f"/* {text} */"))
