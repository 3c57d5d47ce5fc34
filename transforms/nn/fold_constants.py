"""Operations on constants become constants."""

from __future__ import annotations

import math

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects import nn_keys
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.interfaces import Foldable, element_type_of, shape_of

MOST_FOLDED = 256
"""Elements that a folded constant may have although that is more than it is made from."""


class FoldConstants(RewritePattern):
    """Compute what follows from constants alone, unless that has more elements than they: flash is scarce, too."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, Foldable) or not op.operands:
            return
        owners = [operand.owner for operand in op.operands]
        constants = [owner for owner in owners if isinstance(owner, ConstantOp)]
        elements = sum(math.prod(shape_of(result)) for result in op.results)
        size = sum(math.prod(shape_of(constant.result)) for constant in constants)
        if len(constants) < len(owners) or elements > max(size, MOST_FOLDED):
            return
        folded = op.fold([constant.array for constant in constants])
        if folded is None:
            return
        made = [ConstantOp.of(array, element_type_of(result)) for array, result in zip(folded, op.results, strict=True)]
        names = [nn_keys.NAME.get(constant.attributes) for constant in constants]
        for constant, result in zip(made, op.results, strict=True):
            hint = result.name_hint
            nn_keys.NAME.put(constant.attributes, names[0] or hint or "folded")
            constant.result.name_hint = hint
        rewriter.replace(op, made, [constant.result for constant in made])
