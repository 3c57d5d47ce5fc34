"""The loops of a nest whose schedule has `lanes`: one point of the jammed dimension stands for all of them.

In copies of its regions what depends on the place along the lanes is a vector, the rest a scalar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, Region, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.fx import RescaleOp, RoundingDoublingHighMulOp, RoundingShiftRightOp
from ....dialects.simd import lanes
from ....dialects.simd.lanes import LANES, LanesType
from ....dialects.simd.moves import LoadLanesOp, StoreLanesOp
from ....dialects.simd.words import MultiplyAdd, MultiplyHighAddOp, SaturateOp, SaturateUnsignedOp
from ....dialects.task import NestOp
from ....dialects.task.lanes import lane_axis
from ....dialects.task.loop import Loop
from ....dialects.task.steps import Lanes
from ....dialects.task.syntax import Access
from ...builder import Loops
from ...constants import Constants
from ..inline import Known, inline_known
from ..nest_loops import NestLoops, carries_out, jammed_of
from ..point import Point
from .blocks import arrange, blocks_of
from .window import ChannelWindow


@carries_out(Lanes, lambda step, nest: not step.sixteen)
class LaneLoops(NestLoops):
    """Emits one nest: regions compute with vectors, each lane at a place of its own."""

    _groups: tuple[str, ...] = ("start_reads", "step_reads", "finish_reads")
    """Operands that are read in lanes."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        blocks_of(nest, jammed_of(loops).dim, cls._groups, constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Arrange constants in the order of their use."""
        super().__init__(nest, k, constants)
        self._reads_late = range(len(nest.finish_reads))
        jammed = jammed_of(self._space)
        self._count, self._lane = jammed.extent, jammed.dim
        """Lanes that are points of the nest: fewer at the end of a dimension."""
        self._blocks = arrange(nest, self._lane, self._groups, constants)
        if any(access.buffer in self._blocks and len(access.indices) > 1 for access in nest.accesses("start_reads")):
            self._starts = None
        self._window = ChannelWindow.of(nest, self._lane, self._blocks) if self._splits else None
        """What one operation adds up where nothing is clipped, zero points taken off."""
        if self._window is not None and self._window.zero_point and self._starts is None:
            self._window = None

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        k, (loop,) = self._k, jammed
        self._count = loop.extent
        first = point.entered(loop, 0)
        results = self._sums(first) if self._nest.fold.data else []
        written = self._run(self._nest.finish, first, "finish_reads", results)
        for value, access in zip(written, self._nest.accesses("writes"), strict=True):
            k.builder.insert(StoreLanesOp(_as_lanes(k, value), *first.operands(access), count=self._count))

    def _sums(self, point: Point) -> list[SSAValue]:
        """Start and fold."""
        initial = [_as_lanes(self._k, value) for value in self._start_at(point)]
        if self._window is not None and self._is_whole and self._count == LANES:
            return [self._window.emit(point, *initial)]
        return self._over_fold(self._fold, point, [point], initial)

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        made = self._run(self._step_region, point, "step_reads", acc)
        return [_as_lanes(self._k, value) for value in made]

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        """Compute with vectors and scalars."""
        k, arguments = self._k, region.block.args
        values = [self._read(*read, point) for read in zip(self._nest.accesses(group), arguments, strict=False)]
        known: Known = dict(zip(arguments, [*values, *acc], strict=True))

        def instead(op: Operation) -> bool:
            operands = [known.get(value, value) for value in op.operands]
            if not any(map(_is_lanes, operands)):
                return False
            made = known[op.results[0]] = _in_lanes(k, op, operands)
            made.name_hint = made.name_hint or op.results[0].name_hint
            return True

        return inline_known(region, point, known, instead)

    def _start_from(self, access: Access, point: Point) -> SSAValue:
        return self._read(access, self._nest.start.block.args[0], point)

    def _read(self, access: Access, argument: SSAValue, point: Point) -> SSAValue:
        """Read for a region: a vector if every lane reads at a place of its own."""
        k, hint = self._k, argument.name_hint
        unsigned = any(isinstance(use.operation, arith.ExtUIOp) for use in argument.uses)
        if (blocks := self._blocks.get(access.buffer)) is not None:
            place = k.index(blocks.place(k, point.indices(access.indices)))
            return k.emit(LoadLanesOp(access.buffer, [place], count=LANES, unsigned=unsigned), hint)
        if lane_axis(self._nest, access, self._lane) is None:
            return k.load(*point.element(access), hint)
        return k.emit(LoadLanesOp(*point.operands(access), count=self._count, unsigned=unsigned), hint)


def _is_lanes(value: SSAValue) -> bool:
    """Whether a value is a vector."""
    return isinstance(value.type, LanesType)


def _as_lanes(k: Loops, value: SSAValue | int) -> SSAValue:
    """A vector, or a scalar in every lane."""
    if isinstance(value, int):
        value = k.value(value, i32)
    if _is_lanes(value):
        return value
    return k.emit(lanes.LanesOfOp(value if value.type == i32 else k.emit(arith.ExtSIOp(value, i32))))


def _in_lanes(k: Loops, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
    """What an operation computes, one of the kinds that `dialects.task.lanes` has."""
    match op:
        case arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp():
            # Lanes are as wide as they get; what is stored of them is narrow.
            return operands[0]
        case MultiplyHighAddOp():
            return _multiply_high_add(k, op, *operands)
        case SaturateOp() | SaturateUnsignedOp():
            least, most = op.limits
            raised = k.emit(lanes.LanesMaximumOp(operands[0], _as_lanes(k, least)))
            return k.emit(lanes.LanesMinimumOp(raised, _as_lanes(k, most)))
        case RescaleOp():
            return _rescale(k, op, *(_as_lanes(k, operand) for operand in operands))
        case _:
            return k.emit(_LANEWISE[type(op)](*(_as_lanes(k, operand) for operand in operands)))


def _multiply_high_add(k: Loops, op: MultiplyAdd, value: SSAValue, multiplier: SSAValue, added: SSAValue) -> SSAValue:
    """The doubling of what is multiplied is part of an instruction: it was proved not to leave 32 bits."""
    doubled, vectors = op.lhs.owner, value.owner
    kind: type[lanes.LanewiseOp] = lanes.LanesMultiplyHighOp
    if isinstance(doubled, arith.MuliOp) and _number(doubled.rhs) == 2 and isinstance(vectors, lanes.LanesMultiplyOp):
        if arith.IntegerOverflowFlag.NSW in doubled.overflow_flags.data:
            value, kind = vectors.lhs, lanes.LanesDoubledHighOp
    high = k.emit(kind(_as_lanes(k, value), _as_lanes(k, multiplier)), "high")
    return high if _number(added) == 0 else k.emit(lanes.LanesAddOp(high, _as_lanes(k, added)))


def _rescale(k: Loops, op: RescaleOp, value: SSAValue, multiplier: SSAValue, shift: SSAValue) -> SSAValue:
    zero = _as_lanes(k, 0)
    right = k.emit(lanes.LanesSubtractOp(zero, shift), "right")
    if op.right_only is None:
        value = k.emit(lanes.LanesShiftLeftOp(value, k.emit(lanes.LanesMaximumOp(shift, zero), "left")))
        right = k.emit(lanes.LanesMaximumOp(right, zero), "right")
    high = k.emit(lanes.LanesDoubledHighOp(value, multiplier), "high")
    return k.emit(lanes.LanesRoundingShiftRightOp(high, right))


def _number(value: SSAValue) -> int | None:
    """Return the number of a constant, or of one in every lane."""
    owner = value.owner
    return const_evaluate_operand(owner.operands[0] if isinstance(owner, lanes.LanesOfOp) else value)


_LANEWISE: Mapping[type[Operation], type[lanes.LanewiseOp]] = {
    arith.AddiOp: lanes.LanesAddOp,
    arith.SubiOp: lanes.LanesSubtractOp,
    arith.MuliOp: lanes.LanesMultiplyOp,
    arith.ShLIOp: lanes.LanesShiftLeftOp,
    arith.ShRSIOp: lanes.LanesShiftRightOp,
    arith.MaxSIOp: lanes.LanesMaximumOp,
    arith.MinSIOp: lanes.LanesMinimumOp,
    RoundingDoublingHighMulOp: lanes.LanesDoubledHighOp,
    RoundingShiftRightOp: lanes.LanesRoundingShiftRightOp,
}
"""What stands for an operation by itself."""
