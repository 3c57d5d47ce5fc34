"""Hooks of a device around a whole run: `external.activate` and `external.deactivate`."""

from __future__ import annotations

import abc

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from .types import RunType


class DeviceOp(IRDLOperation, abc.ABC):
    """Base: the device, and the run."""

    device = prop_def(StringAttr)
    function = prop_def(StringAttr)
    """The C function."""
    run = operand_def(RunType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$device `by` $function `,` $run attr-dict"

    def __init__(self, device: str, function: str, run: SSAValue):
        super().__init__(operands=[run], properties={"device": StringAttr(device), "function": StringAttr(function)})


@irdl_op_definition
class ActivateOp(DeviceOp):
    """Calls the device's hook `activate`, before the first operator of a run."""

    name = "external.activate"


@irdl_op_definition
class DeactivateOp(DeviceOp):
    """Calls the device's hook `deactivate`, behind the last operator of a run, if it was activated."""

    name = "external.deactivate"
