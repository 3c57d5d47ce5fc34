"""Operators of C functions on buffers: `external.call`, or `external.launch` and `external.wait`."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, MemRefType, StringAttr, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import integer, integers
from .handed import Handed
from .types import RunType, TokenType


class BufferOp(Handed, abc.ABC):
    """Base: the buffers, and the run that the function belongs to."""

    inputs = var_operand_def(MemRefType)
    outputs = var_operand_def(MemRefType)
    scratch = opt_operand_def(MemRefType)
    run = opt_operand_def(RunType)
    """Added by `external-run`."""
    types = prop_def(DenseArrayBase.constr(i32))
    """Place of each element type in `custom_types.TYPES`, of inputs, then outputs."""
    number = opt_prop_def(IntegerAttr)
    """Which parameters and which launch it is in the C code; added by `external-run`, as what follows."""
    open = opt_prop_def(StringAttr)
    """C function that is called with the device's handle before."""
    close = opt_prop_def(StringAttr)
    """C function that is called behind it."""
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def buffers(self) -> Sequence[SSAValue]:
        """Everything that the function may touch."""
        return [*self.inputs, *self.outputs, *([] if self.scratch is None else [self.scratch])]

    def verify_buffers(self) -> None:
        """Check names, and that there is scratch where it is asked for."""
        count = len(self.inputs) + len(self.outputs)
        self.verify_handed(count)
        if len(self.types) != count:
            raise VerifyException(f"'{self.name}' op must have {count} types, got {len(self.types)}")
        if (self.scratch is None) != (self.wishes.scratch == 0):
            raise VerifyException(f"'{self.name}' op has scratch, or asks for it, but not both")

    @staticmethod
    def segments(
        inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], scratch: SSAValue | None, run: SSAValue | None
    ) -> list[list[SSAValue]]:
        """The operands of the base."""
        return [list(inputs), list(outputs), [] if scratch is None else [scratch], [] if run is None else [run]]


@irdl_op_definition
class CallOp(BufferOp):
    """Calls the function, which is done when it returns."""

    name = "external.call"

    def __init__(
        self,
        source: Handed,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        scratch: SSAValue | None,
        types: Sequence[int],
    ):
        super().__init__(
            operands=self.segments(inputs, outputs, scratch, None),
            properties={**source.said, "types": integers(types)},
        )

    def verify_(self) -> None:
        self.verify_buffers()


@irdl_op_definition
class LaunchOp(BufferOp):
    """Calls the function, which begins; until `external.wait` all buffers are the device's."""

    name = "external.launch"
    token = result_def(TokenType)

    def __init__(
        self, source: BufferOp, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], scratch: SSAValue | None
    ):
        super().__init__(
            operands=self.segments(inputs, outputs, scratch, None),
            result_types=[TokenType()],
            properties={**source.said, "types": source.types},
        )

    def verify_(self) -> None:
        self.verify_buffers()
        uses = [use.operation for use in self.token.uses]
        if len(uses) != 1 or not isinstance(uses[0], WaitOp) or uses[0].parent is not self.parent:
            raise VerifyException(f"'{self.name}' op must be waited for once, in the block that it stands in")


@irdl_op_definition
class WaitOp(BufferOp):
    """Waits until the device is done. The operands are those of the launch: they are in use until here."""

    name = "external.wait"
    token = operand_def(TokenType)

    def __init__(self, launch: LaunchOp):
        super().__init__(
            operands=[launch.token, *self.segments(launch.inputs, launch.outputs, launch.scratch, launch.run)],
            properties={**launch.said, "types": launch.types, "number": launch.number},
        )

    def verify_(self) -> None:
        self.verify_buffers()
        launch = self.token.owner
        if not isinstance(launch, LaunchOp):
            raise VerifyException(f"'{self.name}' op waits for no external.launch")
        if list(launch.buffers) != list(self.buffers) or launch.said != self.said:
            raise VerifyException(f"'{self.name}' op must be given what its launch is given")


def set_number(op: BufferOp, number: int) -> None:
    """Say which parameters and launch an operation is."""
    attribute = integer(number, i32)
    assert attribute is not None, "a number is given"
    op.properties["number"] = attribute


def _touch(op: BufferOp) -> Sequence[Access]:
    """Inputs may be read; scratch and outputs are written, nothing of which is read that was there before."""
    return [*_accesses(op.inputs, is_write=False), *_accesses(_written(op), is_write=True)]


answers_for(CallOp)(_touch)
answers_for(LaunchOp)(_touch)


@answers_for(WaitOp)
def _wait(op: WaitOp) -> Sequence[Access]:
    """The device has read and written everything up to now, so that it all must still have been there."""
    return [*_accesses(op.buffers, is_write=False), *_accesses(_written(op), is_write=True)]


def _written(op: BufferOp) -> Sequence[SSAValue]:
    return [*([] if op.scratch is None else [op.scratch]), *op.outputs]


def _accesses(values: Sequence[SSAValue], *, is_write: bool) -> Sequence[Access]:
    return [Access(value, is_write, is_sure=False) for value in dict.fromkeys(values)]
