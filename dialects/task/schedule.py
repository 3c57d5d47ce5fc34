"""Schedules: in which loops a task runs, as a list of steps that can be read and edited by hand.

A nest without a schedule runs its space dimensions in order, outermost first, and inside them its fold dimensions.
Example: `#task.schedule<split oc 4, order (oy, ox, oc_o, ky, kx, oc_i), jam oc_i>`.

The steps follow Halide's and Exo's vocabulary (Ragan-Kelley et al., PLDI 2013; Ikarashi et al., PLDI 2022).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..simd import SIXTEEN, SWAR_POINTS

OUTER, INNER = "_o", "_i"
"""What `split` adds to a dimension's name for its two parts."""


@dataclass(frozen=True)
class Order:
    """The loops, outermost first; fold dimensions stay inside all space dimensions but jammed ones."""

    dims: tuple[str, ...]

    def __str__(self) -> str:
        return f"order ({', '.join(self.dims)})"


@dataclass(frozen=True)
class Split:
    """`d` becomes blocks `d_o` of `size` points `d_i`; what remains at the end runs after the blocks.

    Clamped, it is one more block, whose points beyond the end are the last point again: less code for a few points that
    are computed twice, side by side.
    """

    dim: str
    size: int
    clamped: bool = False

    def __str__(self) -> str:
        return f"split {self.dim} {self.size}" + (" clamped" if self.clamped else "")


@dataclass(frozen=True)
class OfOneDim:
    """A step that says one thing of one dimension."""

    keyword: ClassVar[str]

    dim: str

    def __str__(self) -> str:
        return f"{self.keyword} {self.dim}"


class Jam(OfOneDim):
    """All points of a space dimension run side by side in one body, with an accumulator each: a register tile."""

    keyword = "jam"


class Unroll(OfOneDim):
    """One body after the other instead of a loop."""

    keyword = "unroll"


class Reverse(OfOneDim):
    """From the last point to the first."""

    keyword = "reverse"


@dataclass(frozen=True)
class InWords:
    """Fold points run in words of `lanes` lanes; base of the steps that say which."""

    run: int
    """Innermost fold dimensions whose points lie in words side by side; what the last one lacks is zero."""
    unroll: int
    """Words in one pass of the loop over them."""

    keyword: ClassVar[str]
    lanes: ClassVar[int]
    flag: ClassVar[str]
    """A word that may follow."""

    def __str__(self) -> str:
        return f"{self.keyword} {self.run} {self.unroll}" + (f" {self.flag}" if getattr(self, self.flag) else "")


@dataclass(frozen=True)
class Dual(InWords):
    """Fold points run in pairs, as products of two 16-bit lanes in one instruction.

    The operand that is constant is packed at compile time in the order of its use, zero points are folded into where
    the sums start, and the other operand is copied into words of two lanes before the loops over what it does not
    depend on, the zero point in place of what is clipped: `simd.dual_multiply_add` does the rest.
    """

    keyword = "dual"
    lanes = 2
    flag = "bytes"

    bytes: bool = False
    """Whether the packed constant is bytes, those of two channels in a word, which are taken apart where they are used:
    half the memory for more instructions."""


@dataclass(frozen=True)
class Single(InWords):
    """As `dual`, but a word is one element in its own width: products one at a time, for any processor."""

    keyword = "single"
    lanes = 1
    flag = "unsigned"

    unsigned: bool = False
    """Whether elements of both factors lie in memory raised to what is not negative, for processors that load unsigned
    bytes in fewer instructions. What this adds to the sums is in where they start."""


@dataclass(frozen=True)
class Swar(InWords):
    """As `single`, with a weight of two channels in each packed word, so that one product adds to the sums of both.

    These share a word for two fold points, after which they are taken apart. The other operand is copied into words of
    one element each. The products of two fold points must fit 16 bits with their sign, whatever the elements.
    """

    unroll: int = SWAR_POINTS

    keyword = "swar"
    lanes = 1

    def __str__(self) -> str:
        return f"{self.keyword} {self.run}"


@dataclass(frozen=True)
class Whole:
    """Where no fold point is clipped, the fold runs in code of its own: one point after the other, without loops."""

    def __str__(self) -> str:
        return "whole"


@dataclass(frozen=True)
class Words:
    """Of sums of products four channels that run side by side are read as one word, and fold points run in pairs.

    As with `dual` the operand that is constant is packed at compile time, and zero points are folded into where the
    sums start. Nothing is copied: the bytes of two words become four words of two lanes. As with `whole` there is code
    of its own for where no fold point is clipped; elsewhere, what is clipped counts as its zero point.
    """

    borders: str | None = None
    """A dimension each border of which has code of its own, too, where it alone decides what is clipped."""

    def __str__(self) -> str:
        return "words" if self.borders is None else f"words {self.borders}"


@dataclass(frozen=True)
class Lanes:
    """The points of the jammed dimension, at most four, are the lanes of vectors: what they compute is one instruction.

    What lies side by side along it is read and written together; constants are turned so that they do.
    """

    sixteen: bool = False
    """Whether sums of products run over sixteen fold points in one instruction: the constant is packed into bytes, zero
    points are in where the sums start, and what does not lie side by side is copied so that it does."""

    def __str__(self) -> str:
        return "lanes 16" if self.sixteen else "lanes"


@dataclass(frozen=True)
class Direct:
    """With `dual`, words of the factor that is not packed are read where its bytes lie: they are not copied."""

    def __str__(self) -> str:
        return "direct"


@dataclass(frozen=True)
class Winograd:
    """Sums of products with three taps side by side, two results of four products instead of six: Winograd's F(2, 3).

    Along two dimensions it is F(2 x 2, 3 x 3), 16 products instead of 36. The numbers stay integers: the constant is
    transformed at compile time, scaled by 2 for each dimension, and its sums are multiples of that. As with `dual`
    fold points run in pairs.
    """

    dims: tuple[str, ...]
    """Dimensions of the space, one or two, along which points run in pairs."""
    unroll: int
    """Words in one pass of the loop over them."""

    def __str__(self) -> str:
        return f"winograd ({', '.join(self.dims)}) {self.unroll}"


@dataclass(frozen=True)
class Quads:
    """Of products of signed bytes four channels that run side by side are read as one word of each factor.

    Nothing is copied or packed, and the fold stays in loops: the shortest code for channels that stay apart.
    """

    def __str__(self) -> str:
        return "quads"


@dataclass(frozen=True)
class Expand:
    """All points of a space dimension run in loops of their own at each place of the fold, their sums in an array.

    C compilers turn such loops into vector instructions. The transformation is known as scalar expansion (Allen and
    Kennedy, Optimizing Compilers for Modern Architectures, section 5.3).
    """

    dim: str
    dots: bool = False
    """Whether sums of products are dot products of four bytes each, sixteen channels at once: the constant is packed
    into bytes, zero points are in where the sums start, and what does not lie side by side is copied so that it
    does."""

    def __str__(self) -> str:
        return f"expand {self.dim}" + (" dots" if self.dots else "")


@dataclass(frozen=True)
class Collect:
    """What the fold gives for points that run side by side is kept in memory, and they are finished in loops."""

    def __str__(self) -> str:
        return "collect"


Step: TypeAlias = (
    Order
    | Split
    | Jam
    | Unroll
    | Reverse
    | InWords
    | Whole
    | Words
    | Direct
    | Quads
    | Lanes
    | Expand
    | Collect
    | Winograd
)

_OF_ONE_DIM = {step.keyword: step for step in (Jam, Unroll, Reverse)}
_ALONE = {str(step): step for step in (Whole(), Direct(), Quads(), Collect())}
_IN_WORDS = {step.keyword: step for step in (Dual, Single)}


@irdl_attr_definition
class ScheduleAttr(Data[tuple[Step, ...]]):
    """The steps, applied one after the other."""

    name = "task.schedule"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Step, ...]:
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_step(parser)))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda step: printer.print_string(str(step)))


def _parse_step(parser: AttrParser) -> Step:
    position = parser.pos
    keyword = parser.parse_identifier("step of a schedule")
    if keyword == "order":
        return Order(tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)))
    if keyword == "split":
        dim, size = parser.parse_identifier(), parser.parse_integer(allow_boolean=False, allow_negative=False)
        return Split(dim, size, parser.parse_optional_keyword("clamped") is not None)
    if keyword in _OF_ONE_DIM:
        return _OF_ONE_DIM[keyword](parser.parse_identifier())
    if (step := _IN_WORDS.get(keyword)) is not None:
        run, unroll = (parser.parse_integer(allow_boolean=False, allow_negative=False) for _ in range(2))
        return step(run, unroll, parser.parse_optional_keyword(step.flag) is not None)
    if keyword == Swar.keyword:
        return Swar(parser.parse_integer(allow_boolean=False, allow_negative=False))
    if keyword in _ALONE:
        return _ALONE[keyword]
    if keyword == "words":
        return Words(parser.parse_optional_identifier())
    if keyword == "lanes":
        count = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if count not in (None, SIXTEEN):
            parser.raise_error(f"expected nothing or {SIXTEEN} after lanes, got {count}", position, parser.pos)
        return Lanes(count is not None)
    if keyword == "winograd":
        dims = tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier))
        return Winograd(dims, parser.parse_integer(allow_boolean=False, allow_negative=False))
    if keyword == "expand":
        return Expand(parser.parse_identifier(), parser.parse_optional_keyword("dots") is not None)
    others = (Swar.keyword, *_ALONE, "words", "lanes", "winograd", "expand")
    known = ", ".join(["order", "split", *_OF_ONE_DIM, *_IN_WORDS, *others])
    parser.raise_error(f"expected a step of a schedule ({known}), got {keyword}", position, parser.pos)
