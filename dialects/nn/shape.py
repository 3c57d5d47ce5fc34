"""Operators that only rename the place of elements: `nn.reshape`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .interfaces import Foldable, View, shape_of
from .signature import FromTensor


@irdl_op_definition
class ReshapeOp(FromTensor, View, Foldable):
    """The same elements in row-major order under another shape; bytes stay where they are."""

    name = "nn.reshape"

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        return [operands[0].reshape(shape_of(self.output))]

    def verify_(self) -> None:
        self.verify_same_elements()
        if math.prod(shape_of(self.input)) != math.prod(shape_of(self.output)):
            raise VerifyException(
                f"'{self.name}' op cannot reshape {list(shape_of(self.input))} to {list(shape_of(self.output))}: "
                "the numbers of elements differ"
            )
