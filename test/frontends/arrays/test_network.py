"""Networks from arrays: the digits example built from its own weights is what the importer of its file makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stillpool
from stillpool import Network, Scale
from stillpool.errors import InputError, UsageError
from stillpool.frontends.tflite.flatbuffer import read_model

DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"


def digits() -> Network:
    """The network of the file, with its weights and scales."""
    (graph,) = read_model(DIGITS.read_bytes(), "digits").subgraphs
    tensors = graph.tensors

    def array(index: int) -> Any:
        tensor = tensors[index]
        assert tensor.data is not None
        dtype = np.int8 if tensor.element_type.name == "INT8" else np.int32
        return np.frombuffer(tensor.data, dtype).reshape(tensor.shape)

    def scale(index: int) -> Scale:
        quantisation = tensors[index].quantisation
        assert quantisation is not None
        return Scale(quantisation.scales[0], quantisation.zero_points[0])

    def products(number: int) -> dict[str, Any]:
        op = graph.operators[number]
        quantisation = tensors[op.inputs[1]].quantisation
        assert quantisation is not None
        return {
            "weights": array(op.inputs[1]),
            "bias": array(op.inputs[2]),
            "weight_scales": quantisation.scales,
            "scale": scale(op.outputs[0]),
        }

    net = Network("digits")
    image = net.input("image", (1, 8, 8), scale(graph.inputs[0]))
    first = net.conv2d(net.reshape(image, (1, 8, 8, 1)), **products(1), activation="relu")
    depthwise = products(2)
    depthwise["weights"] = depthwise["weights"][0]
    second = net.depthwise_conv2d(first, **depthwise, activation="relu")
    third = net.conv2d(second, **products(3), padding="valid")
    added = net.add(first, third, activation="relu", scale=scale(graph.operators[4].outputs[0]))
    fourth = net.conv2d(net.max_pool2d(added, (2, 2)), **products(6), padding="valid", activation="relu")
    means = net.average_pool2d(fourth, (2, 2))
    net.output("scores", net.softmax(net.dense(net.flatten(means), **products(9 - 1))))
    return net


def plain(module: object) -> str:
    """A module without the names of tensors and operators."""
    text = re.sub(r" ?\{?nn\.origin = #nn\.origin<[^>]*>\}?", "", str(module))
    text = re.sub(r"\{nn\.name = \"[^\"]*\"\} ", "", text)
    names: dict[str, str] = {}
    return re.sub(r"%\w+", lambda name: names.setdefault(name[0], f"%{len(names)}"), text)


def test_digits_is_what_the_importer_makes() -> None:
    lines = [plain(stillpool.load(one, name="digits").nn).splitlines() for one in (digits(), DIGITS)]
    # Constants lie where they are used, those of a file in front.
    made, imported = (sorted(re.sub(r"%\d+", "%", line) for line in each) for each in lines)
    assert made == imported


def test_floats_are_numpys() -> None:
    rng = np.random.default_rng(3)
    net, arrays = Network("floats"), [rng.normal(size=shape).astype(np.float32) for shape in ((4, 6), (4,), (2, 4))]
    x = net.input("x", (3, 6))
    hidden = net.dense(x, arrays[0], arrays[1], activation="relu6")
    net.output("sums", net.add(net.dense(hidden, arrays[2]), net.dense(hidden, arrays[2]), activation="relu"))
    given = rng.normal(size=(3, 6)).astype(np.float32)
    found = stillpool.compile(stillpool.load(net)).run({"x": given})["sums"]
    wanted = np.clip(given @ arrays[0].T + arrays[1], 0, 6) @ arrays[2].T * 2
    np.testing.assert_allclose(found, wanted.clip(0), rtol=1e-5, atol=1e-5)


INT8 = Scale(0.5, 3)


WEIGHTS = np.ones((3, 3, 3, 2), np.int8)
MISTAKES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "'real' already": lambda net, real, whole: net.input("real", (1,)),
    "dimensions are at least 1": lambda net, real, whole: net.input("none", (0,)),
    "is no scale": lambda net, real, whole: net.quantize(real, Scale(-1.0)),
    "weights [1, 3, 3, 3] do not fit": lambda net, real, whole: net.conv2d(real, np.ones((1, 3, 3, 3))),
    "windows [5, 5] do not fit": lambda net, real, whole: net.max_pool2d(real, (5, 5)),
    "not [3]": lambda net, real, whole: net.conv2d(real, WEIGHTS, np.ones(2)),
    "are int8, not": lambda net, real, whole: net.conv2d(whole, np.ones((3, 3, 3, 2)), scale=INT8),
    "weights are missing": lambda net, real, whole: net.conv2d(whole, WEIGHTS, scale=INT8),
    "needs a scale": lambda net, real, whole: net.conv2d(whole, WEIGHTS, weight_scales=1.0),
    "each of 3 results": lambda net, real, whole: net.conv2d(whole, WEIGHTS, weight_scales=[1, 2], scale=INT8),
    "weights is int32": lambda net, real, whole: net.conv2d(whole, WEIGHTS, [0.5] * 3, weight_scales=1, scale=INT8),
    "the input is float32": lambda net, real, whole: net.conv2d(real, WEIGHTS, scale=INT8),
    "all are int8": lambda net, real, whole: net.add(real, whole),
    "do not broadcast": lambda net, real, whole: net.add(real, net.input("other", (3,))),
    "is too small": lambda net, real, whole: net.add(whole, whole, scale=Scale(1e-9)),
    "no activation 'tanh'": lambda net, real, whole: net.conv2d(real, WEIGHTS, activation="tanh"),
    "is same or valid": lambda net, real, whole: net.max_pool2d(real, (2, 2), padding="full"),
    "dimensions, not 2": lambda net, real, whole: net.dense(real, np.ones((1, 2))),
    "has no [5]": lambda net, real, whole: net.reshape(real, (5,)),
    "another network's": lambda net, real, whole: Network("other").softmax(real),
    "there is no output": lambda net, real, whole: net.module(),
    "strides and dilations are at least 1": lambda net, real, whole: net.conv2d(real, WEIGHTS, strides=(0, 1)),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_are_said(what: str) -> None:
    net = Network("net")
    real, whole = net.input("real", (1, 4, 4, 2)), net.input("whole", (1, 4, 4, 2), INT8)
    with pytest.raises(InputError, match=re.escape(what)):
        MISTAKES[what](net, real, whole)


def test_a_network_takes_no_option() -> None:
    with pytest.raises(UsageError):
        stillpool.load(digits(), signature="main")
