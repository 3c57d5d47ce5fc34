"""Structured damage to models: one field of the file is changed, everything else stays consistent.

`python test/frontends/mutations.py 20000` tries that many; the tests try fewer. Each must give a model that lowers to
loops, or one of stillpool's errors, within seconds and little memory.
"""

from __future__ import annotations

import copy
import random
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import flatbuffers
from ai_edge_litert import schema_py_generated as schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance"))

from stillpool.driver import pipeline
from stillpool.errors import StillpoolError
from stillpool.frontends.tflite import import_tflite

SECONDS = 20
BYTES = 2 << 30

EXTENTS = (0, -1, 1, 2, 3, 7, 1000, 2**31 - 1)
REALS = (0.0, -1.0, 1.0, 1e-30, 1e30, float("inf"), float("nan"), 0.1)
INTEGERS = (0, 1, -1, 2, 3, 127, -128, 255, 2**31 - 1, -(2**31))
TYPES = sorted(value for name, value in vars(schema.TensorType).items() if isinstance(value, int))
CODES = sorted(value for name, value in vars(schema.BuiltinOperator).items() if isinstance(value, int))

Mutation = Callable[[Any, random.Random], None]


class Impossible(Exception):
    """The model has nothing that this mutation changes."""


def _pick(rng: random.Random, items: Sequence[Any] | None) -> Any:
    if items is None or not len(items):
        raise Impossible
    return items[rng.randrange(len(items))]


def _tensor(graph: Any, rng: random.Random) -> Any:
    return _pick(rng, graph.tensors)


def change_type(model: Any, rng: random.Random) -> None:
    _tensor(model.subgraphs[0], rng).type = rng.choice(TYPES)


def change_extent(model: Any, rng: random.Random) -> None:
    tensor = _tensor(model.subgraphs[0], rng)
    shape = [int(extent) for extent in ([] if tensor.shape is None else tensor.shape)]
    if not shape:
        raise Impossible
    shape[rng.randrange(len(shape))] = rng.choice(EXTENTS)
    tensor.shape = shape


def change_rank(model: Any, rng: random.Random) -> None:
    tensor = _tensor(model.subgraphs[0], rng)
    shape = [int(extent) for extent in ([] if tensor.shape is None else tensor.shape)]
    if shape and rng.random() < 0.5:
        shape.pop(rng.randrange(len(shape)))
    else:
        shape.insert(rng.randrange(len(shape) + 1), rng.choice((1, 1, 2, 5)))
    tensor.shape = shape


def change_signature(model: Any, rng: random.Random) -> None:
    tensor = _tensor(model.subgraphs[0], rng)
    shape = [] if tensor.shape is None else tensor.shape
    tensor.shapeSignature = [rng.choice((-1, int(extent))) for extent in shape]


def change_buffer(model: Any, rng: random.Random) -> None:
    _tensor(model.subgraphs[0], rng).buffer = rng.choice((0, 1, len(model.buffers), rng.randrange(len(model.buffers))))


def change_data(model: Any, rng: random.Random) -> None:
    buffer = _pick(rng, model.buffers)
    data = bytearray(b"" if buffer.data is None else bytes(bytearray(buffer.data)))
    if not data:
        raise Impossible
    match rng.randrange(3):
        case 0:
            data = data[: rng.randrange(len(data))]
        case 1:
            data += bytes(rng.randrange(1, 9))
        case _:
            for _ in range(rng.randrange(1, 5)):
                data[rng.randrange(len(data))] = rng.randrange(256)
    buffer.data = list(data)


def change_scale(model: Any, rng: random.Random) -> None:
    quantisation = _tensor(model.subgraphs[0], rng).quantization
    if quantisation is None or quantisation.scale is None or not len(quantisation.scale):
        raise Impossible
    scales = [float(scale) for scale in quantisation.scale]
    scales[rng.randrange(len(scales))] = rng.choice(REALS)
    quantisation.scale = scales


def change_zero_point(model: Any, rng: random.Random) -> None:
    quantisation = _tensor(model.subgraphs[0], rng).quantization
    if quantisation is None or quantisation.zeroPoint is None or not len(quantisation.zeroPoint):
        raise Impossible
    points = [int(point) for point in quantisation.zeroPoint]
    points[rng.randrange(len(points))] = rng.choice(INTEGERS)
    quantisation.zeroPoint = points


def change_quantisation(model: Any, rng: random.Random) -> None:
    tensor = _tensor(model.subgraphs[0], rng)
    if rng.random() < 0.4:
        tensor.quantization = None
        return
    made = schema.QuantizationParametersT()
    count = rng.choice((1, 1, 2, 3))
    made.scale = [rng.choice((0.5, 0.01, 3.0)) for _ in range(count)]
    made.zeroPoint = [rng.choice((0, 3, -7)) for _ in range(rng.choice((count, count, 1)))]
    made.quantizedDimension = rng.choice((0, 1, 3, -1, 9))
    tensor.quantization = made


def change_operand(model: Any, rng: random.Random) -> None:
    graph = model.subgraphs[0]
    operator = _pick(rng, graph.operators)
    field = rng.choice(("inputs", "outputs"))
    indices = [int(index) for index in ([] if getattr(operator, field) is None else getattr(operator, field))]
    choices = (-1, -2, len(graph.tensors), 2**31 - 1, *range(len(graph.tensors)))
    match rng.randrange(4):
        case 0 if indices:
            indices.pop(rng.randrange(len(indices)))
        case 1:
            indices.insert(rng.randrange(len(indices) + 1), rng.choice(choices))
        case 2:
            rng.shuffle(indices)
        case _ if indices:
            indices[rng.randrange(len(indices))] = rng.choice(choices)
        case _:
            raise Impossible
    setattr(operator, field, indices)


def change_opcode(model: Any, rng: random.Random) -> None:
    code = _pick(rng, model.operatorCodes)
    code.builtinCode = rng.choice(CODES)
    code.deprecatedBuiltinCode = rng.choice((min(code.builtinCode, 127), code.deprecatedBuiltinCode))


def change_opcode_index(model: Any, rng: random.Random) -> None:
    _pick(rng, model.subgraphs[0].operators).opcodeIndex = rng.choice((0, 1, 2, 99))


def change_option(model: Any, rng: random.Random) -> None:
    made = _pick(rng, model.subgraphs[0].operators).builtinOptions
    fields = [] if made is None else sorted(vars(made))
    name = _pick(rng, fields)
    value = getattr(made, name)
    match value:
        case bool():
            setattr(made, name, not value)
        case int():
            setattr(made, name, rng.choice((0, 1, 2, 3, 5, 100)))
        case float():
            setattr(made, name, rng.choice(REALS))
        case _:
            raise Impossible


def drop_options(model: Any, rng: random.Random) -> None:
    operator = _pick(rng, model.subgraphs[0].operators)
    operator.builtinOptions, operator.builtinOptionsType = None, 0


def change_ends(model: Any, rng: random.Random) -> None:
    graph = model.subgraphs[0]
    field = rng.choice(("inputs", "outputs"))
    indices = [int(index) for index in ([] if getattr(graph, field) is None else getattr(graph, field))]
    indices.insert(rng.randrange(len(indices) + 1), rng.choice((-1, len(graph.tensors), *range(len(graph.tensors)))))
    setattr(graph, field, indices)


def repeat_operator(model: Any, rng: random.Random) -> None:
    graph = model.subgraphs[0]
    graph.operators.insert(rng.randrange(len(graph.operators) + 1), copy.deepcopy(_pick(rng, graph.operators)))


def reverse_operators(model: Any, rng: random.Random) -> None:
    model.subgraphs[0].operators.reverse()


def close_cycle(model: Any, rng: random.Random) -> None:
    graph = model.subgraphs[0]
    first, last = graph.operators[0], graph.operators[-1]
    if first.inputs is None or last.outputs is None or not len(first.inputs) or not len(last.outputs):
        raise Impossible
    inputs = [int(index) for index in first.inputs]
    inputs[0] = int(last.outputs[0])
    first.inputs = inputs


def make_variable(model: Any, rng: random.Random) -> None:
    tensor = _tensor(model.subgraphs[0], rng)
    tensor.isVariable = not tensor.isVariable


def make_dynamic(model: Any, rng: random.Random) -> None:
    """All shapes follow from the inputs' then, of which one changes."""
    graph = model.subgraphs[0]
    for tensor in graph.tensors:
        if tensor.shape is not None and not tensor.buffer:
            tensor.shapeSignature = [-1] * len(tensor.shape)
    if rng.random() < 0.5:
        change_extent(model, rng)
    else:
        change_rank(model, rng)


def many_dimensions(model: Any, rng: random.Random) -> None:
    tensor = _tensor(model.subgraphs[0], rng)
    tensor.shape = [1] * rng.choice((5, 9, 33, 65, 300)) + [
        int(extent) for extent in ([] if tensor.shape is None else tensor.shape)
    ]


def change_name(model: Any, rng: random.Random) -> None:
    _tensor(model.subgraphs[0], rng).name = rng.choice(
        (b"", b"/*", b"{}", b"_", b"12", b"\xc3\xa9", b"a\n", b"int", b"\xff")
    )


MUTATIONS: tuple[Mutation, ...] = (
    change_type,
    change_extent,
    change_rank,
    change_signature,
    change_buffer,
    change_data,
    change_scale,
    change_zero_point,
    change_quantisation,
    change_operand,
    change_opcode,
    change_opcode_index,
    change_option,
    drop_options,
    change_ends,
    repeat_operator,
    reverse_operators,
    close_cycle,
    make_variable,
    make_dynamic,
    many_dimensions,
    change_name,
)


def mutants(bases: Sequence[bytes], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Damaged models with a name that makes them again."""
    rng = random.Random(seed)
    trees = [schema.ModelT.InitFromObj(schema.Model.GetRootAs(base, 0)) for base in bases]
    made = 0
    while made < count:
        number = rng.randrange(len(trees))
        model = copy.deepcopy(trees[number])
        chosen = [rng.choice(MUTATIONS) for _ in range(rng.choice((1, 1, 1, 2)))]
        try:
            for mutation in chosen:
                mutation(model, rng)
            builder = flatbuffers.Builder(1024)
            builder.Finish(model.Pack(builder), b"TFL3")
        except (Impossible, TypeError, ValueError, IndexError, OverflowError):
            # What the writer refuses is no file.
            continue
        made += 1
        yield f"base {number}: {', '.join(mutation.__name__ for mutation in chosen)}", bytes(builder.Output())


def attempt(data: bytes) -> str:
    """What becomes of a damaged model: the error's class, or `lowered`; anything else is raised."""
    signal.alarm(SECONDS)
    try:
        module = import_tflite(data, "net")
        pipeline.apply(
            module,
            f"{pipeline.to_simplified(pipeline.Plan())},{pipeline.to_tasks()},{pipeline.to_memref()}",
            where="net",
        )
    except StillpoolError as error:
        return type(error).__name__
    finally:
        signal.alarm(0)
    return "lowered"


def bases() -> list[bytes]:
    """One model of every kind of conformance case, and the shipped network."""
    from hypothesis import HealthCheck, Phase, given, settings
    from kinds import KINDS

    drawn: list[bytes] = []

    def draw(strategy: Any) -> None:
        @settings(
            database=None,
            derandomize=True,
            max_examples=1,
            phases=[Phase.generate],
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def case(spec: Any) -> None:
            drawn.append(spec.case().model)

        case()

    for strategy in KINDS.values():
        draw(strategy)
    shipped = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
    return [*drawn, shipped.read_bytes()]


def main(count: int, seed: int) -> int:
    """Try; print what failed and a summary."""
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    for name, data in mutants(bases(), count, seed):
        try:
            outcomes[attempt(data)] += 1
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
            Path(tempfile.gettempdir(), f"mutant_{len(failures)}.tflite").write_bytes(data)
    for failure in failures:
        print(failure.splitlines()[0][:300])
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(dict(outcomes), f"{len(failures)} failures, {used >> 20} MB")
    return 1 if failures or used > BYTES else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
