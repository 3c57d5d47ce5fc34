"""onnxruntime sums products of bytes exactly, whatever the processor has for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.extra("onnx")

_LENGTH = 64
"""Products of a sum, each of which is as large as can be."""


def _model(left: type[np.generic], *, zero: bool) -> Any:
    from onnx import TensorProto, helper, numpy_helper

    weights = [numpy_helper.from_array(np.full((_LENGTH, 4), 127, np.int8), "w")]
    zeros = [numpy_helper.from_array(np.array(3, left), "z"), numpy_helper.from_array(np.array(-5, np.int8), "wz")]
    node = helper.make_node("MatMulInteger", ["x", "w", *(["z", "wz"] if zero else [])], ["y"])
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(left))
    given = helper.make_tensor_value_info("x", kind, [2, _LENGTH])
    made = helper.make_tensor_value_info("y", TensorProto.INT32, [2, 4])
    graph = helper.make_graph([node], "sum", [given], [made], [*weights, *(zeros if zero else [])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("left", [np.uint8, np.int8])
def test_sums_of_the_largest_products_are_exact(left: type[np.integer], zero: bool) -> None:
    from stillpool.run.oracles.onnx import session_of

    given = np.full((2, _LENGTH), np.iinfo(left).max, left)
    (made,) = session_of(_model(left, zero=zero), "sum.onnx").run(None, {"x": given})
    first, second = (3, -5) if zero else (0, 0)
    assert (made == (int(np.iinfo(left).max) - first) * (127 - second) * _LENGTH).all()


def test_weights_beside_bytes_without_sign_have_none() -> None:
    from onnx import TensorProto

    from stillpool.run.oracles.exact_products import with_exact_products

    for left, expected in ((np.uint8, TensorProto.UINT8), (np.int8, TensorProto.INT8)):
        graph = with_exact_products(_model(left, zero=True)).graph
        kinds = {tensor.name: tensor.data_type for tensor in graph.initializer}
        _, weights, _, zero = graph.node[0].input
        assert kinds[weights] == kinds[zero] == expected


def test_a_model_stays_as_it_is() -> None:
    from stillpool.run.oracles.exact_products import with_exact_products

    model = _model(np.uint8, zero=False)
    before = model.SerializeToString()
    with_exact_products(model)
    assert model.SerializeToString() == before
