"""Constants from which sums start, and others in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...dialects.task import NestOp
from ...dialects.task.products import Factor
from ...dialects.task.syntax import Access
from .constants import Constants, Numbers, Use
from .elements import elements
from .products import INT32_MAX, ConstantFactor, largest_sum


@dataclass(frozen=True)
class Scaling:
    """Scaling of sums: `factor * sum + more`, numbers for each channel."""

    factor: Numbers
    more: Numbers

    @staticmethod
    def by(factor: int, channels: int) -> Scaling:
        """Return the scaling by one factor for all channels."""
        return Scaling(np.full(channels, factor, np.int32), np.zeros(channels, np.int32))


def plain_start(nest: NestOp) -> Access | None:
    """The only read from which sums start, just as it is read; None if they start from anything else."""
    if len(nest.start_reads) != 1 or list(nest.accumulators) != list(nest.start.block.args):
        return None
    (access,) = nest.accesses("start_reads")
    return access


def starts_are_own(nest: NestOp) -> bool:
    """Whether nothing else reads what sums start from."""
    return len(nest.start_reads) == 1 and nest.start_reads[0].has_one_use()


def with_added(
    nest: NestOp,
    dims: Sequence[int],
    added: Sequence[Numbers],
    constants: Constants,
    scalings: Sequence[Scaling] | None = None,
) -> tuple[Sequence[Use], Sequence[Numbers]] | None:
    """Return the start of a nest's only sum, and that with something added to it, times a factor.

    Args:
        nest: the nest.
        dims: space dimensions that number the channels, innermost last.
        added: for each place where the constants come from, a number for each channel.
        constants: of the module.
        scalings: of the whole, wrapped to i32; none if not given.

    Returns:
        None if the sums do not start from constants alone, one for each channel.
    """
    bias = plain_start(nest)
    uses = None if bias is None else constants.uses(bias.buffer)
    if bias is None or uses is None or len(uses) != len(added) or not nest.dims_of(bias) <= {*dims}:
        return None
    made: list[Numbers] = []
    scalings = scalings or [Scaling.by(1, each.size) for each in added]
    for use, numbers, scaling in zip(uses, added, scalings, strict=True):
        biases = constants.values(use).astype(np.uint32)
        places = elements(nest, bias, dims, np.arange(biases.size).reshape(biases.shape)).reshape(-1)
        if len({*places.tolist()}) != numbers.size:
            return None
        whole = biases.flat[places] + numbers.view(np.uint32)
        biases.flat[places] = scaling.factor.view(np.uint32) * whole + scaling.more.view(np.uint32)
        made.append(biases.view(np.int32))
    return uses, made


def starts_of_elements(
    nest: NestOp, own: Factor, other: Factor, constants: Constants
) -> tuple[Sequence[Use], Sequence[Numbers]]:
    """From what sums start if elements count with their zero point.

    Args:
        nest: the nest.
        own: the factor that has the zero point.
        other: the constant that it is multiplied with.
        constants: of the module.

    Raises:
        ValueError: that is not known, or does not fit 32 bits.
    """
    of = ConstantFactor.of(nest, other, constants)
    if of is None:
        raise ValueError("the other factor is no constant")
    added = [-own.zero_point * each.sum(axis=1) for each in of.values]
    if any(np.abs(each).max(initial=0) > INT32_MAX for each in added):
        raise ValueError("what it adds to a sum does not fit 32 bits")
    found = with_added(nest, of.dims, [each.astype(np.int32) for each in added], constants)
    if found is None:
        raise ValueError("sums do not start from a constant for each channel")
    most = max(abs(extreme + own.zero_point) for extreme in own.extremes)
    if any(largest_sum(*both, most) > INT32_MAX for both in zip(of.values, found[1], strict=True)):
        raise ValueError("sums of elements as they are may leave 32 bits")
    return found
