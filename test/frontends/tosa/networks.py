"""Small TOSA networks of every family of operators, and inputs for them.

What the TOSA reference model computes of them is recorded in `recorded.npz`:
STILLPOOL_TOSA_TOOLS=FOLDER python test/frontends/tosa/networks.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from tosa_text import Text

SAMPLES = 6
RECORDED = Path(__file__).with_name("recorded.npz")
NETWORKS: dict[str, Callable[[], str]] = {}


def network(make: Callable[[], str]) -> Callable[[], str]:
    """Enter a network by its name."""
    NETWORKS[make.__name__] = make
    return make


def inputs_of(name: str, tensors: list[tuple[str, tuple[int, ...]]]) -> list[np.ndarray]:
    """Stacked samples for inputs of these types and shapes."""
    rng = np.random.default_rng(sum(name.encode()))
    made: list[np.ndarray] = []
    for dtype, shape in tensors:
        if np.dtype(dtype).kind == "f":
            made.append(rng.normal(size=(SAMPLES, *shape)).astype(dtype))
        elif np.dtype(dtype).kind == "b":
            made.append(rng.integers(0, 2, (SAMPLES, *shape)).astype(bool))
        else:
            ends = np.iinfo(dtype)
            made.append(rng.integers(ends.min, ends.max + 1, (SAMPLES, *shape)).astype(dtype))
    return made


def _chain(rounding: str, unsigned: bool) -> str:
    rng, t = np.random.default_rng(5), Text()
    x = t.input("int8", 1, 8, 8, 3)
    if unsigned:
        x = t.rescale(x, 1 << 30, 30, (-128, -1), unsigned=(True, False))

    def weights(*shape: int) -> np.ndarray:
        return rng.integers(-127, 128, shape).astype(np.int8)

    def bias(count: int) -> np.ndarray:
        return rng.integers(-3000, 3000, count).astype(np.int32)

    def factors(count: int, shift: int) -> tuple[list[int], list[int]]:
        return rng.integers(1 << 30, (1 << 31) - 1, count).tolist(), rng.integers(shift, shift + 2, count).tolist()

    window = {"stride": (1, 1), "dilation": (1, 1)}
    first = t.conv("conv2d", x, weights(6, 3, 3, 3), bias(6), (-1, 0), (1, 8, 8, 6), "i32", pad=(1, 1, 1, 1), **window)
    a = t.rescale(first, *factors(6, 39), (0, -7), rounding=rounding)
    a = t.op("clamp", [a], "int8", (1, 8, 8, 6), "max_val = 90 : i8, min_val = -7 : i8")
    deep = t.conv(
        "depthwise_conv2d", a, weights(3, 3, 6, 1), bias(6), (-7, 0), (1, 8, 8, 6), "i32", pad=(1, 1, 1, 1), **window
    )
    b = t.rescale(deep, *factors(6, 38), (0, 3), rounding=rounding)
    wide = t.rescale(a, 1 << 30, 10, (-7, 0), "int32", rounding), t.rescale(b, 1 << 30, 11, (3, 0), "int32", rounding)
    scaled = t.rescale(wide[0], 1900000001, 32, (0, 0), "int32", rounding)
    total = t.op("add", [scaled, wide[1]], "int32", (1, 8, 8, 6))
    c = t.rescale(total, 1700000003, 51, (0, 2), rounding=rounding)
    steps = [t.rescale(v, 1 << 30, 30, (zero, 0), "int32") for v, zero in ((c, 2), (b, 3))]
    squared = t.op("mul", [*steps, t.constant([0], "int8")], "int32", (1, 8, 8, 6))
    d = t.rescale(squared, 1500000007, 37, (0, -4), rounding=rounding)
    largest = t.op(
        "max_pool2d",
        [d],
        "int8",
        (1, 4, 4, 6),
        "kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>",
    )
    zeros = [t.constant([zero], "int8") for zero in (-4, 5)]
    pool = "acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>"
    mean = t.op("avg_pool2d", [largest, *zeros], "int8", (1, 4, 4, 6), pool)
    up = t.conv(
        "transpose_conv2d",
        mean,
        weights(4, 2, 2, 6),
        bias(4),
        (5, 0),
        (1, 8, 8, 4),
        "i32",
        out_pad=(0, 0, 0, 0),
        stride=(2, 2),
    )
    e = t.rescale(up, *factors(4, 38), (0, 1), rounding=rounding)
    row = t.op("reshape", [e, t.shape([1, 1, 1, 256])], "int8", (1, 1, 1, 256))
    last = t.conv(
        "conv2d", row, weights(10, 1, 1, 256), bias(10), (1, 0), (1, 1, 1, 10), "i32", pad=(0, 0, 0, 0), **window
    )
    flat = t.op("reshape", [last, t.shape([1, 10])], "int32", (1, 10))
    made = t.rescale(flat, 1600000009, 41, (0, 9), rounding=rounding)
    if unsigned:
        made = t.rescale(made, 1 << 30, 30, (9, -119), unsigned=(False, True))
    return t.module(made, d)


@network
def double() -> str:
    """The rounding of TensorFlow Lite."""
    return _chain("DOUBLE_ROUND", unsigned=False)


@network
def single() -> str:
    """One rounding; bytes without a sign come in and go out."""
    return _chain("SINGLE_ROUND", unsigned=True)


@network
def sixteen() -> str:
    """Activations of 16 bits, sums of 48, tables between whose entries results lie."""
    rng, t = np.random.default_rng(6), Text()
    x = t.input("int16", 1, 4, 4, 4)
    weights = rng.integers(-127, 128, (5, 3, 3, 4)).astype(np.int8)
    bias = rng.integers(-(1 << 20), 1 << 20, 5)
    window = {"pad": (1, 1, 1, 1), "stride": (1, 1), "dilation": (1, 1)}
    sums = t.conv("conv2d", x, weights, bias, (0, 0), (1, 4, 4, 5), "i48", **window)
    a = t.rescale(sums, rng.integers(20000, 32767, 5).tolist(), [23, 24, 23, 24, 23], dtype="int16")
    table = np.clip(np.cumsum(rng.integers(-300, 300, 513)), -32768, 32767)
    b = t.op("table", [a, t.constant(table, "int16")], "int32", (1, 4, 4, 5))
    c = t.rescale(b, 1 << 30, 37, dtype="int16", rounding="DOUBLE_ROUND")
    left = t.op("reshape", [c, t.shape([2, 4, 10])], "int16", (2, 4, 10))
    right = t.op("transpose", [left], "int16", (2, 10, 4), "perms = array<i32: 0, 2, 1>")
    zero = t.constant([0], "int16")
    product = t.op("matmul", [left, right, zero, zero], "i48", (2, 4, 4))
    return t.module(t.rescale(product, 25000, 26, dtype="int16"), c)


@network
def words() -> str:
    """Functions of int32: shifts, bits, products with a shift, comparisons, choices."""
    rng, t = np.random.default_rng(7), Text()
    x, y = t.input("int32", 2, 5), t.input("int8", 2, 5)
    wide = t.rescale(y, 1 << 30, 29, (3, 0), "int32")
    by = t.constant(rng.integers(0, 31, (2, 1)), "int32")
    no = t.constant([0], "int8")
    results = [
        t.op("arithmetic_right_shift", [x, by], "int32", (2, 5), "round = true"),
        t.op("arithmetic_right_shift", [x, by], "int32", (2, 5), "round = false"),
        t.op("logical_right_shift", [x, by], "int32", (2, 5)),
        t.op("logical_left_shift", [wide, by], "int32", (2, 5)),
        t.op("clz", [x], "int32", (2, 5)),
        t.op("mul", [x, wide, t.constant([31], "int8")], "int32", (2, 5)),
        t.op("mul", [wide, wide, no], "int32", (2, 5)),
        t.op("mul", [y, y, no], "int32", (2, 5)),
        t.op("bitwise_and", [x, wide], "int32", (2, 5)),
        t.op("bitwise_or", [x, wide], "int32", (2, 5)),
        t.op("bitwise_xor", [x, t.op("bitwise_not", [wide], "int32", (2, 5))], "int32", (2, 5)),
        t.op("intdiv", [x, t.constant(rng.integers(1, 900, (1, 5)), "int32")], "int32", (2, 5)),
        t.op("abs", [wide], "int32", (2, 5)),
        t.op("sub", [wide, by], "int32", (2, 5)),
        t.op("minimum", [x, wide], "int32", (2, 5)),
        t.op("negate", [y, t.constant([-7], "int8"), t.constant([9], "int8")], "int8", (2, 5)),
        t.op("table", [y, t.constant(rng.integers(-128, 128, 256), "int8")], "int8", (2, 5)),
        t.op("arithmetic_right_shift", [y, t.constant([[2]], "int8")], "int8", (2, 5), "round = true"),
    ]
    truth = [t.op(kind, [x, wide], "bool", (2, 5)) for kind in ("greater", "greater_equal", "equal")]
    both = t.op("logical_xor", [truth[0], t.op("logical_not", [truth[2]], "bool", (2, 5))], "bool", (2, 5))
    chosen = t.op("select", [t.op("logical_or", [both, truth[1]], "bool", (2, 5)), x, by], "int32", (2, 5))
    some = t.op("reduce_any", [t.op("logical_and", truth[:2], "bool", (2, 5))], "bool", (2, 1), "axis = 1 : i32")
    every = t.op("reduce_all", [both], "bool", (1, 5), "axis = 0 : i32")
    reduced = [t.op(f"reduce_{kind}", [wide], "int32", (1, 5), "axis = 0 : i32") for kind in ("max", "min", "sum")]
    place = t.op("argmax", [y], "int32", (2,), "axis = 1 : i32")
    numbers = t.op("cast", [t.op("cast", [wide], "int16", (2, 5))], "int32", (2, 5))
    return t.module(*results, chosen, some, every, *reduced, place, numbers)


@network
def moves() -> str:
    """Elements at other places."""
    rng, t = np.random.default_rng(8), Text()
    x = t.input("int8", 1, 4, 6, 2)
    places = t.input("int32", 1, 3)
    margin = t.op("pad", [x, t.shape([0, 0, 1, 2, 0, 1, 0, 0]), t.constant([-9], "int8")], "int8", (1, 7, 7, 2))
    part = t.op("slice", [margin, t.shape([0, 1, 2, 0]), t.shape([1, 4, 5, 1])], "int8", (1, 4, 5, 1))
    back = t.op("reverse", [part], "int8", (1, 4, 5, 1), "axis = 2 : i32")
    tiled = t.op("tile", [back, t.shape([1, 1, 1, 2])], "int8", (1, 4, 5, 2))
    turned = t.op("transpose", [tiled], "int8", (1, 5, 4, 2), "perms = array<i32: 0, 2, 1, 3>")
    joined = t.op("concat", [tiled, x], "int8", (1, 4, 11, 2), "axis = 2 : i32")
    rows = t.op("reshape", [joined, t.shape([1, 44, 2])], "int8", (1, 44, 2))
    inside = t.op("bitwise_and", [places, t.constant([[31]], "int32")], "int32", (1, 3))
    gathered = t.op("gather", [rows, inside], "int8", (1, 3, 2))
    at = t.constant(rng.permutation(44)[:3].reshape(1, 3), "int32")
    scattered = t.op("scatter", [rows, at, gathered], "int8", (1, 44, 2))
    near = t.op(
        "resize",
        [x, t.shape([4, 1, 3, 2]), t.shape([0, 0]), t.shape([3, 1])],
        "int8",
        (1, 16, 9, 2),
        "mode = NEAREST_NEIGHBOR",
    )
    smooth = t.op(
        "resize",
        [x, t.shape([4, 2, 4, 2]), t.shape([-1, -1]), t.shape([1, 1])],
        "int32",
        (1, 8, 12, 2),
        "mode = BILINEAR",
    )
    same = t.op("identity", [turned], "int8", (1, 5, 4, 2))
    return t.module(same, gathered, scattered, near, smooth)


@network
def reals() -> str:
    """Floats: a convolution, an attention, functions, an enlarged image."""
    rng, t = np.random.default_rng(9), Text()
    x = t.input("float32", 1, 6, 6, 3)

    def weights(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32) * np.float32(0.4)

    window = {"pad": (1, 1, 1, 1), "stride": (1, 1), "dilation": (1, 1)}
    a = t.conv("conv2d", x, weights(4, 3, 3, 3), weights(4), (0, 0), (1, 6, 6, 4), "f32", **window)
    a = t.op("clamp", [a], "float32", (1, 6, 6, 4), "max_val = 6.0 : f32, min_val = -6.0 : f32")
    b = t.conv("depthwise_conv2d", a, weights(3, 3, 4, 2), weights(8), (0, 0), (1, 6, 6, 8), "f32", **window)
    gate = t.op(
        "mul", [b, t.op("sigmoid", [b], "float32", (1, 6, 6, 8)), t.constant([0], "int8")], "float32", (1, 6, 6, 8)
    )
    zero = [t.constant([0.0], "float32"), t.constant([0.0], "float32")]
    pool = "acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>"
    mean = t.op("avg_pool2d", [gate, *zero], "float32", (1, 3, 3, 8), pool)
    rows = t.op("reshape", [mean, t.shape([1, 9, 8])], "float32", (1, 9, 8))
    columns = t.op("transpose", [rows], "float32", (1, 8, 9), "perms = array<i32: 0, 2, 1>")
    scores = t.op("matmul", [rows, columns, *zero], "float32", (1, 9, 9))
    most = t.op("reduce_max", [scores], "float32", (1, 9, 1), "axis = 2 : i32")
    e = t.op("exp", [t.op("sub", [scores, most], "float32", (1, 9, 9))], "float32", (1, 9, 9))
    over = t.op("reciprocal", [t.op("reduce_sum", [e], "float32", (1, 9, 1), "axis = 2 : i32")], "float32", (1, 9, 1))
    soft = t.op("mul", [e, over, t.constant([0], "int8")], "float32", (1, 9, 9))
    seen = t.op("matmul", [soft, rows, *zero], "float32", (1, 9, 8))
    squares = t.op(
        "pow", [t.op("abs", [seen], "float32", (1, 9, 8)), t.constant([[[1.5]]], "float32")], "float32", (1, 9, 8)
    )
    roots = t.op(
        "rsqrt", [t.op("add", [squares, t.constant([[[0.1]]], "float32")], "float32", (1, 9, 8))], "float32", (1, 9, 8)
    )
    functions = [t.op(kind, [seen], "float32", (1, 9, 8)) for kind in ("tanh", "erf", "sin", "cos", "floor", "ceil")]
    whole = t.op("cast", [t.op("log", [roots], "float32", (1, 9, 8))], "int32", (1, 9, 8))
    larger = t.op(
        "resize",
        [mean, t.shape([4, 2, 4, 2]), t.shape([-1, -1]), t.shape([1, 1])],
        "float32",
        (1, 6, 6, 8),
        "mode = BILINEAR",
    )
    all_of_them = t.op("reduce_product", [mean], "float32", (1, 3, 3, 1), "axis = 3 : i32")
    sign = t.op("negate", [larger, *zero], "float32", (1, 6, 6, 8))
    return t.module(*functions, roots, whole, sign, all_of_them)


_CONTROL = """
module {
  tosa.variable @state = dense<3> : tensor<1x4xi32>
  func.func @main(%wide: tensor<1x4xi32>, %given: tensor<i32>) -> (tensor<1x4xi32>, tensor<i32>) {
    %k = "tosa.const"() <{values = dense<8> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %x = tosa.arithmetic_right_shift %wide, %k {round = true} : (tensor<1x4xi32>, tensor<1x1xi32>) -> tensor<1x4xi32>
    %r = tosa.variable_read @state : tensor<1x4xi32>
    %s = tosa.add %r, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    tosa.variable_write @state, %s : tensor<1x4xi32>
    %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %three = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %n = tosa.bitwise_and %given, %three : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = tosa.greater %given, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = tosa.cond_if %p (%a = %s, %b = %x) : tensor<i1> (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> {
    ^bb0(%a: tensor<1x4xi32>, %b: tensor<1x4xi32>):
      %m = tosa.maximum %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
      tosa.yield %m : tensor<1x4xi32>
    } else {
    ^bb0(%a: tensor<1x4xi32>, %b: tensor<1x4xi32>):
      %m = tosa.bitwise_xor %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
      tosa.yield %m : tensor<1x4xi32>
    }
    %w:2 = tosa.while_loop (%i = %n, %v = %q) : (tensor<i32>, tensor<1x4xi32>) -> (tensor<i32>, tensor<1x4xi32>) {
      %z = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %g = tosa.greater %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %g : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %v: tensor<1x4xi32>):
      %o = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %by = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
      %j = tosa.sub %i, %o : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = tosa.arithmetic_right_shift %v, %by {round = true} : (tensor<1x4xi32>, tensor<1x1xi32>) -> tensor<1x4xi32>
      tosa.yield %j, %u : tensor<i32>, tensor<1x4xi32>
    }
    return %w#1, %w#0 : tensor<1x4xi32>, tensor<i32>
  }
}
"""


@network
def control() -> str:
    """A variable, a branch and a loop."""
    return _CONTROL


@network
def scattered() -> str:
    """Rows of two batches replaced where an input says."""
    t = Text()
    rows, few, given = t.input("int8", 2, 6, 5), t.input("int8", 2, 3, 5), t.input("int32", 2, 3)
    either = t.op("bitwise_and", [given, t.constant([[1]], "int32")], "int32", (2, 3))
    at = t.op("add", [either, t.constant([[4, 0, 2]], "int32")], "int32", (2, 3))
    whole, part = (t.op("cast", [value], "float32", t.shape_of(value)) for value in (rows, few))
    made = t.op("scatter", [rows, at, few], "int8", (2, 6, 5)), t.op("scatter", [whole, at, part], "float32", (2, 6, 5))
    return t.module(*made)


FILES = ("control", "moves", "single", "sixteen")
"""Networks that lie beside this file as flatbuffers, too."""
GIVEN = ("executorch",)
"""Networks that lie beside this file as flatbuffers only: a CNN as `examples/doors/executorch_tosa.py` writes it."""


def main() -> None:
    """Record what the reference model computes, and make the flatbuffers."""
    import stillpool
    from stillpool.driver.models.model_file import TosaFile
    from stillpool.run.oracles.tosa import write_flatbuffer

    found: dict[str, np.ndarray] = {}

    def record(name: str, artifact: Any) -> None:
        given = inputs_of(name, [(tensor.dtype, tensor.shape) for tensor in artifact.description.inputs])
        for number, array in enumerate(artifact.reference(given).outputs):
            found[f"{name}/{number}"] = array

    for name, make in NETWORKS.items():
        file = Path(f"{name}.mlir")
        file.write_text(make())
        model = stillpool.load(file)
        artifact = stillpool.compile(model)
        file.unlink()
        if name in FILES:
            assert isinstance(model.file, TosaFile), "its reference is TOSA's"
            write_flatbuffer(model.file.module, RECORDED.with_name(f"{name}.tosa"), name)
        record(name, artifact)
    for name in GIVEN:
        record(name, stillpool.compile(stillpool.load(RECORDED.with_name(f"{name}.tosa"))))
    np.savez_compressed(RECORDED, **found)  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    main()
