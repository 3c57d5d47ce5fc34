"""Models whose weights lie in a file beside them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from onnx_graphs import Graph

import stillpool
from stillpool.errors import InputError
from stillpool.run.verify import verify

pytestmark = pytest.mark.extra("onnx")


def model() -> bytes:
    g = Graph()
    x = g.input(1, 3)
    weights = np.random.default_rng(1).normal(size=(3, 4)).astype(np.float32)
    g.outputs = [g.op("Add", g.op("MatMul", x, g.constant(weights)), g.constant(weights[0]))]
    return g.model()


def write(folder: Path, location: str = "model.onnx.data") -> Path:
    """The model, with its weights in another file of its folder."""
    import onnx

    file = folder / "model.onnx"
    proto = onnx.load_from_string(model())
    onnx.save(proto, file, save_as_external_data=True, location="model.onnx.data", size_threshold=0)
    if location != "model.onnx.data":
        kept = onnx.load(file, load_external_data=False)
        for tensor in kept.graph.initializer:
            next(each for each in tensor.external_data if each.key == "location").value = location
        file.write_bytes(kept.SerializeToString())
    return file


def test_they_are_read(tmp_path: Path) -> None:
    """The C is that of the model in one file, and so are the bytes that the oracle gets."""
    whole = tmp_path / "whole.onnx"
    whole.write_bytes(model())
    apart, one = (stillpool.load(file, name="net") for file in (write(tmp_path), whole))
    assert stillpool.compile(apart).sources.source == stillpool.compile(one).sources.source
    assert verify(stillpool.compile(apart)).passed


@pytest.mark.parametrize("location", ["gone.data", "../model.onnx.data", "/etc/passwd", "fifo", "folder"])
def test_what_cannot_be_read_is_named(tmp_path: Path, location: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    file = write(tmp_path, location)
    with pytest.raises(InputError, match=r"model\.onnx: the data of its tensors cannot be read: .*\n?.*beside it"):
        stillpool.load(file)


def test_a_file_that_is_too_short(tmp_path: Path) -> None:
    file = write(tmp_path)
    (tmp_path / "model.onnx.data").write_bytes(b"1234")
    with pytest.raises(InputError, match="the data of its tensors cannot be read"):
        stillpool.load(file)
