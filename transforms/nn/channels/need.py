"""Which channels of each value stay: a fixpoint, from the outputs backwards, in which channels are only added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.fx.fixed_point_arrays import Truths
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.interfaces import channels_of
from ....dialects.nn.ranges import Ranges
from .analysis import block_ranges
from .links import Channels, Link, links
from .products import Product, Reason
from .twins import twins


@dataclass
class Need:
    """Channels that stay of each value of a block."""

    block: Block
    ranges: Mapping[SSAValue, Ranges]
    numbers: Mapping[SSAValue, Channels]
    kept: dict[SSAValue, Truths]
    links: Mapping[Operation, Sequence[Link]]
    """Links of the operations that can have fewer channels."""
    products: Mapping[Operation, Product]
    """Products: operations that mix all channels."""

    @staticmethod
    def of(block: Block, reasons: Sequence[Reason], multiple: int) -> Need:
        """Settle what stays, in multiples where that many are there."""
        ranges, numbers = block_ranges(block), twins(block)
        found: dict[Operation, Sequence[Link]] = {}
        products: dict[Operation, Product] = {}
        for op in block.ops:
            own = None if isinstance(op, ConstantOp) or op.regions else links(op)
            if own is None:
                continue
            found[op] = own
            if isinstance(op, Accumulate) and not own:
                products[op] = Product.of(op, ranges[op.input], numbers[op.input], reasons)
        kept = {value: np.zeros(each.channels, np.bool_) for value, each in ranges.items()}
        need = Need(block, ranges, numbers, kept, found, products)
        need._start()
        need._settle()
        while need._round_up(multiple):
            need._settle()
        return need

    def shrinks(self, value: SSAValue) -> bool:
        """Whether some channels of a value go."""
        return value in self.kept and not bool(self.kept[value].all())

    @property
    def is_whole(self) -> bool:
        """Whether everything stays."""
        return not any(map(self.shrinks, self.kept))

    def _start(self) -> None:
        """Keep all channels that operations of other forms, other blocks or the caller use."""
        for value, kept in self.kept.items():
            if not isinstance(value.owner, Operation) or value.owner not in self.links:
                kept[:] = True
            for use in value.uses:
                if use.operation.parent_block() is not self.block or not self._can_shrink(use.operation, value):
                    kept[:] = True

    def _can_shrink(self, op: Operation, operand: SSAValue) -> bool:
        """Whether an operation can do with fewer channels of an operand."""
        if op in self.products:
            return op.operands[0] is operand
        return op in self.links and any(link.operand is operand for link in self.links[op])

    def _settle(self) -> None:
        ops = [op for op in self.block.ops if op in self.links]
        changed = True
        while changed:
            changed = False
            for op in (*reversed(ops), *ops):
                changed |= self._update(op)

    def _update(self, op: Operation) -> bool:
        changed = False
        for value in op.results:
            changed |= self._keep(value, ~self.kept[value].any() & (np.arange(channels_of(value)) == 0))
        for link in self.links[op]:
            both = self.kept[link.operand][link.sources] | self.kept[link.result][link.targets]
            changed |= self._keep_at(link.operand, link.sources[both])
            changed |= self._keep_at(link.result, link.targets[both])
        if op in self.products:
            input = op.operands[0]
            needed = self.products[op].needs(self.kept[input], self.kept[op.results[0]])
            changed |= self._keep(input, needed)
        return changed

    def _keep_at(self, value: SSAValue, channels: Channels) -> bool:
        more = np.zeros(len(self.kept[value]), np.bool_)
        more[channels] = True
        return self._keep(value, more)

    def _keep(self, value: SSAValue, more: Truths) -> bool:
        kept = self.kept[value]
        added = bool((more & ~kept).any())
        kept |= more
        return added

    def _round_up(self, multiple: int) -> bool:
        """Keep some more channels where their number is no multiple."""
        changed = False
        for kept in self.kept.values():
            missing = -int(kept.sum()) % multiple
            spare = np.flatnonzero(~kept)[:missing]
            if len(spare):
                kept[spare] = True
                changed = True
        return changed
