"""Conditions that all USMP passes take for granted; each checks them first, so that no later step fails obscurely."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import operations
from ....dialects.pool import keys
from ....dialects.pool.verify import verify_attributes
from .structure import functions


def require_sound(module: ModuleOp) -> None:
    """Attributes `pool.*` are sound, and functions consist of structured control flow.

    Raises:
        VerifyException: an attribute means nothing, or its value is out of range.
        PassFailedException: a function has several blocks.
    """
    verify_attributes(module)
    for op in module.ops:
        for inner in operations(op):
            verify_attributes(inner)
            if inner.regions and isinstance(op, func.FuncOp):
                _require_one_block(inner, op)


def _require_one_block(op: Operation, function: func.FuncOp) -> None:
    for region in op.regions:
        if region.first_block is not region.last_block:
            raise PassFailedException(
                f"'{op.name}' op in @{function.sym_name.data} has several blocks: make scf of its branches, "
                "as mlir-opt --lift-cf-to-scf does"
            )


def is_carried_out(module: ModuleOp) -> bool:
    """Whether `usmp-materialize-offsets` has run: functions take pools."""
    return any(
        keys.POOL.within(attributes.data) for f in functions(module).values() for attributes in f.arg_attrs or ()
    )
