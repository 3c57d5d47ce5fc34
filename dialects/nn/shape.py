"""Operators that only rename the place of elements: `nn.reshape`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .interfaces import Foldable, HasRanges, View, channels_of, shape_of
from .ranges import Ranges, united
from .signature import FromTensor


@irdl_op_definition
class ReshapeOp(FromTensor, View, Foldable, HasRanges):
    """Give the elements another shape in row-major order; bytes stay where they are."""

    name = "nn.reshape"

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Where one number of channels divides the other, those of the elements that come there; else of all."""
        given, channels = operands[0], channels_of(self.output)
        if given.channels and channels % given.channels == 0:
            return [given.taken(np.arange(channels) % given.channels)]
        if channels and given.channels % channels == 0:
            return [united([given.taken(np.arange(n, n + channels)) for n in range(0, given.channels, channels)])]
        whole = united([given.taken(np.full(channels, n)) for n in range(given.channels)])
        return [whole]

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        return [operands[0].reshape(shape_of(self.output))]

    def verify_(self) -> None:
        self.verify_same_elements()
        if math.prod(shape_of(self.input)) != math.prod(shape_of(self.output)):
            raise VerifyException(
                f"'{self.name}' op cannot reshape {list(shape_of(self.input))} to {list(shape_of(self.output))}: "
                "the numbers of elements differ"
            )
