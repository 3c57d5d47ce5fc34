"""Steps that make other nests of a nest, before there are loops: their bases.

They come first in a schedule. The pass `apply-steps` carries them out one after the other: what each makes is a module
that can be read and edited, without the step. Which dimensions there are after one, the steps behind it already name.
"""

from __future__ import annotations

from .loop import Loop
from .loop_steps import OfOneDim
from .step import Domain, Step


class Rewrite(Step):
    """Base of such steps."""


class OfDim(OfOneDim, Rewrite):
    """A step that says one thing of one dimension, which stays."""

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        return (loop,)
