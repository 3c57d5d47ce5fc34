"""What `apply` verifies: the results that are asked for, and whatever another package's pass leaves."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from stillpool.driver import pipeline


@dataclass(frozen=True)
class BreakingPass(ModulePass):
    """Leaves a return outside of any function."""

    name: ClassVar[str] = "breaking"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.body.block.add_op(func.ReturnOp())


class OwnBreakingPass(BreakingPass):
    """The same under the name of one of stillpool's own."""

    name: ClassVar[str] = "lower-nn"


def test_a_result_is_verified() -> None:
    with pytest.raises(VerifyException):
        pipeline.apply(ModuleOp([]), (OwnBreakingPass(),), where="hand.mlir")


def test_a_stage_on_the_way_is_not() -> None:
    module = ModuleOp([])
    pipeline.apply(module, (OwnBreakingPass(),), where="hand.mlir", verify=False)
    with pytest.raises(VerifyException):
        module.verify()


def test_a_pass_of_another_package_is_verified_in_any_case() -> None:
    with pytest.raises(VerifyException):
        pipeline.apply(ModuleOp([]), (BreakingPass(),), where="hand.mlir", verify=False)
