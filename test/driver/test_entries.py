"""Inputs of other shapes than the file's, and files of several entries."""

from __future__ import annotations

import models
import pytest

import stillpool
from stillpool.errors import UnsupportedError, UsageError
from stillpool.run.verify import verify


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("resnet8_int8", (3, 32, 32, 3)),
        ("kws_int8", (2, 49, 10, 1)),
        ("ad01_int8", (4, 640)),
    ],
)
def test_batches_are_those_of_tflite_micro(name: str, shape: tuple[int, ...]) -> None:
    path = models.public(name)
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    (given,) = stillpool.load(path).inputs
    artifact = stillpool.compile(path, input_shapes={given: shape})
    assert artifact.description.inputs[0].shape == shape
    assert artifact.description.outputs[0].shape[0] == shape[0]
    assert verify(artifact, samples=5).exact


def test_a_shape_that_the_file_leaves_open_is_given() -> None:
    path = models.public("ops/simple_squeeze")
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    with pytest.raises(UnsupportedError, match="--input-shape"):
        stillpool.load(path)
    artifact = stillpool.compile(path, input_shapes={"arg0": (4, 1, 3)})
    assert artifact.description.outputs[0].shape == (4, 3)
    assert verify(artifact, samples=2).exact


def test_shapes_that_do_not_fit_are_refused() -> None:
    path = models.public("kws_int8")
    (given,) = stillpool.load(path).inputs
    with pytest.raises(UsageError, match=f"no input 'image'; it has '{given}'"):
        stillpool.compile(path, input_shapes={"image": (1, 49, 10, 1)})
    with pytest.raises(UsageError, match="3 dimensions"):
        stillpool.compile(path, input_shapes={given: (49, 10, 1)})
    with pytest.raises(UsageError, match=f"input shape {given}=1,49,10,3 does not fit .*: operator 0 CONV_2D"):
        stillpool.compile(path, input_shapes={given: (1, 49, 10, 3)})


def test_one_signature_is_chosen_by_its_key() -> None:
    path = models.public("ops/multi_signature_model")
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    assert verify(stillpool.compile(path, signature="add"), samples=2).passed
    with pytest.raises(UsageError, match="no signature 'adds'; it has 'add', 'mul', 'sub'"):
        stillpool.compile(path, signature="adds")
    with pytest.raises(UnsupportedError, match="several entries"):
        stillpool.load(path)
