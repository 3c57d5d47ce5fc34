"""The numbers of a constant at the places of a nest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from ...dialects.task import NestOp
from ...dialects.task.syntax import Access

Wide = npt.NDArray[np.int64]


def elements(nest: NestOp, access: Access, dims: Sequence[int], values: Wide) -> Wide:
    """What an access reads at all places of some dimensions, with an axis for each of them: a view of the constant.

    Args:
        nest: the nest.
        access: one of its reads that is never clipped.
        dims: dimensions of the nest; it is at the first place of all others.
        values: the constant, in the shape of its memory.
    """
    extents = [nest.extents[d] for d in dims]
    if 0 in nest.extents:
        # Nothing is ever read, and places are not verified.
        return np.zeros(extents, np.int64)
    forms = [nest.form(index) for index in access.indices]
    first = values[(*(slice(form.constant, None) for form in forms), ...)]
    steps = [sum(form.coefficient(d) * step for form, step in zip(forms, values.strides, strict=True)) for d in dims]
    return as_strided(first, extents, steps, writeable=False)
