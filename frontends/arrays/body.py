"""The block of a network: its arguments, its operations, and the constants that these take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType, f32, i8
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn_keys
from ...dialects.nn.attributes import OriginAttr
from ...dialects.nn.constant import ConstantOp
from ...errors import InputError
from ..emission import insert_sound
from .scale import Scale


class Operand(Protocol):
    """A tensor as operators take it."""

    @property
    def value(self) -> SSAValue:
        """The value in the IR."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """All dimensions."""
        ...

    @property
    def scale(self) -> Scale | None:
        """Scale of int8 elements; None for float32."""
        ...


class Body:
    """A block into which operators go one by one."""

    def __init__(self, wrong: Callable[[str], InputError]):
        self.wrong = wrong
        """Makes the error that says what is wrong."""
        self.block = Block()
        self._builder = Builder(InsertPoint.at_end(self.block))
        self._count = 0

    def argument(self, shape: Sequence[int], scale: Scale | None) -> SSAValue:
        """Append an argument of the block."""
        return self.block.insert_arg(type_of(shape, scale), len(self.block.args))

    def constant(self, array: np.ndarray[Any, Any], element: Attribute, what: str) -> SSAValue:
        """Append a constant of the next operator."""
        made = ConstantOp.of(array, element)
        nn_keys.NAME.put(made.attributes, f"{what}_{self._count}")
        made.result.name_hint = what
        self._builder.insert(made)
        return made.result

    def add(self, what: str, operation: Operation) -> SSAValue:
        """Append an operator; its result.

        Raises:
            InputError: the operation's verifier refuses it.
        """
        origin, name = OriginAttr.get(self._count, what, f"{what}_{self._count}"), f"{what}_{self._count}"
        self._count += 1
        (result,) = insert_sound(self._builder, operation, origin, name, lambda words: self.wrong(f"{what}: {words}"))
        return result

    def value(self, operand: Operand) -> SSAValue:
        """The value of an operand.

        Raises:
            InputError: it is another network's.
        """
        owner = operand.value.owner
        if (owner if isinstance(owner, Block) else owner.parent) is not self.block:
            raise self.wrong("a tensor is another network's")
        return operand.value

    def check_rank(self, operand: Operand, rank: int, what: str) -> None:
        """Refuse an operand with another number of dimensions.

        Raises:
            InputError: it has another one.
        """
        shape = operand.shape
        if len(shape) != rank:
            raise self.wrong(f"{what}: {list(shape)} has {len(shape)} dimensions, not {rank}")


def type_of(shape: Sequence[int], scale: Scale | None) -> TensorType[Any]:
    """Type of a tensor in the IR: of int8 where there is a scale, else of float32."""
    return TensorType(f32 if scale is None else i8, shape)
