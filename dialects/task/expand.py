"""The steps `expand` and `tensorize`: which loops run inside of the fold, on sums in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Annotated

from ..simd.dots import CHANNELS
from .clipping import shortened
from .code import Code
from .lanes import verify_bytes
from .loop import Loop
from .step import Dim, Dims, Flag, Spelling
from .structure import Nest

MOST_POINTS = 1024
"""Most points whose sums lie in an array on the stack."""


@dataclass(frozen=True)
class Expand(Code):
    """All points of a space dimension run in loops of their own at each place of the fold, their sums in an array.

    C compilers turn such loops into vector instructions. The transformation is known as scalar expansion (Allen and
    Kennedy, Optimizing Compilers for Modern Architectures, section 5.3).
    """

    dim: Dim
    dots: Flag = False
    """Whether sums of products are dot products of four bytes each, sixteen channels at once: the constant is packed
    into bytes, zero points are in where the sums start, and what does not lie side by side is copied so that it
    does."""

    @property
    def writes_out(self) -> bool:
        return self.dots

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        if not nest.fold.data:
            raise ValueError(f"{self}: there is no fold")
        space = [loop for loop in loops if not loop.is_fold]
        loop = next((loop for loop in loops if loop.name == self.dim), None)
        if loop is None or loop is not (space[-1] if space else None) or loop.is_outer:
            raise ValueError(f"{self}: {self.dim} is not the innermost loop over space")
        if any(one.form == "jam" for one in space) or loop.form != "loop" or loop.reverse:
            raise ValueError(f"{self}: no loop is jammed, and this one neither unrolled nor reversed")
        if loop.extent > MOST_POINTS:
            raise ValueError(f"{self}: sums of {loop.extent} points do not fit on the stack, split it ({MOST_POINTS})")
        if not self.dots:
            for fold, _ in shortened(nest, [loop.dim]):
                raise ValueError(f"{self}: the range of {fold} depends on it, for a read is clipped")
            return
        if loop.is_part and loop.extent % CHANNELS:
            raise ValueError(f"{self}: blocks have a multiple of {CHANNELS} points")
        verify_bytes(nest, loop.dim, loops, str(self))


@dataclass(frozen=True)
class Tensorize(Code):
    """The innermost loops are what a kernel means, and become a call of it: tensorization.

    The kernel is one of an instruction set, `SET.KERNEL`. Its own dimensions are these loops, those of the space first.
    Sums lie in an array on the stack. Where a compiler does not have the instructions the loops stay. The word is that
    of TVM (Chen et al., OSDI 2018, section 4.3).
    """

    kernel: Annotated[str, Spelling(lambda parser: parser.parse_str_literal("kernel"), '"{}"'.format)]
    dims: Dims

    reorders = True

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        # What the kernel means is asked where kernels are known.
        for loop in loops:
            if loop.form == "jam":
                raise ValueError(f"{self}: it does not go with jam {loop.name}")
        space, fold = ([loop for loop in loops if loop.is_fold == is_fold] for is_fold in (False, True))
        named = [loop.name for loop in loops if loop.name in self.dims]
        count = sum(loop.name in self.dims for loop in space)
        inside = [*space[len(space) - count :], *fold[len(fold) - len(self.dims) + count :]]
        if named != list(self.dims) or [loop.name for loop in inside] != named or len(inside) == count:
            raise ValueError(f"{self}: its loops are not the innermost ones of the space, then of the fold")
        for loop in inside:
            if loop.is_outer or loop.form != "loop" or loop.reverse:
                raise ValueError(f"{self}: {loop.name} is no loop over single points in order")
        points = prod(loop.extent for loop in inside[:count])
        if points > MOST_POINTS:
            raise ValueError(f"{self}: sums of {points} points do not fit on the stack, split them ({MOST_POINTS})")
        for fold_name, dim in shortened(nest, [loop.dim for loop in inside[:count]]):
            name = next(loop.name for loop in inside if loop.dim == dim)
            raise ValueError(f"{self}: the range of {fold_name} depends on {name}, for a read is clipped")
