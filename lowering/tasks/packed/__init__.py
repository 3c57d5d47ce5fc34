"""Loops of nests whose schedule has `packed`."""

from .extreme_loops import ExtremeLoops as ExtremeLoops
from .extreme_loops import WholeExtremeLoops as WholeExtremeLoops
from .packed_loops import PackedLoops as PackedLoops
