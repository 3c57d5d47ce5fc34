"""The pass `split-rows`: tensors become rows, and operators run row by row, so deep in the network as they can.

No row is made twice: the same multiplications happen in another order. What comes out are calls on row-sized buffers,
which the planner places as any others.

The schedule is that of rows as tasks: inside a segment the deepest operator that can make a row does so next, or
another one where that lowers the peak, and cuts between segments are chosen for the smallest peak, unless calls say by
`pool.row_segment` which go together. What functions will have of scratch counts, where calls say it by `pool.scratch`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.pool import keys
from ..usmp.analysis.structure import entries, functions
from .emit import Emitter, RowFunctions, drop_uncalled, drop_unread, read_constants
from .network import Network, is_straight
from .order import ordered
from .pins import pin, write
from .segments import choose


@dataclass(frozen=True)
class SplitRowsPass(ModulePass):
    """Divide the tensors of entry functions into rows where fewer bytes are live then."""

    name: ClassVar[str] = "split-rows"

    segments: tuple[str, ...] = ()
    """Segments of operators that run row by row, as "0-3"; all others run as a whole. None are given: the pass cuts the
    network itself."""
    taken: bool = False
    """Whether only what takes rows of the application runs by rows."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        made = RowFunctions(op)
        before, read = list(functions(op).values()), read_constants(op)
        for entry in entries(op):
            if not is_straight(entry):
                continue
            network = Network.of(op, entry)
            if self.segments:
                pin(network, self.segments)
            chosen = choose(network, is_taken_only=self.taken)
            if chosen is not None:
                write(chosen.network, chosen.segments)
                Emitter(op, chosen.network, made).emit(ordered(chosen.network, chosen.segments))
            for call in entry.walk():
                call.attributes.pop(keys.SCRATCH.name, None)
        drop_uncalled(op, before)
        drop_unread(op, read)
