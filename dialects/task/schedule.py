"""The steps of schedules: in which loops a task runs, as a list that can be read and edited by hand.

A nest without a schedule runs its space dimensions in order, outermost first, and inside them its fold dimensions.
Example: `#task.schedule<split oc 4, order (oy, ox, oc_o, ky, kx, oc_i), jam oc_i>`.

The steps follow Halide's and Exo's vocabulary (Ragan-Kelley et al., PLDI 2013; Ikarashi et al., PLDI 2022).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.parser import AttrParser

from ..simd import SIXTEEN, SWAR_POINTS
from .loop_steps import Jam as Jam
from .loop_steps import Order as Order
from .loop_steps import Reverse as Reverse
from .loop_steps import Split as Split
from .loop_steps import Unroll as Unroll
from .step import INNER as INNER
from .step import OUTER as OUTER
from .step import Step as Step
from .step import parse_count, parse_dims


@dataclass(frozen=True)
class InWords(Step):
    """Fold points run in words of `lanes` lanes; base of the steps that say which."""

    run: int
    """Innermost fold dimensions whose points lie in words side by side; what the last one lacks is zero."""
    unroll: int
    """Words in one pass of the loop over them."""

    lanes: ClassVar[int]
    flags: ClassVar[tuple[str, ...]]
    """Words one of which may follow."""

    @classmethod
    def parse(cls, parser: AttrParser) -> InWords:
        run, unroll = parse_count(parser), parse_count(parser)
        flag = next((flag for flag in cls.flags if parser.parse_optional_keyword(flag) is not None), None)
        return cls(run, unroll, **({} if flag is None else {flag: True}))

    def __str__(self) -> str:
        return " ".join(
            [self.keyword, str(self.run), str(self.unroll), *(flag for flag in self.flags if getattr(self, flag))]
        )


@dataclass(frozen=True)
class Dual(InWords):
    """Fold points run in pairs, as products of two 16-bit lanes in one instruction.

    The operand that is constant is packed at compile time in the order of its use, zero points are folded into where
    the sums start, and the other one is copied before the loops over what it does not depend on. Of a zero point that
    the step reads, a number of the elements' type, the products with the weights are taken off the sums at their end.
    """

    keyword = "dual"
    lanes = 2
    flags = ("bytes", "nibbles", "both")

    bytes: bool = False
    """Whether the packed constant is bytes, those of two channels in a word: half the memory, more instructions."""
    nibbles: bool = False
    """Whether it is numbers of four bits, those of four channels in a word: a quarter of the memory."""
    both: bool = False
    """Whether both operands are copied into words, less their zero points, as where neither is constant."""


@dataclass(frozen=True)
class Single(InWords):
    """Products as with `dual`, but a word is one element in its own width: one product at a time, for any processor."""

    keyword = "single"
    lanes = 1
    flags = ("unsigned",)

    unsigned: bool = False
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

    keyword = "swar"
    lanes = 1

    @classmethod
    def parse(cls, parser: AttrParser) -> Swar:
        return cls(parse_count(parser))

    def __str__(self) -> str:
        return f"{self.keyword} {self.run}"


@dataclass(frozen=True)
class Whole(Step):
    """Code of its own for a fold where no point is clipped: one point after the other, without loops."""

    keyword = "whole"

    def __str__(self) -> str:
        return self.keyword


@dataclass(frozen=True)
class Words(Step):
    """Words of four channels that run side by side in sums of products; fold points run in pairs.

    As with `dual` the operand that is constant is packed at compile time, and zero points are folded into where the
    sums start. Nothing is copied: the bytes of two words become four words of two lanes. As with `whole` there is code
    of its own for where no fold point is clipped; elsewhere, what is clipped counts as its zero point.
    """

    keyword = "words"

    borders: tuple[str, ...] = ()
    """Dimensions each border of which has code of its own, too, and each corner of several; each of them decides alone
    what is clipped along it."""

    @classmethod
    def parse(cls, parser: AttrParser) -> Words:
        return cls(tuple(iter(parser.parse_optional_identifier, None)))

    def renamed(self, name: Callable[[str], str]) -> Words:
        return Words(tuple(map(name, self.borders)))

    def __str__(self) -> str:
        return " ".join([self.keyword, *self.borders])


@dataclass(frozen=True)
class Lanes(Step):
    """The points of the jammed dimension, at most four, are the lanes of vectors: what they compute is one instruction.

    What lies side by side along it is read and written together; constants are turned so that they do.
    """

    keyword = "lanes"

    sixteen: bool = False
    """Whether sums of products run over sixteen fold points in one instruction: the constant is packed into bytes, zero
    points are in where the sums start, and what does not lie side by side is copied so that it does."""

    @classmethod
    def parse(cls, parser: AttrParser) -> Lanes:
        position = parser.pos
        count = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if count not in (None, SIXTEEN):
            parser.raise_error(f"expected nothing or {SIXTEEN} after lanes, got {count}", position, parser.pos)
        return cls(count is not None)

    def __str__(self) -> str:
        return "lanes 16" if self.sixteen else "lanes"


@dataclass(frozen=True)
class Direct(Step):
    """With `dual`, words of the factor that is not packed are read where its bytes lie: they are not copied."""

    keyword = "direct"

    def __str__(self) -> str:
        return self.keyword


@dataclass(frozen=True)
class Winograd(Step):
    """Sums of products with three taps side by side, two results of four products instead of six: Winograd's F(2, 3).

    Along two dimensions it is F(2 x 2, 3 x 3), 16 products instead of 36. The numbers stay integers: the constant is
    transformed at compile time, scaled by 2 for each dimension, and its sums are multiples of that. As with `dual`
    fold points run in pairs.
    """

    keyword = "winograd"

    dims: tuple[str, ...]
    """Dimensions of the space, one or two, along which points run in pairs."""
    unroll: int
    """Words in one pass of the loop over them."""

    @classmethod
    def parse(cls, parser: AttrParser) -> Winograd:
        return cls(parse_dims(parser), parse_count(parser))

    def renamed(self, name: Callable[[str], str]) -> Winograd:
        return replace(self, dims=tuple(map(name, self.dims)))

    def __str__(self) -> str:
        return f"winograd ({', '.join(self.dims)}) {self.unroll}"


@dataclass(frozen=True)
class Quads(Step):
    """Words of four channels that run side by side in products of bytes, one of each factor.

    Nothing is copied or packed, and the fold stays in loops: the shortest code for channels that stay apart.
    """

    keyword = "quads"

    def __str__(self) -> str:
        return self.keyword


@dataclass(frozen=True)
class Expand(Step):
    """All points of a space dimension run in loops of their own at each place of the fold, their sums in an array.

    C compilers turn such loops into vector instructions. The transformation is known as scalar expansion (Allen and
    Kennedy, Optimizing Compilers for Modern Architectures, section 5.3).
    """

    keyword = "expand"

    dim: str
    dots: bool = False
    """Whether sums of products are dot products of four bytes each, sixteen channels at once: the constant is packed
    into bytes, zero points are in where the sums start, and what does not lie side by side is copied so that it
    does."""

    @classmethod
    def parse(cls, parser: AttrParser) -> Expand:
        return cls(parser.parse_identifier(), parser.parse_optional_keyword("dots") is not None)

    def renamed(self, name: Callable[[str], str]) -> Expand:
        return replace(self, dim=name(self.dim))

    def __str__(self) -> str:
        return f"expand {self.dim}" + (" dots" if self.dots else "")


@dataclass(frozen=True)
class Collect(Step):
    """Results of the fold for points that run side by side, kept in memory and finished in loops."""

    keyword = "collect"

    def __str__(self) -> str:
        return self.keyword


@dataclass(frozen=True)
class Packed(Step):
    """Four points that run side by side are the bytes of words, as far as they are read or written side by side.

    A fold to the largest or smallest byte compares four at once; without a fold words are taken apart into lanes of 16
    bits, which multiplications read as they are.
    """

    keyword = "packed"

    def __str__(self) -> str:
        return self.keyword


@dataclass(frozen=True)
class Tensorize(Step):
    """The innermost loops are what a kernel means, and become a call of it: tensorization.

    The kernel is one of an instruction set, `SET.KERNEL`. Its own dimensions are these loops, those of the space first.
    Sums lie in an array on the stack. Where a compiler does not have the instructions the loops stay. The word is that
    of TVM (Chen et al., OSDI 2018, section 4.3).
    """

    keyword = "tensorize"

    kernel: str
    dims: tuple[str, ...]

    @classmethod
    def parse(cls, parser: AttrParser) -> Tensorize:
        return cls(parser.parse_str_literal("kernel"), parse_dims(parser))

    def renamed(self, name: Callable[[str], str]) -> Tensorize:
        return replace(self, dims=tuple(map(name, self.dims)))

    def __str__(self) -> str:
        return f'tensorize "{self.kernel}" ({", ".join(self.dims)})'
