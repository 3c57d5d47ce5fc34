"""Types of EmitC, each verified once: xDSL 0.74 verifies them again for each attribute that is made of them."""

from __future__ import annotations

from xdsl.dialects.emitc import EmitCTypeConstraint
from xdsl.ir import Attribute
from xdsl.irdl import VerificationContext

_verify = EmitCTypeConstraint.verify
_ALLOWED: set[Attribute] = set()
"""Types that were verified: a translation unit has few."""


def _verify_once(self: EmitCTypeConstraint, attr: Attribute, constraint_context: VerificationContext) -> None:
    if attr not in _ALLOWED:
        _verify(self, attr, constraint_context)
        _ALLOWED.add(attr)


EmitCTypeConstraint.verify = _verify_once
