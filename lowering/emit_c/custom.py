"""Calls of the application's own operators: descriptors of the tensors, and the call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import SSAValue

from ...dialects import emitc
from ...dialects.custom_types import TYPES
from ...dialects.nn.attributes import ints
from ...dialects.nn.custom import CustomCallOp
from ...dialects.operations import all_of
from ...targets.c.literals import floating
from ...targets.custom_header import CUSTOM_HEADER
from .lowering import Lowering, Patterns


def declarations(functions: Iterable[str]) -> list[emitc.VerbatimOp]:
    """Declarations of functions that custom operators run."""
    return [emitc.VerbatimOp(f"STILLPOOL_CUSTOM stillpool_custom_function {name};") for name in functions]


def functions(module: ModuleOp) -> list[str]:
    """Every function that custom operators run."""
    return list(dict.fromkeys(op.function.data for op in all_of(module, CustomCallOp)))


def _call(op: CustomCallOp, at: Lowering) -> None:
    build = at.build
    build.includes.add(CUSTOM_HEADER)
    _add_tensors(op, at, "input", op.inputs, 0)
    _add_tensors(op, at, "output", op.outputs, len(op.inputs))
    options = [value & 255 for value in ints(op.options)]
    place = "0"
    if options:
        build.add(emitc.VerbatimOp(f"static const uint8_t options[] = {{ {', '.join(map(str, options))} }};"))
        place = "options"
    arguments = ["inputs" if op.inputs else "0", len(op.inputs), "outputs" if op.outputs else "0", len(op.outputs)]
    listed = ", ".join(map(str, (*arguments, place, len(options))))
    build.add(emitc.VerbatimOp(f"{op.function.data}({listed});"))


def _add_tensors(op: CustomCallOp, at: Lowering, side: str, values: Sequence[SSAValue], first: int) -> None:
    """The array of descriptors of one side."""
    if not values:
        return
    build = at.build
    scales = op.scales.get_values()
    zero_points, types = ints(op.zero_points), ints(op.types)
    entries: list[str] = []
    for number, value in enumerate(values):
        assert isinstance(value.type, MemRefType), "buffers are memrefs"
        shape = value.type.get_shape()
        extents = "0"
        if shape:
            extents = f"{side}_{number}_shape"
            build.add(emitc.VerbatimOp(f"static const int32_t {extents}[] = {{ {', '.join(map(str, shape))} }};"))
        position = first + number
        kind = f"STILLPOOL_{TYPES[types[position]].upper()}"
        scale = floating(scales[position], "f")
        entries.append(f"{{{{ {{}}, {kind}, {len(shape)}, {extents}, {scale}, {zero_points[position]} }}")
    text = f"const stillpool_custom_{side} {side}s[] = {{{{ {', '.join(entries)} }};"
    build.add(emitc.VerbatimOp(text, [at.value(value) for value in values]))


PATTERNS: Patterns = {CustomCallOp: _call}
