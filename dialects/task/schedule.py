"""The steps of schedules: in which loops a task runs, as a list that can be read and edited by hand.

A nest without a schedule runs its space dimensions in order, outermost first, and inside them its fold dimensions.
Example: `#task.schedule<split oc 4, order (oy, ox, oc_o, ky, kx, oc_i), jam oc_i>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...plugins import Plugins, is_subclass
from ..simd.lanes import SIXTEEN
from ..simd.tiles import SWAR_POINTS
from .loop_steps import Jam, Order, Reverse, Split, Unroll
from .rewrites import Block, FoldZeroPoint, Pack, Peel, Stage
from .step import Count, Dim, Dims, Domain, Flag, Spelling, Step, expanded
from .tile import Tile


@dataclass(frozen=True)
class InWords(Step):
    """Fold points run in words of `lanes` lanes; base of the steps that say which."""

    run: Count
    """Innermost fold dimensions whose points lie in words side by side; what the last one lacks is zero."""
    unroll: Count
    """Words in one pass of the loop over them."""

    lanes: ClassVar[int]
    """Fold points of a word."""
    unsigned = bytes = nibbles = both = swar = False
    """What only some of the steps say."""


@dataclass(frozen=True)
class Dual(InWords):
    """Fold points run in pairs, as products of two 16-bit lanes in one instruction.

    The operand that is constant is packed at compile time in the order of its use, zero points are folded into where
    the sums start, and the other one is copied before the loops over what it does not depend on. Of a zero point that
    the step reads, a number of the elements' type, the products with the weights are taken off the sums at their end.
    """

    lanes = 2

    bytes: Flag = False
    """Whether the packed constant is bytes, those of two channels in a word: half the memory, more instructions. With
    `direct` that is not jammed they are of one channel."""
    nibbles: Flag = False
    """Whether it is numbers of four bits, those of four channels in a word: a quarter of the memory."""
    both: Flag = False
    """Whether both operands are copied into words, less their zero points, as where neither is constant."""


@dataclass(frozen=True)
class Single(InWords):
    """Products as with `dual`, but a word is one element in its own width: one product at a time, for any processor."""

    lanes = 1

    unsigned: Flag = False
    """Whether elements of both factors lie in memory raised to what is not negative, for processors that load unsigned
    bytes in fewer instructions. What this adds to the sums is in where they start."""


@dataclass(frozen=True)
class Swar(InWords):
    """Products as with `single`, with a weight of two channels in each packed word: one product adds to the sums of
    both.

    These share a word for two fold points, after which they are taken apart. The other operand is copied into words of
    one element each. The products of two fold points must fit 16 bits with their sign, whatever the elements.
    """

    unroll: int = SWAR_POINTS
    lanes = 1
    swar = True


class Whole(Step):
    """Code of its own for a fold where no point is clipped: one point after the other, without loops."""


def _last_dims(parser: AttrParser) -> tuple[str, ...]:
    return tuple(iter(parser.parse_optional_identifier, None))


@dataclass(frozen=True)
class Words(Step):
    """Words of four channels that run side by side in sums of products; fold points run in pairs.

    As with `dual` the operand that is constant is packed at compile time, and zero points are folded into where the
    sums start. Nothing is copied: the bytes of two words become four words of two lanes. As with `whole` there is code
    of its own for where no fold point is clipped; elsewhere, what is clipped counts as its zero point.
    """

    borders: Annotated[tuple[str, ...], Spelling(_last_dims, " ".join, names_dims=True)] = ()
    """Dimensions each border of which has code of its own, too, and each corner of several; each of them decides alone
    what is clipped along it."""


def _sixteen(parser: AttrParser) -> bool:
    position = parser.pos
    count = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if count not in (None, SIXTEEN):
        parser.raise_error(f"expected nothing or {SIXTEEN} after lanes, got {count}", position, parser.pos)
    return count is not None


_Sixteen: TypeAlias = Annotated[bool, Spelling(_sixteen, lambda sixteen: str(SIXTEEN) if sixteen else "")]


@dataclass(frozen=True)
class Lanes(Step):
    """The points of the jammed dimension, at most four, are the lanes of vectors: what they compute is one instruction.

    What lies side by side along it is read and written together; constants are turned so that they do.
    """

    sixteen: _Sixteen = False
    """Whether sums of products run over sixteen fold points in one instruction: the constant is packed into bytes, zero
    points are in where the sums start, and what does not lie side by side is copied so that it does."""


class Direct(Step):
    """With `dual`, words of the factor that is not packed are read where its bytes lie: they are not copied."""


@dataclass(frozen=True)
class Winograd(Step):
    """Sums of products with three taps side by side, two results of four products instead of six: Winograd's F(2, 3).

    Along two dimensions it is F(2 x 2, 3 x 3), 16 products instead of 36. The numbers stay integers: the constant is
    transformed at compile time, scaled by 2 for each dimension, and its sums are multiples of that. As with `dual`
    fold points run in pairs.
    """

    dims: Dims
    """Dimensions of the space, one or two, along which points run in pairs."""
    unroll: Count
    """Words in one pass of the loop over them."""


class Quads(Step):
    """Words of four channels that run side by side in products of bytes, one of each factor.

    Nothing is copied or packed, and the fold stays in loops: the shortest code for channels that stay apart.
    """


@dataclass(frozen=True)
class Expand(Step):
    """All points of a space dimension run in loops of their own at each place of the fold, their sums in an array.

    C compilers turn such loops into vector instructions. The transformation is known as scalar expansion (Allen and
    Kennedy, Optimizing Compilers for Modern Architectures, section 5.3).
    """

    dim: Dim
    dots: Flag = False
    """Whether sums of products are dot products of four bytes each, sixteen channels at once: the constant is packed
    into bytes, zero points are in where the sums start, and what does not lie side by side is copied so that it
    does."""


class Collect(Step):
    """Results of the fold for points that run side by side, kept in memory and finished in loops."""


class Packed(Step):
    """Four points that run side by side are the bytes of words, as far as they are read or written side by side.

    A fold to the largest or smallest byte compares four at once; without a fold words are taken apart into lanes of 16
    bits, which multiplications read as they are.
    """


@dataclass(frozen=True)
class Tensorize(Step):
    """The innermost loops are what a kernel means, and become a call of it: tensorization.

    The kernel is one of an instruction set, `SET.KERNEL`. Its own dimensions are these loops, those of the space first.
    Sums lie in an array on the stack. Where a compiler does not have the instructions the loops stay. The word is that
    of TVM (Chen et al., OSDI 2018, section 4.3).
    """

    kernel: Annotated[str, Spelling(lambda parser: parser.parse_str_literal("kernel"), '"{}"'.format)]
    dims: Dims


STEPS: tuple[type[Step], ...] = (
    *(Dual, Single, Swar, Whole, Direct, Quads, Collect, Words, Lanes),
    *(Winograd, Expand, Packed, Tensorize),
)
"""Steps that say what code there is for the points of loops."""


def writes_out(step: Step) -> bool:
    """Whether a step runs over the whole fold in code of its own, with what is clipped as its zero point."""
    match step:
        case InWords() | Words() | Winograd() | Lanes(sixteen=True) | Expand(dots=True):
            return True
        case _:
            return False


KNOWN: Mapping[str, type[Step]] = {
    step.keyword: step
    for step in (Order, Split, Jam, Unroll, Reverse, Tile, *STEPS, Block, Peel, Pack, Stage, FoldZeroPoint)
}
"""Every step, by its keyword."""
ADDED: Plugins[type[Step]] = Plugins(
    "stillpool.steps", "a subclass of stillpool.dialects.task.step.Step", is_subclass(Step)
)
"""Steps of other packages, by their keywords."""


@irdl_attr_definition
class ScheduleAttr(Data[tuple[Step, ...]]):
    """The steps, applied one after the other."""

    name = "task.schedule"

    @staticmethod
    def of(nest: Domain, steps: Sequence[Step]) -> ScheduleAttr:
        """The schedule of a nest, with the steps that macros are short for.

        Raises:
            ValueError: a macro or a step before it is not legal where it stands.
        """
        return ScheduleAttr(expanded(steps, nest))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Step, ...]:
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_step(parser)))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda step: printer.print_string(str(step)))


def _parse_step(parser: AttrParser) -> Step:
    position = parser.pos
    keyword = parser.parse_identifier("step of a schedule")
    kind = KNOWN.get(keyword) or ADDED.load(keyword)
    if kind is None:
        known = ", ".join((*KNOWN, *ADDED.names()))
        parser.raise_error(f"expected a step of a schedule ({known}), got {keyword}", position, parser.pos)
    return kind.parse(parser)
