"""An operation of another package says what its channels are and ties them, and channels around it go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.traits import Pure

from stillpool.dialects import nn_keys
from stillpool.dialects.nn.interfaces import ByChannel, HasRanges, shape_of
from stillpool.dialects.nn.matmul import FullyConnectedOp
from stillpool.dialects.nn.ranges import Ranges
from stillpool.driver import pipeline
from stillpool.transforms.nn.channels.channels_pass import NnChannelsPass
from stillpool.transforms.nn.channels.ranges_pass import NnRangesPass
from stillpool.transforms.nn.check_channels import Refuted, check_channels


@irdl_op_definition
class RampOp(IRDLOperation, HasRanges, ByChannel):
    """Channel n is from -n to n, whatever the operand is, but 0 where that is 0."""

    name = "other.ramp"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def keeps_channels(self) -> bool:
        return True

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        (input,) = operands
        ends = np.where(input.constant & (input.least == 0), 0, np.arange(input.channels))
        return [Ranges(-ends, ends)]


PRODUCT = "zero_points [0, 0, 0] rescale <[1073741824], [1]> clamp <-128, 127>"
NETWORK = f"""
func.func @m(%x: tensor<1x2xi8>) -> tensor<1x1xi8> {{
  %w = nn.constant dense<[[1, 1], [2, 1], [0, 0], [3, 1]]> : tensor<4x2xi8>
  %h = nn.fully_connected %x, %w {PRODUCT} : (tensor<1x2xi8>, tensor<4x2xi8>) -> tensor<1x4xi8>
  %r = other.ramp %h : tensor<1x4xi8> to tensor<1x4xi8>
  %v = nn.constant dense<[[1, 1, 1, 1], [1, 0, 9, 0]]> : tensor<2x4xi8>
  %s = nn.fully_connected %r, %v {PRODUCT} : (tensor<1x4xi8>, tensor<2x4xi8>) -> tensor<1x2xi8>
  %u = nn.constant dense<[[1, 1]]> : tensor<1x2xi8>
  %t = nn.fully_connected %s, %u {PRODUCT} : (tensor<1x2xi8>, tensor<1x2xi8>) -> tensor<1x1xi8>
  func.return %t : tensor<1x1xi8>
}}"""


def network() -> tuple[Context, ModuleOp]:
    context = pipeline.context()
    context.load_dialect(Dialect("other", [RampOp]))
    return context, Parser(context, NETWORK).parse_module()


def products(module: ModuleOp) -> list[FullyConnectedOp]:
    return [op for op in module.walk() if isinstance(op, FullyConnectedOp)]


def test_ranges_follow_from_what_it_says() -> None:
    context, module = network()
    NnRangesPass().apply(context, module)
    (ramp,) = [op for op in module.walk() if isinstance(op, RampOp)]
    assert nn_keys.MOST.get(ramp.attributes) == (0, 1, 0, 3)


def test_channels_before_and_behind_it_go() -> None:
    context, before = network()
    after = before.clone()
    NnChannelsPass().apply(context, after)
    # Channels 0 and 2 are 0 behind it, so nobody needs them before; then the second row of the next product is 0.
    assert [shape_of(op.output)[-1] for op in products(after)] == [2, 1, 1]
    assert shape_of(next(op for op in after.walk() if isinstance(op, RampOp)).output) == (1, 2)
    assert check_channels(before, after) == 5


def test_the_checker_takes_its_word_and_no_other() -> None:
    context, before = network()
    after = before.clone()
    NnChannelsPass().apply(context, after)
    record = nn_keys.REMOVED.get(products(after)[1].attributes)
    assert record is not None

    class Wider(RampOp):
        def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
            (said,) = super().ranges(operands)
            return [Ranges(said.least - 1, said.most + 1)]

    for op in before.walk():
        if isinstance(op, RampOp):
            op.__class__ = Wider
    with pytest.raises(Refuted):
        check_channels(before, after)
