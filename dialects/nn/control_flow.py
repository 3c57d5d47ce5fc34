"""Control flow on tensors: `nn.cond_if`, `nn.while_loop`, `nn.scan`, and `nn.yield`, which ends their regions."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, UnitAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from ..terminator import ValuesTerminator
from ..values import flag
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


@irdl_op_definition
class ScanOp(Structured):
    """Runs `body` once for each slice of the sequences along dimension 0: a recurrent layer of any kind.

    The body takes the states, then a slice of each sequence, and yields the next states, then what is stacked. Results
    are the last states, then the stacks, whose slices lie in the order of the sequences. With `reverse` the last slice
    comes first.

    Example: `%last, %all = nn.scan initial(%h) over(%x) reverse body { ^bb0(%s: tensor<2xf32>, %r: tensor<2xf32>):
    ... nn.yield %n, %n : tensor<2xf32>, tensor<2xf32> } : (tensor<2xf32>), (tensor<9x2xf32>) -> (tensor<2xf32>,
    tensor<9x2xf32>)`
    """

    name = "nn.scan"
    initial = var_operand_def(TensorType)
    sequences = var_operand_def(TensorType)
    reverse = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "`initial` `(` $initial `)` `over` `(` $sequences `)` (`reverse` $reverse^)? `body` $body attr-dict `:`"
        " `(` type($initial) `)` `,` `(` type($sequences) `)` `->` `(` type($outputs) `)`"
    )

    def __init__(
        self,
        initial: Sequence[SSAValue],
        sequences: Sequence[SSAValue],
        body: Block,
        types: Sequence[Attribute],
        *,
        reverse: bool = False,
    ):
        super().__init__(
            operands=[list(initial), list(sequences)],
            result_types=[types],
            properties={"reverse": flag(reverse)},
            regions=[Region(body)],
        )

    @property
    def steps(self) -> int:
        """Number of slices."""
        return shape_of(self.sequences[0])[0]

    def verify_(self) -> None:
        if not self.sequences or any(shape_of(each)[:1] != (self.steps,) for each in self.sequences):
            raise VerifyException(f"'{self.name}' op needs sequences, all with the same number of slices")
        count = len(self.initial)
        states = [value.type for value in self.initial]
        slices = [TensorType(element_type_of(each), shape_of(each)[1:]) for each in self.sequences]
        if list(self.body.block.arg_types) != [*states, *slices]:
            raise VerifyException(f"'{self.name}' op the body must take the states, then a slice of each sequence")
        stacks = [value.type for value in self.outputs[count:]]
        last = self.body.block.last_op
        yielded = list(last.values)[count:] if isinstance(last, YieldOp) else []
        if [value.type for value in self.outputs[:count]] != states:
            raise VerifyException(f"'{self.name}' op first results must have the types of the states")
        wanted = [TensorType(element_type_of(each), (self.steps, *shape_of(each))) for each in yielded]
        if stacks != wanted:
            raise VerifyException(f"'{self.name}' op further results must be stacks of what the body yields")
        verify_yield(self, "the body", self.body.block, [*states, *(value.type for value in yielded)])


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
