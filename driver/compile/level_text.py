"""One level of a model's IR as text."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from .. import pipeline


def level_text(make: Callable[[str], ModuleOp], level: str) -> str:
    """One level as text: MLIR, or for `c` what the target `c` prints of the `emitc` level; `make` gives modules."""
    module = make("emitc" if level == "c" else level)
    stream = StringIO()
    if level == "c":
        pipeline.print_c(module, stream)
    else:
        Printer(stream).print_op(module)
        stream.write("\n")
    return stream.getvalue()
