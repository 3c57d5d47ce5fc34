"""Files that leave the shapes of results open: the operators define them, as LiteRT's kernels do."""

from __future__ import annotations

import pytest
from test_operators import OPERATORS, specs_of

from stillpool.frontends.tflite import import_tflite
from stillpool.frontends.tflite.flatbuffer import read_model
from stillpool.frontends.tflite.resize import resized


def opened(data: bytes) -> bytes:
    """The file without the shapes of what its operators make."""
    shapes = {
        (number, output): ()
        for number, graph in enumerate(read_model(data, "x").subgraphs)
        for operator in graph.operators
        for output in operator.outputs
    }
    made = resized(data, 0, shapes)
    assert made is not None, "all tensors of generated files have a shape"
    return made


@pytest.mark.parametrize("operator", OPERATORS)
def test_shapes_follow_from_the_inputs(operator: str) -> None:
    for spec in specs_of(operator, 1, step=3):
        if not getattr(spec, "initialised", True):
            # What a variable holds that nothing has written yet follows from nothing.
            continue
        data = spec.case().model
        said, found = (str(import_tflite(each, "model")) for each in (data, opened(data)))
        assert found == said, spec
