"""How often the operations of loops run, and how many there are, by kind."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IndexType
from xdsl.ir import Attribute, Block, Operation

from ....dialects.simd import DualProductsOp, LoadBytesOp, ScaleBytesOp, SumTapsOp, SwarProductsOp
from .places import Array, Places

_UNKNOWN_TRIPS = 4
_UNKNOWN_SHARE = 0.5
"""Where a bound or a condition depends on data."""

_FREE = ("arith.constant", "func.return", "scf.yield", "memref.alloc", "memref.get_global", "arith.index_cast")
"""What costs nothing where it stands."""
_VIEWS = ("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast")
_CONVERSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
_SELECTIONS = (arith.MaxSIOp, arith.MinSIOp, arith.SelectOp)


def kind_of(op: Operation) -> str | None:
    """What an operation counts as; None for what costs nothing."""
    if op.name in _FREE or op.name in _VIEWS:
        return None
    if isinstance(op, LoadBytesOp):
        return "memref.load"
    if not op.name.startswith("arith.") or not op.results:
        return op.name
    type = op.operands[0].type if isinstance(op, arith.CmpiOp) else op.results[0].type
    return _kind_of_arithmetic(op, type)


def _kind_of_arithmetic(op: Operation, type: Attribute) -> str | None:
    if isinstance(type, IndexType):
        return "index comparison" if isinstance(op, arith.CmpiOp) else "index"
    if isinstance(type, AnyFloat):
        return op.name
    if isinstance(type, FixedBitwidthType) and type.bitwidth > 32:
        return "64 bits"
    if isinstance(op, _CONVERSIONS):
        return None
    if isinstance(op, arith.MuliOp):
        return "multiplication"
    if isinstance(op, arith.DivSIOp | arith.DivUIOp | arith.RemSIOp):
        return "division"
    return "selection" if isinstance(op, _SELECTIONS) else "arithmetic"


class Counts:
    """Operations of one function: as they run, and as they stand there."""

    def __init__(self, body: Block):
        self.run: defaultdict[str, float] = defaultdict(float)
        """Times that operations of a kind run. A `loop` is entered, an `iteration` one of its passes, `carried` a value
        that it carries on, each time that it is entered."""
        self.static: defaultdict[str, float] = defaultdict(float)
        """Operations of a kind in the text."""
        self._places = Places()
        self._add("function", 1.0)
        self._block(body, 1.0, 0)

    def _add(self, kind: str, times: float, count: int = 1) -> None:
        self.run[kind] += times * count
        self.static[kind] += count

    def _block(self, block: Block, times: float, depth: int) -> None:
        for op in block.ops:
            if isinstance(op, scf.ForOp):
                self._loop(op, times, depth)
            elif isinstance(op, scf.IfOp):
                self._branch(op, times, depth)
            else:
                if isinstance(op, SwarProductsOp):
                    self.run[op.name] += times * op.count.value.data
                    self.static[op.name] += 1
                elif isinstance(op, DualProductsOp):
                    self.run[op.name] += times * op.instructions
                    self.static[op.name] += op.text
                elif isinstance(op, SumTapsOp | ScaleBytesOp):
                    self._add(op.name, times, op.instructions)
                elif (kind := kind_of(op)) is not None:
                    self._add(kind, times)
                for inner in (block for region in op.regions for block in region.blocks):
                    self._block(inner, times * _UNKNOWN_TRIPS, depth)

    def _loop(self, op: scf.ForOp, times: float, depth: int) -> None:
        bounds = [self._places.of(bound) for bound in (op.lb, op.ub, op.step)]
        begin, end, step = bounds
        trips = np.array(_UNKNOWN_TRIPS)
        if begin is not None and end is not None and step is not None:
            trips = np.maximum(0, -(-(end - begin) // np.maximum(1, step)))
        first: Array = np.array(0, np.int64) if begin is None else begin
        self._places.enter(op.body.block.args[0], depth, first, max(1, int(trips.max())))
        self._add("loop", times)
        self._add("carried", times, len(op.results))
        inside = times * float(trips.mean())
        self._add("iteration", inside)
        self._block(op.body.block, inside, depth + 1)

    def _branch(self, op: scf.IfOp, times: float, depth: int) -> None:
        condition = self._places.of(op.cond)
        share = _UNKNOWN_SHARE if condition is None else float(condition.mean())
        self._add("branch", times)
        for region, part in ((op.true_region, share), (op.false_region, 1 - share)):
            for block in region.blocks:
                self._block(block, times * part, depth)
