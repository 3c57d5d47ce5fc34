"""Changes of one field of a model file, each drawn from a random generator."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

from ai_edge_litert import schema_py_generated as schema

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
    _change_number(model, rng, "scale", float, REALS)


def change_zero_point(model: Any, rng: random.Random) -> None:
    _change_number(model, rng, "zeroPoint", int, INTEGERS)


def _change_number(
    model: Any, rng: random.Random, field: str, kind: Callable[[Any], Any], values: Sequence[Any]
) -> None:
    """Replace one of a tensor's scales or zero points."""
    quantisation = _tensor(model.subgraphs[0], rng).quantization
    found = getattr(quantisation, field, None)
    if found is None or not len(found):
        raise Impossible
    numbers = [kind(number) for number in found]
    numbers[rng.randrange(len(numbers))] = rng.choice(values)
    setattr(quantisation, field, numbers)


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
