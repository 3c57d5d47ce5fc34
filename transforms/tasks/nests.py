"""The nests that passes of this room rewrite: all but those that were chosen to stay as they are."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects.operations import all_of
from ...dialects.task import NestOp
from ...lowering.schedule.variants import Variant, form_of


def nests_to_rewrite(module: ModuleOp) -> list[tuple[NestOp, Variant]]:
    """The nests of a module in order, each with its form; nests without one are to be as fast as they can.

    Raises:
        PassFailedException: a form is unknown.
    """
    found = [(op, form_of(op, Variant.FAST)) for op in all_of(module, NestOp)]
    return [(nest, form) for nest, form in found if form is not Variant.PLAIN]
