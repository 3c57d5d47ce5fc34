"""Control flow on tensors: `nn.cond_if`, `nn.while_loop`, and `nn.yield`, which ends their regions."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from ..terminator import ValuesTerminator
from .interfaces import element_type_of, shape_of


@irdl_op_definition
class YieldOp(ValuesTerminator):
    """Ends a region of control flow with its results, which are tensors as the results of the operation are."""

    name = "nn.yield"
    values = var_operand_def()


class Structured(IRDLOperation, abc.ABC):
    """Base of the operations whose regions do what they do, and yield their results."""

    outputs = var_result_def(TensorType)
    traits = traits_def(RecursiveMemoryEffect(), SingleBlockImplicitTerminator(YieldOp))


@irdl_op_definition
class CondIfOp(Structured):
    """Runs one of two regions, which see the values around them and yield the results.

    Example: `%y = nn.cond_if %c then { nn.yield %a : tensor<2xf32> } else { nn.yield %b : tensor<2xf32> } :
    (tensor<i1>) -> tensor<2xf32>`
    """

    name = "nn.cond_if"
    condition = operand_def(TensorType)
    then_region = region_def("single_block")
    else_region = region_def("single_block")
    assembly_format = (
        "$condition `then` $then_region `else` $else_region attr-dict `:` functional-type(operands, results)"
    )

    def __init__(self, condition: SSAValue, then: Block, otherwise: Block, types: Sequence[Attribute]):
        super().__init__(operands=[condition], result_types=[types], regions=[Region(then), Region(otherwise)])

    def verify_(self) -> None:
        verify_condition(self, self.condition)
        for name, region in (("then", self.then_region), ("else", self.else_region)):
            verify_yield(self, f"the {name} region", region.block, [value.type for value in self.outputs])


@irdl_op_definition
class WhileLoopOp(Structured):
    """Repeats `body` as long as `condition` yields true; both take the carried values, `body` yields the next ones.

    Example: `%n = nn.while_loop %a condition { ^bb0(%x: tensor<i32>): ... nn.yield %c : tensor<i1> } body {
    ^bb0(%x: tensor<i32>): ... nn.yield %next : tensor<i32> } : (tensor<i32>) -> tensor<i32>`
    """

    name = "nn.while_loop"
    inputs = var_operand_def(TensorType)
    condition = region_def("single_block")
    body = region_def("single_block")
    assembly_format = "$inputs `condition` $condition `body` $body attr-dict `:` functional-type(operands, results)"

    def __init__(self, inputs: Sequence[SSAValue], condition: Block, body: Block):
        super().__init__(
            operands=[list(inputs)],
            result_types=[[value.type for value in inputs]],
            regions=[Region(condition), Region(body)],
        )

    def verify_(self) -> None:
        types = [value.type for value in self.inputs]
        if [value.type for value in self.outputs] != types:
            raise VerifyException(f"'{self.name}' op results must have the types of the carried values")
        for name, region in (("condition", self.condition), ("body", self.body)):
            if list(region.block.arg_types) != types:
                raise VerifyException(f"'{self.name}' op the {name} must take the carried values")
        verify_yield(self, "the body", self.body.block, types)
        last = self.condition.block.last_op
        if not isinstance(last, YieldOp) or len(last.values) != 1:
            raise VerifyException(f"'{self.name}' op the condition must yield one value")
        verify_condition(self, last.values[0])


def verify_condition(op: Operation, value: SSAValue) -> None:
    """Check that a value is one truth value."""
    shape = shape_of(value)
    if element_type_of(value) != i1 or any(extent != 1 for extent in shape):
        raise VerifyException(f"'{op.name}' op condition must be one i1, got {value.type}")


def verify_yield(op: Operation, what: str, block: Block, types: Sequence[Attribute]) -> None:
    """Check the types of what a block yields."""
    last = block.last_op
    yielded = [value.type for value in last.values] if isinstance(last, YieldOp) else []
    if yielded != list(types):
        listed = ", ".join(map(str, yielded)) or "nothing"
        raise VerifyException(
            f"'{op.name}' op {what} yields {listed}, expected {', '.join(map(str, types)) or 'nothing'}"
        )
