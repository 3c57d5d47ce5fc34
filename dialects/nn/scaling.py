"""Common parts of operations that rescale quantised elements: properties, constructor arguments, syntax."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict, Unpack

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import integer, integers
from .attributes import ClampAttr, RescaleAttr, ints
from .interfaces import FusesClamp, expect_length
from .quantisation import Quantisation
from .quantised import is_scaled, verify_clamp


class Scaling(TypedDict, total=False):
    """How an operation rescales quantised elements, as arguments of its constructor; without, it does not."""

    zero_points: Sequence[int] | None
    rescale: RescaleAttr | None
    clamp: ClampAttr | None


class ShiftedScaling(Scaling, total=False):
    """Arguments for an operation of class `Shifted`."""

    left_shift: int | None


def scaled_properties(**scaling: Unpack[ShiftedScaling]) -> dict[str, Attribute | None]:
    """The properties of an operation that rescales, from plain Python values."""
    return {
        "zero_points": integers(scaling.get("zero_points")),
        "left_shift": integer(scaling.get("left_shift")),
        "rescale": scaling.get("rescale"),
        "clamp": scaling.get("clamp"),
    }


class Rescales(IRDLOperation, FusesClamp, abc.ABC):
    """Base of the operations that rescale quantised elements; each says how many zero points and factors it has."""

    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of operands and result."""
    rescale = opt_prop_def(RescaleAttr)
    """Fixed-point factors."""
    clamp = opt_prop_def(ClampAttr)
    """The fused activation, or the range of the result."""

    def fuses_clamp(self) -> bool:
        """Only where it has bounds already: as part of the scaling, unless a class says more."""
        return self.clamp is not None


SCALING = " (`zero_points` $zero_points^)? (`rescale` $rescale^)? (`clamp` $clamp^)?"
"""The assembly format of what `Rescales` declares."""


class Scaled(Rescales, abc.ABC):
    """Base of those that have zero points, factors and a clamp together, or none of them but a clamp of floats."""

    @property
    def quantised(self) -> Quantisation | None:
        """How elements are rescaled, if they are quantised."""
        if self.zero_points is None or self.rescale is None or self.clamp is None:
            return None
        return Quantisation(ints(self.zero_points), self.rescale, self.clamp)


class Shifted(Scaled, abc.ABC):
    """Base of those that may give elements head room before they are rescaled."""

    left_shift = opt_prop_def(IntegerAttr.constr(type=i32))
    """Bits of head room."""

    @property
    def quantised(self) -> Quantisation | None:
        plain = super().quantised
        if plain is None or self.left_shift is None:
            return plain
        return replace(plain, left_shift=self.left_shift.value.data)

    def verify_shifted(self, element_type: Attribute, zero_points: int, factors: int, *, shifted: bool = True) -> None:
        """Check that there are zero points, factors and a clamp for results of 8 and 16 bits, and none for others.

        Args:
            element_type: of the result.
            zero_points: how many there must be.
            factors: how many there must be.
            shifted: whether this operation has a `left_shift`.

        Raises:
            VerifyException: one is missing, there are too many, or the elements are not quantised.
        """
        scaled = is_scaled(element_type)
        given = [attribute is not None for attribute in (self.zero_points, self.left_shift, self.rescale)]
        if given != [scaled, scaled and shifted, scaled]:
            names = "zero_points, left_shift and rescale" if shifted else "zero_points and rescale"
            raise VerifyException(f"'{self.name}' op needs {names} exactly when elements are quantised")
        if self.rescale is not None and self.zero_points is not None:
            expect_length(self, "zero_points", len(self.zero_points), zero_points)
            expect_length(self, "rescale", len(self.rescale.multiplier), factors)
        verify_clamp(self, self.clamp, element_type, required=scaled)


SHIFTED_SCALING = (
    " (`zero_points` $zero_points^)? (`left_shift` $left_shift^)? (`rescale` $rescale^)? (`clamp` $clamp^)?"
)
"""The assembly format of what `Shifted` declares."""
