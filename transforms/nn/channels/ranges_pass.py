"""The pass `nn-ranges`: what each channel can be is written on the operations, for readers and for other passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects import nn_keys
from ....dialects.nn.constant import ConstantOp
from .analysis import block_ranges, is_narrow


@dataclass(frozen=True)
class NnRangesPass(ModulePass):
    """Write least and most of each channel of integer results as `nn.least` and `nn.most`."""

    name: ClassVar[str] = "nn-ranges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or len(function.body.blocks) != 1:
                continue
            if not is_narrow(function.body.block):
                continue
            ranges = block_ranges(function.body.block)
            for inner in function.body.block.ops:
                known = [ranges[result] for result in inner.results if result in ranges]
                if isinstance(inner, ConstantOp) or not known or any(each.is_real for each in known):
                    continue
                for key, ends in (
                    (nn_keys.LEAST, [each.least for each in known]),
                    (nn_keys.MOST, [each.most for each in known]),
                ):
                    key.put(inner.attributes, tuple(int(end) for end in np.concatenate(ends)))
