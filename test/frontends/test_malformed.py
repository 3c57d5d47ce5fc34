"""Models that contradict themselves: each is refused with its place and reason."""

from __future__ import annotations

import math
import struct
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from small_models import CONV_OPTIONS, Parts
from tflite_build import Operator, Tensor, constant, one_operator, options  # pyright: ignore[reportMissingImports]

from stillpool.errors import InputError
from stillpool.frontends.tflite import import_tflite

Change = Callable[[Parts], object]


def tensor(index: int, **fields: object) -> Change:
    """Replace fields of a tensor."""

    def change(parts: Parts) -> None:
        parts.tensors[index] = replace(parts.tensors[index], **fields)

    return change


def conv(**fields: int) -> Change:
    """Replace options of the convolution."""

    def change(parts: Parts) -> None:
        made = options("Conv2D", **{**CONV_OPTIONS, **fields})
        parts.operators[0] = replace(parts.operators[0], options=made)

    return change


def operator(**fields: object) -> Change:
    """Replace fields of the operator."""

    def change(parts: Parts) -> None:
        parts.operators[0] = replace(parts.operators[0], **fields)

    return change


def twice(parts: Parts) -> None:
    parts.operators.append(parts.operators[0])


def backwards(parts: Parts) -> None:
    parts.tensors.append(Tensor((1, 3, 3, 3), "int8", (2.0,), (-5,), name="z"))
    parts.operators.insert(0, Operator("ADD", [3, 3], [4], options("Add")))
    parts.outputs = (4,)


CASES: dict[str, tuple[Change, str]] = {
    "negative extent": (tensor(0, shape=(1, -4, 4, 2)), "tensor 0 'x' has the negative extents [1, -4, 4, 2]"),
    "empty extent": (tensor(0, shape=(1, 0, 4, 2)), "tensor 0 'x' of shape [1, 0, 4, 2] has no elements"),
    "huge tensor": (tensor(0, shape=(1, 2**16, 2**16, 2)), "has more than 2147483647 bytes"),
    "overflowing shape": (tensor(0, shape=(2**30,) * 4), "has more than 2147483647 bytes"),
    "short buffer": (tensor(1, data=np.ones((3, 2, 2, 1), np.int8)), "needs 24 bytes of data, its buffer 1 has 12"),
    "zero scale": (tensor(0, scales=(0.0,)), "tensor 0 'x' has the scale 0.0"),
    "negative scale": (tensor(0, scales=(-1.0,)), "tensor 0 'x' has the scale -1.0"),
    "infinite scale": (tensor(0, scales=(math.inf,)), "tensor 0 'x' has the scale inf"),
    "scale not a number": (tensor(1, scales=(1.0, math.nan, 1.0)), "tensor 1 't1' has the scale nan"),
    "scale without zero point": (tensor(0, zero_points=()), "tensor 0 'x' has 1 scales and 0 zero points"),
    "zero point out of range": (tensor(0, zero_points=(128,)), "tensor 0 'x' has the zero point 128, outside INT8"),
    "zero point beyond 32 bits": (tensor(3, zero_points=(1 << 32,)), "tensor 3 'y' has zero points of more than 32"),
    "no quantisation": (tensor(3, scales=(), zero_points=()), "tensor 3 'y' of type INT8 has no quantisation"),
    "wrong axis": (tensor(1, axis=3), "has 3 scales along axis 3, expected 3 along axis 0"),
    "wrong number of scales": (
        tensor(1, scales=(1.0, 1.0), zero_points=(0, 0)),
        "has 2 scales along axis 0, expected 3 along axis 0",
    ),
    "more scales than any extent": (tensor(1, scales=(1.0,) * 7, zero_points=(0,) * 7), "has 7 scales"),
    "asymmetric filter": (tensor(1, zero_points=(0, 1, 0)), "tensor 1 't1' has zero points other than 0"),
    "activation of two scales": (
        tensor(0, scales=(1.0, 1.0), zero_points=(0, 0)),
        "tensor 0 'x' has 2 scales, but only filters have several",
    ),
    "factor too large": (tensor(3, scales=(1e-30,)), "more than 2**30"),
    "types that do not go together": (tensor(3, dtype="float32"), "element types INT8, INT8, INT32, FLOAT32"),
    "wrong output shape": (tensor(3, shape=(1, 3, 3, 4)), "op result must have shape [1, 3, 3, 3]"),
    "wrong rank": (tensor(0, shape=(4, 4, 2)), "tensor 0 'x' has shape [4, 4, 2], expected 4 extents"),
    "wrong bias": (tensor(2, shape=(3, 2), data=np.zeros((3, 2), np.int32)), "has shape [3, 2], expected [3]"),
    "no stride": (conv(strideW=0), "option StrideW is 0"),
    "negative dilation": (conv(dilationHFactor=-1), "option DilationHFactor is -1"),
    "unknown padding": (conv(padding=7), "there is no padding scheme 7"),
    "unknown activation": (conv(fusedActivationFunction=99), "there is no activation function 99"),
    "window larger than input": (conv(dilationHFactor=9), "does not fit the input"),
    "other operator's options": (operator(options=options("Add")), "CONV_2D has AddOptions where Conv2DOptions belong"),
    "input out of range": (operator(inputs=[0, 1, 99]), "there is no tensor 99, the model has 4"),
    "negative input": (operator(inputs=[0, 1, -2]), "there is no tensor -2"),
    "missing input": (operator(inputs=[0]), "it has 1 inputs and 1 outputs, not 2 to 3 and 1"),
    "filter left out": (operator(inputs=[0, -1, 2]), "input 1 is missing"),
    "no output": (operator(outputs=[]), "nothing writes the model's output tensor 3 'y'"),
    "writes a constant": (operator(outputs=[2]), "tensor 2 't2' is a constant and cannot be written"),
    "reads its own output": (operator(inputs=[3, 1, 2]), "operator 0 CONV_2D reads tensor 3 'y' before anything"),
    "written twice": (twice, "operator 1 CONV_2D: tensor 3 'y' is written twice"),
    "wrong order": (backwards, "operator 0 ADD reads tensor 3 'y' before anything writes it"),
    "unknown model output": (
        lambda parts: setattr(parts, "outputs", (9,)),
        "the model's outputs: there is no tensor 9",
    ),
    "no model output": (lambda parts: setattr(parts, "outputs", ()), "the model has no outputs"),
    "constant model input": (lambda parts: setattr(parts, "inputs", (0, 1)), "tensor 1 't1' is a constant"),
}


@pytest.mark.parametrize("name", CASES)
def test_says_what_is_wrong(name: str) -> None:
    change, expected = CASES[name]
    parts = Parts()
    change(parts)
    with pytest.raises(InputError) as caught:
        import_tflite(parts.write(), "net", source="folder/net.tflite")
    message = str(caught.value)
    assert message.startswith("malformed TFLite file folder/net.tflite: ")
    assert expected in message
    assert "\n" not in message


def test_unchanged_parts_import() -> None:
    module = import_tflite(Parts().write(), "net")
    assert "nn.conv2d" in str(module)


RESHAPES = [
    ([5, 7], "32 elements cannot take the shape [5, 7]"),
    ([-1, -1], "cannot take the shape [-1, -1]"),
    ([0, 32], "cannot take the shape [0, 32]"),
    ([-2, 16], "cannot take the shape [-2, 16]"),
    ([4, 8], "tensor 1 'y' has shape [8, 4], the operator makes [4, 8]"),
    ([], "neither a shape tensor nor the options give a shape"),
]


@pytest.mark.parametrize(("shape", "expected"), RESHAPES)
def test_reshape_shapes(shape: list[int], expected: str) -> None:
    ends = Tensor((1, 4, 4, 2), "float32", name="x"), Tensor((8, 4), "float32", name="y")
    made = Operator("RESHAPE", [0], [1], options("Reshape", newShape=shape))
    with pytest.raises(InputError) as caught:
        import_tflite(Parts([*ends], [made], (0,), (1,)).write(), "net")
    assert expected in str(caught.value)


def test_depthwise_option_must_match_the_shapes() -> None:
    parts = Parts()
    parts.tensors[1] = constant(np.ones((1, 2, 2, 4), np.float32))
    parts.tensors[0], parts.tensors[2] = Tensor((1, 4, 4, 2), "float32"), constant(np.zeros(4, np.float32))
    parts.tensors[3] = Tensor((1, 3, 3, 4), "float32")
    made = options("DepthwiseConv2D", depthMultiplier=1, **CONV_OPTIONS)
    parts.operators[0] = Operator("DEPTHWISE_CONV_2D", [0, 1, 2], [3], made)
    with pytest.raises(InputError, match="depth multiplier 1 times 2 channels are not the filter's 4"):
        import_tflite(parts.write(), "net")


@pytest.mark.parametrize("data", [b"", b"TFL3", b"\x00" * 64, b"PK\x03\x04" + b"x" * 60])
def test_other_files_are_not_tflite(data: bytes) -> None:
    with pytest.raises(InputError, match="is not a TFLite file"):
        import_tflite(data, "net")


def test_missing_file_is_named(tmp_path: object) -> None:
    with pytest.raises(InputError, match=r"cannot read .*nowhere\.tflite: No such file"):
        import_tflite(f"{tmp_path}/nowhere.tflite", "net")


def test_overlapping_tables_are_refused_before_they_cost_time() -> None:
    """A vector of a million entries that all lead to one table: 4 MiB that read as gigabytes."""
    count, root = 1_000_000, 20
    vtable = struct.pack("<HHHHH2x", 10, 12, 4, 0, 8)  # version at 4, no operator codes, subgraphs at 8
    table = struct.pack("<iII", root - 8, 3, 4)
    entries = root - (root + 16 + 4 * np.arange(count, dtype=np.int64))
    data = struct.pack("<I4s", root, b"TFL3") + vtable + table + struct.pack("<I", count)
    file, calls = data + entries.astype("<u4").tobytes(), Counter[str]()
    sys.setprofile(lambda _frame, event, _argument: calls.update([event]))
    try:
        with pytest.raises(InputError, match="the list of subgraphs has 1000000 elements, more than the file holds"):
            import_tflite(file, "net")
    finally:
        sys.setprofile(None)
    # None for each element.
    assert calls.total() < count // 10


def test_integers_of_scale_zero_are_not_rescaled() -> None:
    """Scales of INT32 are checked where an operator uses them: elsewhere they are remarks."""
    data = one_operator(
        "QUANTIZE",
        options("Quantize"),
        [Tensor((4,), "int8", (0.5,), (0,))],
        Tensor((4,), "int32", (0.0,), (0,)),
    )
    with pytest.raises(InputError, match=r"has the scale 0\.0"):
        import_tflite(data, "net")


def convolution(filters: npt.NDArray[np.int8], scales: tuple[float, ...]) -> bytes:
    """A model of one convolution."""
    parts = Parts()
    parts.tensors[1] = constant(filters, scales)
    return parts.write()


def test_channels_of_zeros_need_no_scale() -> None:
    filters = np.ones((3, 2, 2, 2), np.int8)
    with pytest.raises(InputError, match=r"tensor 1 't1' has the scale 0\.0"):
        import_tflite(convolution(filters, (0.25, 0.0, 1.0)), "net")
    filters[1] = 0
    text = str(import_tflite(convolution(filters, (0.25, 0.0, 1.0)), "net"))
    assert "nn.conv2d" in text
    with pytest.raises(InputError, match=r"tensor 1 't1' has the scale -1\.0"):
        import_tflite(convolution(filters, (0.25, 0.0, -1.0)), "net")
