"""Names, quantisation and structure of the imported entry function."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shared_models
from small_models import CONV_OPTIONS, Parts
from tflite_build import Operator, Tensor, constant, options  # pyright: ignore
from xdsl.dialects.func import FuncOp

from stillpool.dialects.nn import FullyConnectedOp, ReshapeOp
from stillpool.dialects.nn.attributes import OriginAttr
from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite


def entry(data: bytes, name: str = "net") -> FuncOp:
    """The imported function."""
    (function,) = import_tflite(data, name).ops
    assert isinstance(function, FuncOp)
    return function


def attributes(function: FuncOp) -> str:
    """The attributes of its arguments and results, printed."""
    return f"{function.arg_attrs} -> {function.res_attrs}"


def test_tensor_names_and_quantisation() -> None:
    function = entry(Parts().write(), "my net-2")
    assert function.sym_name.data == "my_net_2"
    assert attributes(function) == (
        '[{nn.name = "x", nn.scale = array<f32: 5.000000e-01>, nn.zero_point = array<i32: 3>}] -> '
        '[{nn.name = "y", nn.scale = array<f32: 2.000000e+00>, nn.zero_point = array<i32: -5>}]'
    )


def test_signature_names_win() -> None:
    function = entry(Parts(signature=(["image"], ["scores"])).write())
    assert 'nn.name = "image"' in attributes(function)
    assert 'nn.name = "scores"' in attributes(function)


def test_equal_names_are_told_apart() -> None:
    tensors = [Tensor((2,), "float32", name="a"), Tensor((2,), "float32", name="a"), Tensor((2,), "float32", name="a")]
    function = entry(Parts(tensors, [Operator("ADD", [0, 1], [2], options("Add"))], (0, 1), (2,)).write())
    assert attributes(function) == '[{nn.name = "a"}, {nn.name = "a_2"}] -> [{nn.name = "a"}]'


def test_every_operation_says_where_it_comes_from() -> None:
    function = entry(shared_models.named("resnet8_int8"))
    operations = [op for op in function.body.ops if op.name.startswith("nn.") and op.name != "nn.constant"]
    origins = [op.attributes["nn.origin"] for op in operations]
    indices = [origin.index.data for origin in origins if isinstance(origin, OriginAttr)]
    assert indices == sorted(indices)
    assert set(indices) == set(range(16))


def test_bias_may_carry_an_axis_it_has_not() -> None:
    parts = Parts()
    parts.tensors[2] = replace(parts.tensors[2], axis=3)
    assert "nn.conv2d" in str(entry(parts.write()))


def test_left_out_bias() -> None:
    for inputs in ([0, 1], [0, 1, -1]):
        parts = Parts()
        parts.operators[0] = replace(parts.operators[0], inputs=inputs)
        (conv,) = (op for op in entry(parts.write()).body.ops if op.name == "nn.conv2d")
        assert len(conv.operands) == 2


@pytest.mark.parametrize(
    ("shape", "keep", "output"), [((2, 3, 4), True, (2, 3, 5)), ((2, 3, 4), False, (6, 5)), ((4,), True, (5,))]
)
def test_fully_connected_takes_any_rank(shape: tuple[int, ...], keep: bool, output: tuple[int, ...]) -> None:
    tensors = [
        Tensor(shape, "float32"),
        constant(np.ones((5, 4), np.float32)),
        constant(np.ones((1, 5), np.float32)),
        Tensor(output, "float32"),
    ]
    made = options("FullyConnected", keepNumDims=keep)
    function = entry(Parts(tensors, [Operator("FULLY_CONNECTED", [0, 1, 2], [3], made)]).write())
    (product,) = (op for op in function.body.ops if isinstance(op, FullyConnectedOp))
    assert product.bias is not None
    assert str(product.bias.type) == "tensor<5xf32>"
    reshapes = [op for op in function.body.ops if isinstance(op, ReshapeOp)]
    assert len(reshapes) == (len(shape) != 2) + (len(output) != 2)


@pytest.mark.parametrize(
    ("activation", "expected"),
    [(0, "clamp <-128, 127>"), (1, "clamp <-5, 127>"), (2, "clamp <-6, -4>"), (3, "clamp <-5, -2>")],
)
def test_activations_become_clamps(activation: int, expected: str) -> None:
    """Scale 2: 1 and -1 are half a step, which rounds away from zero."""
    parts = Parts()
    made = options("Conv2D", **CONV_OPTIONS, fusedActivationFunction=activation)
    parts.operators[0] = replace(parts.operators[0], options=made)
    assert expected in str(entry(parts.write()))


def test_all_refusals_at_once() -> None:
    parts = Parts()
    parts.tensors[3] = replace(parts.tensors[3], name="middle")
    parts.tensors += [
        Tensor((1, 3, 3, 3), "int8", (2.0,), (-5,), name="tanh"),
        Tensor((1, 3, 3, 3), "int8", (2.0,), (-5,), name="pooled"),
        Tensor((1, 3, 3, 3), "float64", name="wide"),
    ]
    made = options("Conv2D", **CONV_OPTIONS, fusedActivationFunction=4)
    parts.operators = [
        replace(parts.operators[0], options=made),
        Operator("HASHTABLE_FIND", [3, 3], [4]),
        Operator("HASHTABLE_FIND", [4, 3], [5]),
        Operator("HASHTABLE_SIZE", [5], [6]),
    ]
    parts.outputs = (6,)
    with pytest.raises(UnsupportedError) as caught:
        import_tflite(parts.write(), "net")
    lines = str(caught.value).splitlines()
    assert lines == [
        "net.tflite cannot be compiled:",
        "  output tensor 6 'wide' has the type FLOAT64",
        "  CONV_2D: the fused activation TANH cannot be compiled (operator 0 'middle')",
        "  HASHTABLE_FIND: the operator cannot be compiled (operators 1 'tanh', 2 'pooled')",
        "  HASHTABLE_SIZE: the operator cannot be compiled (operator 3 'wide')",
        "stillpool ops lists the operators and types that can be compiled",
    ]


def test_malformed_wins_over_unsupported() -> None:
    parts = Parts()
    parts.operators.insert(0, Operator("HASHTABLE_FIND", [0, 0], [4]))
    parts.tensors.append(Tensor((1, 4, 4, 2), "int8", (0.5,), (3,)))
    parts.tensors[3] = replace(parts.tensors[3], shape=(1, 3, 3, 9))
    with pytest.raises(Exception, match="op result must have shape") as caught:
        import_tflite(parts.write(), "net")
    assert not isinstance(caught.value, UnsupportedError)
