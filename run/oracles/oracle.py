"""References of compiled models: the interface that every kind of model file fills in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import InputError
from ...targets.interfaces.description import Description
from ..samples import Array

SECONDS = 600
"""Seconds that an oracle may take unless less is said."""


class OracleMissing(InputError):
    """Nothing is installed that could compute the answer."""


class OracleTooSlow(InputError):
    """The answer took longer than it may."""


@dataclass(frozen=True)
class Judged:
    """One operator of the model's file, and who computed it."""

    index: int
    """Number of the operator in the file."""
    operator: str
    """Its kind."""
    output: str
    """Name of its first output."""
    oracle: str
    """Who computed it, in words."""


@dataclass(frozen=True)
class Reference:
    """Outputs that an oracle computed."""

    oracle: str
    """Who computed it, in words; of several, who computed most of it."""
    outputs: tuple[Array, ...]
    """One array per output, the first axis is the sample."""
    further: Mapping[str, Array] = field(default_factory=lambda: {})
    """Other tensors by name, as far as they were asked for and are known."""
    judged: tuple[Judged, ...] = ()
    """Who computed each operator; empty where one program computed the whole network."""

    @property
    def words(self) -> str:
        """All who computed it, in words; behind whoever computed less of it the operators."""
        others = Counter((one.oracle, one.operator) for one in self.judged if one.oracle != self.oracle)
        texts = {oracle: "" for oracle, _ in others}
        for (oracle, operator), count in others.items():
            texts[oracle] += f"{', ' if texts[oracle] else ''}{operator}{f' ({count})' if count > 1 else ''}"
        return "; ".join([self.oracle, *(f"{oracle} for {operators}" for oracle, operators in texts.items())])


class Oracle(ABC):
    """Computes what a model must compute, with somebody else's code."""

    @abstractmethod
    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """The outputs for stacked samples (first axis).

        Args:
            description: the compiled model.
            inputs: one array for each of its inputs, in order.
            further: names of tensors inside the model that are wanted too; an oracle may leave out any of them.
            timeout: seconds that it may take.

        Raises:
            OracleMissing: nothing is installed that could compute it.
            InputError: what is installed refuses the model, or an operator of it, which the message names.
        """
