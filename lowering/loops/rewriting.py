"""Rewriting of modules that come through more than once: patterns are only tried where there is something for them.

What is trivially dead goes all the same, as when patterns are tried: one walk does that in a fifth of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker, RewritePattern
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator, MemoryEffect, MemoryWriteEffect, RecursiveMemoryEffect, SymbolOpInterface
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ...dialects.operations import operations

_STAYS: dict[type[Operation], bool] = {}
"""Whether operations of a class are never dead, whatever they contain."""
_HAS_EFFECT: dict[type[Operation], bool] = {}
"""Whether they write, or may do anything, whatever they contain."""


def rewrite(module: ModuleOp, patterns: Sequence[RewritePattern], is_lowered: Callable[[Operation], bool]) -> None:
    """Try patterns once on each operation, if they lower any, and remove operations that are trivially dead."""
    if any(is_lowered(op) for op in operations(module)):
        PatternRewriteWalker(GreedyRewritePatternApplier([*patterns]), apply_recursively=False).rewrite_module(module)
    else:
        _remove_dead(module)


def _remove_dead(module: ModuleOp) -> None:
    for op in operations(module.body):
        # What was in an operation that is gone has no parent.
        if op.parent is not None and _is_dead(op):
            Rewriter.erase_op(op)


def _is_dead(op: Operation) -> bool:
    if any(result.first_use is not None for result in op.results):
        return False
    kind = type(op)
    if kind not in _STAYS:
        _STAYS[kind] = kind.has_trait(IsTerminator) or kind.has_trait(SymbolOpInterface) or _kind_has_effect(kind)
    return not _STAYS[kind] and not _has_effect(op) and is_trivially_dead(op)


def _has_effect(op: Operation) -> bool:
    """Whether an operation does more than make its results; if not, `is_trivially_dead` has the last word."""
    kind = type(op)
    if kind not in _HAS_EFFECT:
        _HAS_EFFECT[kind] = _kind_has_effect(kind)
    if _HAS_EFFECT[kind]:
        return True
    # Stores are the last operations of most blocks.
    return kind.has_trait(RecursiveMemoryEffect) and any(
        _has_effect(inner) for region in op.regions for block in region.blocks for inner in reversed(block.ops)
    )


def _kind_has_effect(kind: type[Operation]) -> bool:
    effects = kind.get_traits_of_type(MemoryEffect)
    return not effects or any(type(effect) is MemoryWriteEffect for effect in effects)
