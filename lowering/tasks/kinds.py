"""Which loops carry out a schedule."""

from __future__ import annotations

from ...dialects.task import NestOp, steps
from ...dialects.task.code import Code
from ...dialects.task.dual import InWords
from .array_loops import ExpandLoops, KernelLoops
from .dual import DualLoops
from .lanes import DotLoops, LaneLoops, ProductLoops
from .nest_loops import NestLoops
from .packed import ExtremeLoops, PackedLoops, QuadLoops
from .whole_loops import WholeLoops
from .winograd import WinogradLoops
from .word_loops import WordLoops


def kind_of(nest: NestOp) -> type[NestLoops]:
    """The loops of a nest, of the kind that one of its steps asks for.

    Raises:
        ValueError: there are none for a step.
    """
    for step in nest.steps:
        match step:
            case steps.Tensorize():
                return KernelLoops
            case steps.Winograd():
                return WinogradLoops
            case InWords():
                return DualLoops
            case steps.Words():
                return WordLoops
            case steps.Quads():
                return QuadLoops
            case steps.Expand(dots=are_dots):
                return DotLoops if are_dots else ExpandLoops
            case steps.Lanes(sixteen=are_sixteen):
                return ProductLoops if are_sixteen else LaneLoops
            case steps.Packed():
                return ExtremeLoops if nest.fold.data else PackedLoops
            case steps.Direct() | steps.Whole() | steps.Collect():
                # Loops of several kinds obey these.
                continue
            case Code():
                raise ValueError(f"{step}: there are no loops that carry it out")
            case _:
                pass
    return WholeLoops
