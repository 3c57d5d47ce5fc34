"""What cannot be compiled is named with its place, all of it at once; what contradicts itself, too."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

import stillpool
from stillpool.errors import InputError, UnsupportedError, UsageError

sys.path.insert(0, str(Path(__file__).parent))

from networks import RECORDED
from tosa_text import Text


def load(tmp_path: Path, text: str, **options: object) -> stillpool.Model:
    """A model of a text."""
    file = tmp_path / "net.mlir"
    file.write_text(text)
    return stillpool.load(file, **options)  # pyright: ignore[reportArgumentType]


def test_everything_is_listed_at_once(tmp_path: Path) -> None:
    t = Text()
    x, fill = t.input("float32", 1, 4, 2), t.input("float32", 1)
    wide = t.op("pad", [x, t.shape([0, 0, 1, 0, 0, 0]), fill], "float32", (1, 5, 2))
    words = 'operator_name = "mine", domain_name = "here", implementation_attrs = ""'
    other = t.op("custom", [wide], "float32", (1, 5, 2), words)
    with pytest.raises(UnsupportedError) as caught:
        load(tmp_path, t.module(other))
    message = str(caught.value)
    assert "PAD: the value of the margin is computed at run time; it must be a constant (operator 4:5)" in message
    assert "CUSTOM: the operator cannot be compiled (operator 5:5)" in message
    assert message.endswith("stillpool ops --kind tosa lists the operators that can be compiled")


def test_sums_belong_to_rescale(tmp_path: Path) -> None:
    t = Text()
    x = t.input("int8", 1, 2, 3)
    zero = t.constant([0], "int8")
    sums = t.op(
        "matmul",
        [x, t.op("transpose", [x], "int8", (1, 3, 2), "perms = array<i32: 0, 2, 1>"), zero, zero],
        "int32",
        (1, 2, 2),
    )
    with pytest.raises(UnsupportedError, match="ABS: it reads the sums of MATMUL, which RESCALE alone may read"):
        load(tmp_path, t.module(t.op("abs", [sums], "int32", (1, 2, 2))))


@pytest.mark.parametrize(
    ("kind", "shape", "attributes", "message"),
    [
        ("reduce_max", (1, 4), "axis = 2 : i32", r"net.mlir:3:5: REDUCE_MAX: axis 2 is none of the 2 dimensions"),
        ("transpose", (4, 1), "perms = array<i32: 0, 0>", r"net.mlir:3:5: TRANSPOSE: \[0, 0\] is no order of 2"),
        ("abs", (1, 5), "", r"net.mlir:3:5: ABS: its result has the shape \[1, 4\], the file says \[1, 5\]"),
        ("reduce_max", (1, 1), "axis = ", r"net.mlir:3:\d+: "),
    ],
)
def test_contradictions_have_a_place(
    tmp_path: Path, kind: str, shape: tuple[int, ...], attributes: str, message: str
) -> None:
    t = Text()
    x = t.input("float32", 1, 4)
    with pytest.raises(InputError, match=message):
        load(tmp_path, t.module(t.op(kind, [x], "float32", shape, attributes)))


def test_open_shapes(tmp_path: Path) -> None:
    t = Text()
    x = t.input("float32", 1, 4)
    text = t.module(t.op("abs", [x], "float32", (1, 4))).replace("1x4x", "?x?x")
    with pytest.raises(UnsupportedError, match="input 'input_0' has an open shape; say it: --input-shape input_0"):
        load(tmp_path, text)
    model = load(tmp_path, text, input_shapes={"input_0": [3, 5]})
    assert "tensor<3x5xf32>" in str(model.nn)
    with pytest.raises(UsageError, match="has no input 'x'"):
        load(tmp_path, text, input_shapes={"x": [1, 2]})


def test_resources(tmp_path: Path) -> None:
    """Bytes at the end of the text are those of the constant that names them."""
    t = Text()
    x = t.input("float32", 1, 2)
    made = t.op("add", [x, t.constant([[1.5, -2.0]], "float32")], "float32", (1, 2))
    plain = t.module(made)
    end = '{-# dialect_resources: { builtin: { w_1: "0x040000000000C03F000000C0" } } #-}'
    text = plain.replace("dense<[[1.5, -2.0]]>", "dense_resource<w_1>")
    assert str(load(tmp_path, text + end).nn) == str(load(tmp_path, plain).nn)
    with pytest.raises(InputError, match=r"net.mlir:3: the file has no resource 'w_1'"):
        load(tmp_path, text)


def test_float64_is_float32(tmp_path: Path) -> None:
    """TOSA has none; torch-mlir writes it between casts."""
    t = Text()
    x = t.input("float32", 1, 2)
    wide = t.op("cast", [x], "f64", (1, 2))
    total = t.op("add", [wide, t.constant([[0.5, 1.5]], "float64", "f64")], "f64", (1, 2))
    model = load(tmp_path, t.module(t.op("cast", [total], "float32", (1, 2))))
    assert "f64" not in str(model.nn)
    assert "nn.cast" not in str(model.nn)


def test_flatbuffers(tmp_path: Path) -> None:
    data = RECORDED.with_name("control.tosa").read_bytes()
    file = tmp_path / "net.tosa"
    for damaged, message in (
        (data[:200], "malformed TOSA file"),
        (data[:4] + b"TFL3" + data[8:], "is not a TOSA flatbuffer"),
        (struct.pack("<I", 1 << 30) + data[4:], "outside the file"),
        (data.replace(b"layer_0", b"layer_9", 1), "malformed TOSA file"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match=message):
            stillpool.load(file)
