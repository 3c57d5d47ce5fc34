"""Atomic updates of memory: on one processor a load, what combines, and a store."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ...dialects.upstream.memref import RMW_KINDS
from .combine import combine


class LowerAtomicUpdate(RewritePattern):
    """The result is what stood there before, as of LLVM's `atomicrmw`, to which MLIR lowers the operation."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.AtomicRMWOp, rewriter: PatternRewriter, /) -> None:
        number = op.kind.value.data
        if not 0 <= number < len(RMW_KINDS):
            raise PassFailedException(f"'{op.name}' op kind {number} is none of {', '.join(RMW_KINDS)}")
        build, kind = Builder(InsertPoint.before(op)), RMW_KINDS[number]
        before = build.insert(memref.LoadOp.get(op.memref, op.indices)).res
        after = op.value if kind == "assign" else combine(build, kind, before, op.value)
        build.insert(memref.StoreOp.get(after, op.memref, op.indices))
        rewriter.replace(op, [], [before])
