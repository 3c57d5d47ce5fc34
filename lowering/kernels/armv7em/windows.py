"""Windows over four channels that stay apart, and bytes of their sums: the instructions.

The bytes of two taps become a word of two lanes for each channel. Source of the layout: `simd.sum_taps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.simd.rescaling import Rescaling
from ....dialects.simd.windows import CLIPPED, Taps
from ....dialects.simd.words import BYTES
from ..thumb.control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp, kept
from ..thumb.memory import REACH, WORD, ldr, ldr_at, load_words, reload, several, str_, strb
from ..thumb.registers import Register, chosen
from . import instructions as v7
from .ending import Ending

MOST_MEMREFS = 3
"""Those that a window may read: each takes a register."""


@dataclass
class _Window:
    """Loads the bytes of taps. With a step the nearest one of a memref moves its pointer on, which lies there."""

    taps: Taps
    pointers: list[SSAValue]
    step: int = 0
    moved: set[int] = field(default_factory=set[int])
    """Memrefs whose pointers have moved on."""

    @property
    def zero(self) -> int:
        """The byte that clipped taps are, without sign."""
        return self.taps.zero_point & 0xFF

    def load(self, number: int) -> SSAValue:
        """Load the bytes of a tap."""
        taps = self.taps
        place, owner = taps.places[number], taps.owners[number] if taps.owners else 0
        if place == CLIPPED:
            return v7.mov_constant(by=self.zero * 0x1010101).result
        if self.step:
            place -= taps.nearest(owner)
            if place == 0 and owner not in self.moved:
                self.moved.add(owner)
                self.pointers[owner], loaded = ldr(self.pointers[owner], by=self.step, next=True).results
                return loaded
            place -= self.step if owner in self.moved else 0
        pointer = self.pointers[owner]
        if place <= REACH:
            return ldr(pointer, by=place).result
        distance = v7.movw(by=place & 0xFFFF).result
        if place >> 16:
            distance = v7.movt(distance, by=place >> 16).result
        return ldr_at(pointer, distance).result

    def load_zeros(self) -> SSAValue:
        """Load what two clipped taps are, as lanes."""
        if self.taps.zero_point < 0:
            return v7.mvn(by=~self.taps.zero_point * 0x10001).result
        return v7.mov_constant(by=self.zero * 0x10001).result

    def lanes(self, loaded: Sequence[SSAValue]) -> Iterator[SSAValue]:
        """The lanes of each channel, of the bytes of two taps, or of a single one: then two channels share them.

        They are taken apart as they are asked for.
        """
        take = v7.uxtb16 if self.taps.unsigned else v7.sxtb16
        if len(loaded) == 1:
            yield from [take(*loaded, by=by).result for by in (0, 8)] * 2
            return
        one, other = loaded
        words = [v7.pkhbt(one, other, by=16).result, v7.pkhtb(other, one, by=16).result]
        yield from (take(word, by=by).result for word in words for by in (0, 8))

    def add_products(
        self,
        sums: list[SSAValue],
        weights: Callable[[int], Iterable[Sequence[SSAValue]]],
        skip: Callable[[], object] = lambda: None,
    ) -> list[SSAValue]:
        """Add the products of all taps.

        `weights` are those of two taps by their number, or of a single one in the lane of the channel: in groups of
        channels, each loaded when it is asked for. Where taps are all clipped, they are one word for all channels; of
        zeros, `skip` goes to the weights behind theirs.
        """
        for number, both in enumerate(several(range(len(self.taps.places)), 2)):
            if any(self.taps.places[tap] != CLIPPED for tap in both):
                lanes = self.lanes(list(map(self.load, both)))
            elif self.zero:
                lanes = repeat(self.load_zeros())
            else:
                skip()
                continue
            # Weights are loaded before bytes are taken apart.
            products = zip(sums, chain.from_iterable(weights(number)), lanes, strict=False)
            sums = [v7.smlad(total, word, weight).result for total, weight, word in products]
        return sums


def _check_memrefs(memrefs: int) -> None:
    if memrefs > MOST_MEMREFS:
        raise VerifyException(f"there are registers for windows of {MOST_MEMREFS} memrefs, not of {memrefs}")


@kept
def sum_taps(taps: Taps, memrefs: int) -> KernelOp:
    """Sums of one window: of pointers to the first bytes of each memref, and to words. Compilers choose registers.

    Raises:
        VerifyException: there are no registers for so many memrefs.
    """
    _check_memrefs(memrefs)
    kernel = KernelOp(*chosen(memrefs + 1), writes=())
    with kernel.filled() as (*pointers, words):

        def weights(number: int) -> Iterator[Sequence[SSAValue]]:
            for n in (0, 2):
                yield v7.ldrd(words, by=(BYTES * (1 + number) + n) * WORD).results

        YieldOp(*_Window(taps, pointers).add_products(v7.load_pairs(words, BYTES), weights))
    return kernel


@kept
def scale_bytes(skipped: int, rescaling: Rescaling) -> KernelOp:
    """Bytes of four sums: of where they go, of words, and of the sums, which change. Compilers choose registers."""
    registers, ending = chosen(2 + BYTES), Ending(rescaling)
    kernel = KernelOp(*registers, writes=[Register.from_name(one) for one in registers[2:]])
    with kernel.filled() as (bytes, words, *sums):
        if rescaling.is_real:
            record = v7.vldm(v7.addw(words, by=WORD * skipped).result, loaded=2 * BYTES)
            str_(bytes, ending.word(sums, record.loaded), by=0)
        else:
            for channel, total in enumerate(sums):
                place = WORD * (skipped + rescaling.record * channel)
                record = [*v7.ldrd(words, by=place).results]
                if rescaling.shift is None:
                    record += ldr(words, by=place + 2 * WORD).results
                strb(bytes, *map(ending.byte, ending.scale([total], record)), by=channel)
    return kernel


@kept
def windows(taps: Taps, memrefs: int, rescaling: Rescaling, words: int, *, backward: bool) -> KernelOp:
    """Windows over all channels, four after four: of pointers to bytes, to words, to their end, and to results.

    A block has so many words. r7 and where the words end are on the stack.

    Raises:
        VerifyException: there are no registers for so many memrefs.
    """
    _check_memrefs(memrefs)
    kernel = KernelOp(*("r0", "fp", "ip")[:memrefs], "r1", "r3", "lr")
    with kernel.filled() as (*pointers, stream, end, result), FrameOp(end, EnteringOp("r7").result).filled():
        with LoopOp(*pointers, stream, result).filled() as (*pointers, stream, result):
            window = _Window(taps, pointers, -BYTES if backward else BYTES)
            stream, result = _store_window(window, rescaling, stream, result)
            if backward:
                stream = v7.subw(stream, by=2 * WORD * words).result
            UntilOp(stream, reload(by=0).result, *window.pointers, stream, result)
    return kernel


def _store_window(
    window: _Window, rescaling: Rescaling, stream: SSAValue, result: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """Store the bytes of four channels of a window: where those of the next one are, words and results."""
    # Pointers to one memref leave registers for the weights of all channels.
    taken = BYTES // 2 if len(window.pointers) > 1 else BYTES

    def weights(_: int) -> Iterator[Sequence[SSAValue]]:
        nonlocal stream
        for _ in range(0, BYTES, taken):
            stream, *loaded = load_words(stream, taken)
            yield loaded

    def skip() -> None:
        nonlocal stream
        stream = v7.addw(stream, by=BYTES * WORD).result

    stream, *sums = load_words(stream, BYTES)
    sums = window.add_products(sums, weights, skip)
    # Of the first three channels the pointer moves on by a byte, of the last one to the next block.
    steps = [1] * (BYTES - 1) + [window.step - BYTES + 1]
    ending = Ending(rescaling, together=1 if rescaling.shift is None else 2, steps=steps)
    return ending.store([[total] for total in sums], stream, result)
