"""Operations that are alike are verified by their definition once in a module.

xDSL 0.74 holds each operand, result and attribute of each operation against its constraint: most of what verifying a
module takes. All that constraints hear of is types and attributes. Traits and what operations verify themselves look
at more, and are asked each time.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.ir import Attribute, Operation
from xdsl.irdl import OpDef

_verified = OpDef.verify
_SEEN: ContextVar[dict[Hashable, tuple[Attribute, ...]] | None] = ContextVar("_SEEN", default=None)
"""Operations that were right, by their definition and the identity of types and attributes, which stay alive for it."""


@contextmanager
def verified_once() -> Generator[None]:
    """Within it what was found right is remembered."""
    before = _SEEN.set({})
    try:
        yield
    finally:
        _SEEN.reset(before)


def _verify(self: OpDef, op: Operation) -> None:
    seen = _SEEN.get()
    if seen is None or op.regions or op.successors:
        _verified(self, op)
        return
    parts = (*op.operand_types, *op.result_types, *op.properties.values(), *op.attributes.values())
    names = (*op.properties, None, *op.attributes)
    key = id(self), len(op.operands), names, tuple(map(id, parts))
    if key not in seen:
        _verified(self, op)
        seen[key] = parts
        return
    for trait in self.traits:
        trait.verify(op)


OpDef.verify = _verify
