"""Parts of a function that computes an `fx` operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Block, Region, SSAValue

from ...dialects import nn_keys
from ..builder import Loops


@dataclass(frozen=True)
class Helper:
    """A function to one i32: name, argument names, what the comment says, the body, and argument types other than i32.

    Bodies may use other `fx` operations.
    """

    name: str
    arguments: tuple[str, ...]
    comment: str
    body: Callable[[Loops, Sequence[SSAValue]], SSAValue]
    types: tuple[IntegerType, ...] | None = None

    def build(self) -> func.FuncOp:
        """The private function."""
        block = Block(arg_types=self.types or [i32] * len(self.arguments))
        for argument, name in zip(block.args, self.arguments, strict=True):
            argument.name_hint = name
        k = Loops(block)
        k.builder.insert(func.ReturnOp(self.body(k, block.args)))
        function = func.FuncOp(self.name, (block.arg_types, [i32]), Region(block), "private")
        nn_keys.COMMENT.put(function.attributes, self.comment)
        return function
