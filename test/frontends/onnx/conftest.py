"""How what is compiled of an ONNX model compares with onnxruntime."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stillpool

sys.path.insert(0, str(Path(__file__).parent))

from onnx_graphs import Compare, Compared


@pytest.fixture
def compared(tmp_path: Path) -> Compare:
    """Compile a model and run it and its reference on stacked samples."""

    def compare(model: bytes, inputs: Sequence[np.ndarray], **options: Any) -> Compared:
        file = tmp_path / "model.onnx"
        file.write_bytes(model)
        artifact = stillpool.compile(stillpool.load(file, **options))
        names = [tensor.name for tensor in artifact.description.inputs]
        made = artifact.execute(dict(zip(names, inputs, strict=True))).outputs
        wanted = artifact.reference(inputs).outputs
        return [(np.asarray(a), b) for a, b in zip(made.values(), wanted, strict=True)]

    return compare
