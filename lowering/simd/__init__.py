"""What operations of `simd` mean, in loops and arithmetic: what runs where no processor has instructions for them."""

from . import dots as dots
from . import lanes as lanes
from . import tiles as tiles
from . import unpack_points as unpack_points
from . import windows as windows
from . import words as words
from .lower_simd import LowerSimdPass
from .meaning import accessed, loops_of, operands_of

__all__ = ["LowerSimdPass", "accessed", "loops_of", "operands_of"]
