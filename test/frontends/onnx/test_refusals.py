"""Files that cannot be compiled are refused with their reason, never with a traceback."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_graphs import Graph

import stillpool
from stillpool.errors import InputError, StillpoolError, UnsupportedError, UsageError

pytestmark = pytest.mark.extra("onnx")


def _load(folder: Path, data: bytes, **more: Any):
    file = folder / "model.onnx"
    file.write_bytes(data)
    return stillpool.load(file, **more)


def test_all_reasons_are_told_at_once(tmp_path: Path) -> None:
    g = Graph()
    x = g.input(1, 3, 4, 4, 4)
    g.outputs = [g.op("Relu", g.op("Conv", x, g.constant(np.zeros((2, 3, 1, 1, 1), np.float32)))), g.op("Det", x)]
    with pytest.raises(UnsupportedError) as refused:
        _load(tmp_path, g.model())
    assert "Conv: convolutions of 3 dimensions cannot be compiled (operator 0 'Conv0')" in str(refused.value)
    assert "Det: the operator cannot be compiled (operator 2 'Det2')" in str(refused.value)


def test_open_shapes_are_asked_for(tmp_path: Path) -> None:
    from onnx import helper

    g = Graph()
    x = g.input(1, 3)
    g.inputs[0] = helper.make_tensor_value_info(x, 1, ["batch", "width"])
    g.outputs = [g.op("Relu", x)]
    with pytest.raises(UnsupportedError, match=r"input 'input0' has an open shape; say it: --input-shape"):
        _load(tmp_path, g.model())
    (given,) = stillpool.compile(_load(tmp_path, g.model(), input_shapes={x: (2, 5)})).description.inputs
    assert (given.name, given.shape) == (x, (2, 5))
    with pytest.raises(UsageError, match="has no input 'y'"):
        _load(tmp_path, g.model(), input_shapes={"y": (1,)})


def test_other_dialects_are_named(tmp_path: Path) -> None:
    import onnx

    g = Graph()
    g.outputs = [g.op("Relu", g.input(1, 3))]
    model = onnx.load_from_string(g.model())
    model.graph.node[0].op_type, model.graph.node[0].domain = "Quant", "qonnx.custom_op.general"
    with pytest.raises(UnsupportedError, match=r"model\.onnx is QONNX.*; export it with QuantizeLinear"):
        _load(tmp_path, model.SerializeToString())


def test_old_operator_sets_are_refused(tmp_path: Path) -> None:
    g = Graph(6)
    g.outputs = [g.op("Relu", g.input(1, 3))]
    with pytest.raises(UnsupportedError, match="operator set 6; 7 is the oldest"):
        _load(tmp_path, g.model())


def test_options_without_an_effect_are_refused(tmp_path: Path) -> None:
    g = Graph()
    g.outputs = [g.op("Relu", g.input(1, 3))]
    with pytest.raises(UsageError, match="--custom has no effect"):
        _load(tmp_path, g.model(), custom={"A": "a"})


def test_without_the_extra_the_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="is an ONNX model, which the extra 'onnx' reads; "):
        _load(tmp_path, b"\x08\x08")


def test_damaged_files(tmp_path: Path) -> None:
    """Bytes that are changed or cut off give an error of ours, or a model."""
    g = Graph()
    x = g.quantised(g.input(1, 3, 4, 4), 0.02, 3)
    weights = g.weights(
        np.arange(-54, 54, dtype=np.int8).reshape(4, 3, 3, 3), np.array([0.1, 0.2, 0.3, 0.4], np.float32)
    )
    conv = g.quantised(g.op("Conv", x, weights, pads=[1, 1, 1, 1]), 0.1, 1)
    g.outputs = [g.op("Softmax", g.op("Flatten", g.op("MaxPool", conv, kernel_shape=[2, 2])))]
    whole, chance = g.model(), random.Random(8)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            _load(tmp_path, bytes(data[: chance.randint(len(data) // 2, 2 * len(data))]))
        except StillpoolError:
            pass


def test_what_no_exporter_writes(tmp_path: Path) -> None:
    import onnx

    g = Graph()
    g.outputs = [g.op("Relu", g.input(1, 3))]
    model = onnx.load_from_string(g.model())
    model.opset_import.add(domain="com.microsoft", version=1)
    model.graph.input[0].type.tensor_type.elem_type = 2**31 - 1
    with pytest.raises(UnsupportedError, match="input 'input0' has the type number 2147483647"):
        _load(tmp_path, model.SerializeToString())
    model.graph.input[0].type.tensor_type.elem_type = 1
    del model.graph.node[0].output[:]
    model.graph.node[0].input.append("nowhere")
    with pytest.raises(InputError, match="malformed ONNX file"):
        _load(tmp_path, model.SerializeToString())
    del model.graph.node[0].input[:]
    with pytest.raises(InputError, match=r"operator 0 Relu \(output ''\): input 0 is missing|malformed"):
        _load(tmp_path, model.SerializeToString())


@pytest.mark.parametrize("sizes", [(2, 2), (2, 2, 1), (6, -1)], ids=str)
def test_parts_that_are_not_the_whole(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    g = Graph()
    parts = g.op("Split", g.input(1, 5), g.constant(np.array(sizes)), axis=1)
    g.nodes[-1].output.append("rest")
    g.outputs = [parts, "rest"]
    with pytest.raises(InputError, match=r"Split .*the sizes \[.*\] are not those of 2 parts of 5 elements"):
        _load(tmp_path, g.model())


def test_tensors_beyond_32_bits(tmp_path: Path) -> None:
    g = Graph()
    g.outputs = [g.op("Relu", g.input(2**20, 2**40))]
    with pytest.raises(UnsupportedError, match="input 'input0' has 1152921504606846976 elements"):
        _load(tmp_path, g.model())
    g = Graph()
    g.outputs = [g.op("Expand", g.input(1, 3), g.constant(np.array([2**40, 3])))]
    with pytest.raises(UnsupportedError, match="tensors of 3298534883328 elements cannot be compiled"):
        _load(tmp_path, g.model())


def test_what_only_training_has(tmp_path: Path) -> None:
    from onnx import helper

    g = Graph()
    x, training = g.input(2, 3), g.constant(np.array(True))
    ratio = g.constant(np.float32(0.5))
    g.nodes.append(helper.make_node("Dropout", [x], ["kept", "mask"]))
    g.outputs = [g.op("Dropout", x, ratio, training), "kept", "mask"]
    with pytest.raises(UnsupportedError) as refused:
        _load(tmp_path, g.model())
    assert "Dropout: output 'mask' cannot be compiled" in str(refused.value)
    assert "dropout while a network is trained cannot be compiled" in str(refused.value)
