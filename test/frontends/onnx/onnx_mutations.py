"""Damage to ONNX files: one or two fields or bytes are changed.

`python test/frontends/onnx/onnx_mutations.py 10000` tries that many; the tests try fewer. Each must give a model
that lowers to loops, or one of stillpool's errors, within seconds and little memory.
"""

from __future__ import annotations

import random
import resource
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from onnx_graphs import Graph
from outcome import BYTES, outcome

from stillpool.frontends.onnx import import_onnx_bytes

NUMBERS = (0, 1, -1, 2, 3, 7, 255, -128, 65536, 2**31 - 1, -(2**31), 2**40)


def images() -> bytes:
    """Operators on images, quantised and not."""
    rng, g = np.random.default_rng(1), Graph(18)
    x = g.quantised(g.input(1, 4, 6, 6), 0.02, 3)
    weights = g.weights(rng.integers(-9, 9, (4, 2, 3, 3)).astype(np.int8), rng.uniform(0.1, 0.2, 4))
    value = g.quantised(g.op("Conv", x, weights, pads=[1, 1, 1, 1], group=2), 0.1, 1)
    value = g.op("MaxPool", g.op("Clip", value, g.constant(np.float32(0))), kernel_shape=[2, 2], ceil_mode=1)
    value = g.op("ConvTranspose", value, g.constant(np.ones((4, 2, 2, 2), np.float32)), strides=[2, 2])
    sizes = g.constant(np.array([1, 2, 5, 5]))
    value = g.op("Resize", value, "", "", sizes, mode="linear")
    value = g.op("Pad", value, g.constant(np.array([0, 0, 1, 1, 0, 0, 1, 1])))
    value = g.op("DepthToSpace", g.op("Concat", value, value, axis=1), blocksize=2)
    value = g.op("Transpose", g.op("Slice", value, *(g.constant(np.array([n])) for n in (1, 9, 2))), perm=[0, 2, 3, 1])
    g.outputs = [g.op("Softmax", g.op("Flatten", value)), g.op("AveragePool", x, kernel_shape=[3, 3], pads=[1] * 4)]
    return g.model()


def rows() -> bytes:
    """Operators on rows, recurrent ones, sums of integers."""
    rng, g = np.random.default_rng(2), Graph(17)
    x = g.input(5, 2, 3)
    shapes = (1, 12, 3), (1, 12, 4), (1, 24)
    gates = [g.constant(rng.normal(size=shape).astype(np.float32)) for shape in shapes]
    value = g.op("Squeeze", g.op("GRU", x, *gates, hidden_size=4), g.constant(np.array([1])))
    wide = [np.ones((1, 16, 3)), np.ones((1, 16, 4)), np.ones((1, 32))]
    other = g.op("LSTM", x, *(g.constant(each.astype(np.float32)) for each in wide), hidden_size=4, direction="reverse")
    value = g.op("Add", value, g.op("Reshape", other, g.constant(np.array([5, 2, 4]))))
    value = g.op("Gather", value, g.constant(np.array([[0, 4], [-1, 2]])), axis=0)
    value = g.op("Where", g.op("Less", value, g.constant(np.float32(0))), value, g.op("Softplus", value))
    value = g.op("ReduceMean", value, axes=[0], keepdims=0)
    product = g.op("Gemm", g.op("Flatten", value), g.constant(np.ones((8, 3), np.float32)), alpha=0.5)
    byte = g.input(2, 8, type=3)
    sums = g.op("MatMulInteger", byte, g.constant(np.ones((8, 3), np.uint8)))
    g.outputs = [g.op("Add", product, g.op("Cast", sums, to=1)), g.op("LayerNormalization", value, gates[2])][:1]
    return g.model()


def definitions() -> bytes:
    """Operators that are written in others."""
    g = Graph(18)
    x, ones = g.input(1, 4, 9, 8), g.constant(np.ones(4, np.float32))
    value = g.op("LRN", g.op("InstanceNormalization", x, ones, ones, epsilon=0.1), size=3, alpha=0.2)
    value = g.op("MaxPool", value, kernel_shape=[2, 3], dilations=[3, 2], strides=[1, 2], pads=[1] * 4, ceil_mode=1)
    value = g.op("Trilu", g.op("LpNormalization", value, axis=1, p=2), g.constant(np.array(1)), upper=0)
    places = g.constant(np.zeros((1, 4, 2, 1), np.int64))
    rows = g.op("Hardmax", g.op("GatherND", value, places, batch_dims=2), axis=1)
    truth = g.op("Xor", g.op("IsNaN", rows), g.op("IsInf", rows, detect_negative=0))
    g.outputs = [g.op("Where", truth, rows, g.op("Neg", rows))]
    return g.model()


def attribute(model: Any, rng: random.Random) -> None:
    """A value or the type of an attribute."""
    node = rng.choice([node for node in model.graph.node if node.attribute])
    chosen = rng.choice(node.attribute)
    if rng.random() < 0.3:
        chosen.type = rng.randrange(12)
    elif chosen.ints:
        chosen.ints[rng.randrange(len(chosen.ints))] = rng.choice(NUMBERS)
    elif chosen.s:
        chosen.s = rng.choice([b"", b"\xff", b"SAME_UPPER", b"linear"])
    else:
        chosen.i = rng.choice(NUMBERS)


def without_attribute(model: Any, rng: random.Random) -> None:
    """An attribute less."""
    node = rng.choice([node for node in model.graph.node if node.attribute])
    del node.attribute[rng.randrange(len(node.attribute))]


def wires(model: Any, rng: random.Random) -> None:
    """An input of an operator: another tensor, none, or one less."""
    node = rng.choice([node for node in model.graph.node if node.input])
    place = rng.randrange(len(node.input))
    names = [name for each in model.graph.node for name in (*each.input, *each.output)]
    if rng.random() < 0.3:
        del node.input[place]
    else:
        node.input[place] = rng.choice([*names, "", "nowhere"])


def kind(model: Any, rng: random.Random) -> None:
    """Another operator in the place of one."""
    rng.choice(model.graph.node).op_type = rng.choice(model.graph.node).op_type


def constant(model: Any, rng: random.Random) -> None:
    """Shape, type or elements of a constant."""
    chosen = rng.choice(model.graph.initializer)
    match rng.randrange(4):
        case 0 if chosen.dims:
            chosen.dims[rng.randrange(len(chosen.dims))] = rng.choice(NUMBERS)
        case 1:
            chosen.data_type = rng.randrange(24)
        case 2:
            del chosen.dims[:]
        case _:
            data = bytearray(chosen.raw_data)
            for _ in range(min(len(data), 8)):
                data[rng.randrange(len(data))] = rng.choice((0, 1, 127, 128, 255))
            chosen.raw_data = bytes(data)


def border(model: Any, rng: random.Random) -> None:
    """Type or an extent of an input."""
    kind = rng.choice(model.graph.input).type.tensor_type
    if rng.random() < 0.3:
        kind.elem_type = rng.randrange(24)
    elif kind.shape.dim:
        rng.choice(kind.shape.dim).dim_value = rng.choice(NUMBERS)


def order(model: Any, rng: random.Random) -> None:
    """An operator twice, elsewhere or not at all; another operator set."""
    nodes = list(model.graph.node)
    match rng.randrange(3):
        case 0:
            nodes.insert(rng.randrange(len(nodes)), nodes[rng.randrange(len(nodes))])
        case 1:
            del nodes[rng.randrange(len(nodes))]
        case _:
            model.opset_import[0].version = rng.choice((1, 7, 11, 13, 22, 99))
    copies = [type(node).FromString(node.SerializeToString()) for node in nodes]
    del model.graph.node[:]
    model.graph.node.extend(copies)


MUTATIONS: Sequence[Callable[[Any, random.Random], None]] = (
    attribute,
    without_attribute,
    wires,
    kind,
    constant,
    border,
    order,
)


def mutants(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Damaged files with a name that makes them again."""
    import onnx

    rng, bases = random.Random(seed), (images(), rows(), definitions())
    for number in range(count):
        data, done = rng.choice(bases), []
        if rng.random() < 0.15:
            damaged = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            yield f"{number}: bytes", bytes(damaged[: rng.choice((len(damaged), rng.randrange(1, len(damaged))))])
            continue
        model = onnx.load_from_string(data)
        for _ in range(rng.choice((1, 1, 2))):
            mutation = rng.choice(MUTATIONS)
            try:
                mutation(model, rng)
            except (ValueError, IndexError, TypeError):
                # What the writer refuses is no file.
                continue
            done.append(mutation.__name__)
        yield f"{number}: {', '.join(done)}", model.SerializeToString()


def main(count: int, seed: int) -> int:
    """Try; print what became of all; 1 if one was neither lowered nor refused in words."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    # Users see what NumPy warns of, and cannot do anything about it.
    for category in (RuntimeWarning, np.exceptions.ComplexWarning):
        warnings.simplefilter("error", category)
    found: Counter[str] = Counter()
    faults = 0
    for name, data in mutants(count, seed):
        try:
            found[outcome(partial(import_onnx_bytes, data, "net", "net.onnx"))] += 1
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            faults += 1
            last = error.__traceback__
            while last is not None and last.tb_next is not None:
                last = last.tb_next
            place = "" if last is None else f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}"
            print(f"seed {seed}, {name}: {type(error).__name__}: {str(error)[:120]} at {place}", flush=True)
    print(dict(found), f"{faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
