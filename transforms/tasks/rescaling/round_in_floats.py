"""The pass `round-in-floats`: nests that stay as they are round as ONNX does in floats, where these are exact.

It is for processors that have float32.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.fx import RescaleRealOp
from ....dialects.operations import all_of
from ....dialects.task import NestOp
from ....lowering.builder import Loops
from ....lowering.constants import Constants
from ....lowering.schedule.variants import Variant, form_of
from ....lowering.tasks.function_block import function_block
from .bounds import NestBounds
from .channel_ranges import channel_ranges
from .ending import Ending
from .tables import Tables


class RoundInFloatsPass(ModulePass):
    """Round in floats where no form was chosen but that of the nest itself."""

    name: ClassVar[str] = "round-in-floats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = Constants(op)
        for nest in all_of(op, NestOp):
            if form_of(nest, Variant.PLAIN) is Variant.PLAIN:
                round_in_floats(nest, constants)


def round_in_floats(nest: NestOp, constants: Constants) -> NestOp:
    """Round as ONNX does in floats at the end of a nest that stays as it is; returns the nest, or one that reads less.

    It takes fewer bytes and instructions than in integers, in loops in order, too. Other roundings stay.
    """
    found = [op for op in nest.finish.block.ops if isinstance(op, RescaleRealOp)]
    if not found:
        return nest
    bounds, k = NestBounds(nest, constants), Loops.in_block(function_block(nest))
    for op in found:
        ending = Ending.of(op)
        assert ending is not None, "it rescales 32 bits"
        value = bounds.of(ending.value)
        if ending.factor is not None:
            ending.in_floats(k, ending.factor, value)
        elif (tables := Tables.of(nest, op, constants)) is not None:
            ranges = channel_ranges(nest, ending.value, tables, constants)
            nest = ending.channels_in_floats(k, nest, tables, value, ranges, constants)
    return nest
