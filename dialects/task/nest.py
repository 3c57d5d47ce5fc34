"""`task.nest`: what an operator computes at every point of a domain, and nothing about order."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..accesses import Access as MemoryAccess
from ..accesses import answers_for
from .nest_syntax import parse_nest, print_nest
from .structure import Nest
from .verify_nest import verify_nest


@irdl_op_definition
class NestOp(Nest):
    """Compute `writes` at every point of the space dimensions, folding over all points of the fold dimensions.

    `start` gives the accumulators before the first fold point, `step` the next ones, `finish` the elements to write.
    Without fold dimensions there is `finish` alone. Each region receives the elements that it reads (then, but for
    `start`, the accumulators). Places are affine in the dimensions; `where` names what several places share. Fold
    points for which a read marked `clip` lies outside of its buffer are left out. With `ordered` the fold must run in
    the order of its dimensions, as sums of floats do. Regions may load from other memrefs at computed places, tables
    for example, which the nest must not write. `schedule` says in which loops it runs; see `ScheduleAttr`.

    The form is that of structured operations (linalg's `generic`, Halide's reductions) with an epilogue and clipping.

    Example, a matrix product of 4 rows requantised by one shift:

    ```mlir
    task.nest space(row = 4, oc = 8) fold(ic = 16)
      start (%bias = %b[oc] : memref<8xi32>) {
        task.yield %bias : i32
      }
      step (%v = %x[row, ic] : memref<4x16xi8>, %u = %w[oc, ic] : memref<8x16xi8>) into (%acc : i32) {
        ...
        task.yield %next : i32
      }
      finish () of (%sum : i32) {
        ...
        task.yield %result : i8
      }
      writes (%y[row, oc] : memref<4x8xi8>)
    ```
    """

    name = "task.nest"

    def verify_(self) -> None:
        verify_nest(self)

    def print(self, printer: Printer) -> None:
        print_nest(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> NestOp:
        return parse_nest(parser, NestOp)


@answers_for(NestOp)
def _accesses(nest: NestOp) -> list[MemoryAccess]:
    """All that a nest reads, and what it writes; which elements in which order is for the loops to say."""
    reads = (*nest.start_reads, *nest.step_reads, *nest.finish_reads)
    return [
        *(MemoryAccess(value, is_write=False, is_sure=False) for value in dict.fromkeys(reads)),
        *(MemoryAccess(value, is_write=True, is_sure=False) for value in dict.fromkeys(nest.writes)),
    ]
