"""The pass `shorten-rescaling`: ends of nests rescale in few operations, where ranges prove that exact.

They are for processors that multiply to a rounded high half and saturate in one instruction.
`fx.rescale` becomes a few operations (`records.py` says which), and the zero point part of
their numbers. Factors per channel then stand in one record for each channel, in the order of their use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.fx.ops import Rescaling
from ....dialects.simd.words import (
    SaturateOp,
    SaturateUnsignedOp,
)
from ....dialects.task import NestOp
from ....lowering.builder import Loops
from ....lowering.constants import Constants
from ....lowering.emit_c.index_bounds import Interval
from ....lowering.tasks.function_block import function_block
from ..nests import nests_to_rewrite
from .bounds import NestBounds
from .channel_ranges import channel_ranges, settle
from .ending import Ending
from .records import Record
from .tables import Tables

_NARROW = Interval(-(2**20) + 1, 2**20 - 1)
"""Interval that `simd.scale_narrow_add` takes."""


@dataclass(frozen=True)
class ShortenRescalingPass(ModulePass):
    """Rescale and saturate with operations of `simd`."""

    name: ClassVar[str] = "shorten-rescaling"

    low_products: bool = False
    """Whether small numbers are multiplied in parts, for processors that have no high half of a product."""
    floats: bool = False
    """Whether what is left of factors that are floats is computed in float32, for processors that have it."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = Constants(op)
        for nest, form in nests_to_rewrite(op):
            low_products = self.low_products and form.records
            shorten_rescaling(nest, constants, records=form.records, low_products=low_products, floats=self.floats)


def shorten_rescaling(
    nest: NestOp, constants: Constants, *, records: bool = True, low_products: bool = False, floats: bool = False
) -> NestOp:
    """Rescale and saturate with `simd` operations; returns the nest, another one if it reads records now.

    Without `records` the tables of factors per channel stay, and take no more flash, for two operations more. With
    `low_products` numbers that are small are multiplied in parts, for processors without a high half. With `floats` the
    processor has them: ONNX's rounding is in floats where the short form is not proved.
    """
    bounds, k = NestBounds(nest, constants), Loops.in_block(function_block(nest))
    endings = [Ending.of(op) for op in nest.finish.block.ops if isinstance(op, Rescaling)]
    found = [(one, bounds.of(one.value)) for one in endings if one is not None]
    for ending, value in found:
        op = ending.op
        factor = ending.factor
        if factor is not None:
            if (one := ending.result.record(*factor, value)) is not None:
                ending.replace(k, one, is_narrow=low_products and not one.floor and value.within(_NARROW))
            elif floats:
                ending.in_floats(k, factor, value)
        elif (tables := Tables.of(nest, op, constants)) is not None:
            ranges = channel_ranges(nest, ending.value, tables, constants)
            made = ending.records(tables, value, ranges, constants, in_tables=not records)
            if made is None:
                if floats:
                    nest = ending.channels_in_floats(k, nest, tables, value, ranges, constants)
                continue
            if ranges is not None:
                settle(nest, constants, made)
            if records:
                form = made[0][0]
                is_narrow = low_products and not form.floor and _are_narrow(made, value, ranges)
                ending.replace(k, form, tables.insert_record(), is_narrow=is_narrow)
                nest = tables.install(nest, constants, made)
            else:
                ending.replace_by_tables(k, made[0][0])
                tables.keep(nest, constants, made)
    _saturate(nest, k)
    return nest


def _are_narrow(records: list[list[Record]], value: Interval, ranges: list[list[Interval]] | None) -> bool:
    """Whether no channel rescales what is too large for it; factors of zero take everything."""
    if ranges is None:
        return value.within(_NARROW)
    pairs = (zip(*each, strict=True) for each in zip(records, ranges, strict=True))
    return all(not record.multiplier or bounds.within(_NARROW) for each in pairs for record, bounds in each)


def _saturate(nest: NestOp, k: Loops) -> None:
    """Limits that are those of a number of bits."""
    for op in list(nest.finish.block.ops):
        if not isinstance(op, arith.MinSIOp) or not isinstance(raised := op.lhs.owner, arith.MaxSIOp):
            continue
        least, most = const_evaluate_operand(raised.rhs), const_evaluate_operand(op.rhs)
        if (
            most is None
            or most <= 0
            or least not in (0, -most - 1)
            or most & (most + 1)
            or not raised.result.has_one_use()
        ):
            continue
        k.builder.insertion_point = InsertPoint.before(op)
        bits = most.bit_length()
        found = SaturateOp(raised.lhs, bits=bits + 1) if least else SaturateUnsignedOp(raised.lhs, bits=bits)
        op.result.replace_all_uses_with(k.emit(found))
        Rewriter.erase_op(op)
        Rewriter.erase_op(raised)
