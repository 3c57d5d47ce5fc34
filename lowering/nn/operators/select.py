"""`nn.select`.

Source: TensorFlow Lite `reference_ops::Select`, `BroadcastSelect5DSlow`.
"""

from __future__ import annotations

from ....dialects.nn import SelectOp
from ..kernel import Kernel
from ..pointwise import lower_pointwise
from ..registry import lowers
from .movement import ELEMENTS


@lowers(SelectOp, ELEMENTS)
def lower_select(op: SelectOp, k: Kernel) -> None:
    """Both values are loaded, one is stored."""
    operands = [(op.condition, "condition"), (op.then, "then"), (op.otherwise, "otherwise")]
    lower_pointwise(k, operands, op.output, lambda v: k.select(k.compare("ne", v[0], 0), v[1], v[2]))
