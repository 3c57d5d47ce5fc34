"""The operations of TOSA 1.0 that xDSL's `tosa` lacks, added to it in place, with the syntax of `mlir-opt` (LLVM 22).

A dialect of the same name cannot be registered beside xDSL's, so its lists are extended. They are private to xDSL;
this module is the only place that touches them. An operation that xDSL has gained is left alone. Four of xDSL's
operations take less than TOSA's, and are replaced.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects import tosa as upstream
from xdsl.dialects.tosa import TOSA
from xdsl.ir import Attribute, Operation

from . import control_flow, elementwise, movement, windows
from .assembly import parse_plain, print_plain
from .attributes import ResizeModeAttr, ShapeType
from .control_flow import IfOp, YieldOp
from .elementwise import MulOp
from .windows import MatMulOp

__all__ = ["ADDED", "WIDENED"]

ADDED: tuple[type[Operation], ...] = (*elementwise.OPS, *windows.OPS, *movement.OPS, *control_flow.OPS)
"""Operations that xDSL lacks."""

WIDENED: tuple[type[Operation], ...] = (IfOp, MatMulOp, MulOp, YieldOp)
"""Operations that take more than xDSL's."""

_WITH_WORDS = (upstream.ClampOp, upstream.MaxPool2DOp, upstream.ReduceMaxOp, upstream.ReduceMinOp)
"""Operations of xDSL that read no plain words in braces."""

_ATTRIBUTES: tuple[type[Attribute], ...] = (ResizeModeAttr, ShapeType)


def _extend() -> None:
    operations: Any = TOSA._operations  # pyright: ignore[reportPrivateUsage]
    attributes: Any = TOSA._attributes  # pyright: ignore[reportPrivateUsage]
    replaced = {op.name for op in WIDENED}
    operations[:] = [op for op in operations if op.name not in replaced]
    present = {op.name for op in operations}
    operations.extend(op for op in (*WIDENED, *ADDED) if op.name not in present)
    known = {attribute.name for attribute in attributes}
    attributes.extend(attribute for attribute in _ATTRIBUTES if attribute.name not in known)
    for op in _WITH_WORDS:
        given: Any = op
        given.parse, given.print = classmethod(parse_plain), print_plain


_extend()
