"""Instructions of the `simd` dialect on words in C: calls of functions that `word_functions` has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.dialects.emitc import EmitC_AddOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects import emitc, simd
from ...dialects.operations import operations
from .buffers import address, flat_index
from .c_function import call, pointers
from .literals import known
from .lowering import Lowering, Patterns
from .word_functions import HEADER, INSTRUCTIONS, NUMBERED

_Needed = tuple[type[Operation], Mapping[str, int]]
"""An instruction with the numbers in it."""

_FUNCTIONS = frozenset([*INSTRUCTIONS, *NUMBERED])


def _needed(op: Operation) -> Iterator[_Needed]:
    """The instructions that an operation is, or whose functions its own function calls."""
    if type(op) in _FUNCTIONS:
        yield type(op), simd.numbers_of(op)
    if isinstance(op, simd.SumTapsOp | simd.TileBytesOp):
        yield simd.DualMultiplyAddOp, {}
    if isinstance(op, simd.ScaleBytesOp | simd.TileBytesOp):
        rescaling = op.rescaling
        high = simd.MultiplyHighFloorAddOp if rescaling.floor else simd.MultiplyHighAddOp
        yield simd.ScaleRealOp if rescaling.is_real else high, {}
        yield simd.SaturateUnsignedOp if rescaling.unsigned else simd.SaturateOp, {"bits": 8}
    if isinstance(op, simd.UnpackPointsOp):
        unpacking = (
            [simd.UnpackEvenOp, simd.UnpackOddOp]
            if op.unsigned is None
            else [simd.UnpackEvenUnsignedOp, simd.UnpackOddUnsignedOp]
        )
        for each in (simd.LoadBytesOp, *unpacking, *([] if op.singles is None else [simd.PackOp])):
            yield each, {}


def used(module: ModuleOp) -> dict[str, str]:
    """Return the functions that the module's operations need, by name, in alphabetical order."""
    found: dict[str, _Needed] = {}
    for op in operations(module):
        found.update((simd.function_named(*needed), needed) for needed in _needed(op))
    return {name: _definition(name, *found[name]) for name in sorted(found)}


def _definition(name: str, kind: type[Operation], numbers: Mapping[str, int]) -> str:
    instruction = NUMBERED[kind](**numbers) if numbers else INSTRUCTIONS[kind]
    assert issubclass(kind, IRDLOperation), "an instruction declares its operands"
    operands = [operand for operand, _ in kind.get_irdl_definition().operands]
    return instruction.definition(name, "STILLPOOL_DSP", operands)


def definitions(functions: Mapping[str, str]) -> list[emitc.VerbatimOp]:
    """The functions, which stand before all others."""
    return [emitc.VerbatimOp(text) for text in ([HEADER, *functions.values()] if functions else [])]


def _call(op: Operation, at: Lowering) -> None:
    operands = [at.value(operand) for operand in op.operands]
    at.define(op.results[0], at.build.call(simd.function_of(op), operands, i32))


def _load_bytes(op: simd.LoadBytesOp, at: Lowering) -> None:
    build, (buffer, type) = at.build, at.buffer(op.memref)
    parts = [_parts(at.value(index)) for index in op.indices]
    # Words of one window differ in a constant, which compilers see where the rest is written alike.
    computed, constant = flat_index(build, buffer.strides, [index for index, _ in parts], type.get_shape())
    for (_, distance), stride, size in zip(parts, buffer.strides, type.get_shape(), strict=True):
        # Along a dimension of one element there is index 0 alone, however it is written.
        constant += distance * stride if stride is not None and size != 1 else 0
    first = address(build, buffer.moved(build, constant, computed, buffer.strides), type, const=True)
    at.define(op.result, build.call(simd.function_of(op), [first], i32))


def _parts(index: SSAValue) -> tuple[SSAValue, int]:
    """An index as a sum of another and a constant."""
    match index.owner:
        case (EmitC_AddOp() | emitc.SubOp()) as op if (number := known(op.rhs)) is not None:
            rest, constant = _parts(op.lhs)
            return rest, constant + number if isinstance(op, EmitC_AddOp) else constant - number
        case _:
            return index, 0


def _store_bytes(op: simd.StoreBytesOp, at: Lowering) -> None:
    call(at, simd.function_of(op), *pointers(op, at), at.value(op.word))


PATTERNS: Patterns = {
    **dict.fromkeys(_FUNCTIONS, _call),
    simd.LoadBytesOp: _load_bytes,
    simd.StoreBytesOp: _store_bytes,
}
