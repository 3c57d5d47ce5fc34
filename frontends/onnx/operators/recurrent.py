"""RNN, GRU and LSTM: one direction is a scan over time, of a single step the step itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue

from ....dialects.nn.activation import ClampOp, LeakyReluOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.control_flow import ScanOp, YieldOp
from ....dialects.nn.element_functions import Unary, UnaryOp
from ....dialects.nn.elementwise import AddOp, MulOp, SubOp
from ....dialects.nn.interfaces import shape_of
from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp
from ...reasons import Unsupported
from ..node import Node
from ..registry import operator
from ..stored import Stored, type_of, typed
from ..tensors import Lazy, Tensor
from .gate_sums import GATES, GateSums, kind_of

Activation = Callable[["Emit", SSAValue], SSAValue]
Activations = Sequence[tuple[str, float, float]]
"""Names with their alpha and beta."""

_USUAL = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
_PARAMETERS = {
    "Affine": (1.0, 0.0),
    "Elu": (1.0, 0.0),
    "HardSigmoid": (0.2, 0.5),
    "LeakyRelu": (0.01, 0.0),
    "ScaledTanh": (1.0, 1.0),
}
"""Usual alpha and beta."""
_UNARY = {"Sigmoid": Unary.LOGISTIC, "Tanh": Unary.TANH}
"""Activations that `nn.unary` computes."""


class Emit:
    """Emits the operations of one step."""

    def __init__(self, node: Node, clip: float):
        self.node, self.clip = node, clip

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Sum."""
        return self.node.emit(AddOp(a, b, output_type=type_of(a)))

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Product of elements."""
        return self.node.emit(MulOp(a, b, output_type=type_of(a)))

    def one_minus(self, a: SSAValue) -> SSAValue:
        """The rest to 1."""
        return self.node.emit(SubOp(self.number(1.0), a, output_type=type_of(a)))

    def number(self, value: float) -> SSAValue:
        """A constant for every element."""
        return self.node.literal(np.full((1, 1), value, np.float32), f32)

    def columns(self, value: SSAValue, first: int, count: int) -> SSAValue:
        """Some columns."""
        rows, whole = shape_of(value)
        return value if count == whole else self.node.emit(SliceOp(value, (0, first), (1, 1), (rows, count)))

    def activated(self, activation: tuple[str, float, float], value: SSAValue, *, is_limited: bool = True) -> SSAValue:
        """An activation of what is limited before, as onnxruntime limits gates; ONNX means cells as well."""
        if self.clip and is_limited:
            value = self.node.emit(ClampOp(value, ClampAttr.get(-self.clip, self.clip), type_of(value)))
        name, alpha, beta = activation
        type = type_of(value)
        match name:
            case "Sigmoid" | "Tanh":
                return self.node.emit(UnaryOp(_UNARY[name], value, type))
            case "Relu":
                return self.node.emit(ClampOp(value, ClampAttr.get(0.0, float("inf")), type))
            case "LeakyRelu":
                return self.node.emit(LeakyReluOp(value, type, alpha=float(np.float32(alpha))))
            case "Elu":
                return self.node.emit(UnaryOp(Unary.ELU, value, type))
            case "Affine":
                return self.add(self.mul(value, self.number(alpha)), self.number(beta))
            case "HardSigmoid":
                line = self.add(self.mul(value, self.number(alpha)), self.number(beta))
                return self.node.emit(ClampOp(line, ClampAttr.get(0.0, 1.0), type))
            case "ScaledTanh":
                inner = self.node.emit(UnaryOp(Unary.TANH, self.mul(value, self.number(beta)), type))
                return self.mul(inner, self.number(alpha))
            case _:
                raise AssertionError("activations are known")


class Direction:
    """One direction of a layer: what one step computes."""

    def __init__(self, node: Node, number: int, sums: GateSums, activations: Activations):
        self.sums, self.activations, self.units = sums, activations, sums.units
        self.peepholes = None
        if kind_of(node) == "LSTM" and node.optional(7) is not None:
            self.peepholes = np.split(node.constant(7)[number].astype(np.float32), 3)
        self.after = bool(node.attributes.get("linear_before_reset", 0))
        self.coupled = bool(node.attributes.get("input_forget", 0))
        self.step = {"RNN": self._rnn, "GRU": self._gru, "LSTM": self._lstm}[kind_of(node)]

    def _rnn(self, emit: Emit, x: Sequence[SSAValue], states: Sequence[SSAValue]) -> list[SSAValue]:
        return [emit.activated(self.activations[0], self.sums.of(emit.node, x, states[0], slice(None)))]

    def _gru(self, emit: Emit, x: Sequence[SSAValue], states: Sequence[SSAValue]) -> list[SSAValue]:
        (h,), units = states, self.units
        gates = emit.activated(self.activations[0], self.sums.of(emit.node, x, h, slice(0, 2 * units)))
        update, reset = (emit.columns(gates, first, units) for first in (0, units))
        last = slice(2 * units, None)
        if self.after:
            new, old = self.sums.apart(emit.node, x, h, last)
            inner = emit.add(new, emit.mul(reset, old))
        else:
            inner = self.sums.of(emit.node, x, emit.mul(reset, h), last)
        new = emit.activated(self.activations[1], inner)
        return [emit.add(emit.mul(emit.one_minus(update), new), emit.mul(update, h))]

    def _lstm(self, emit: Emit, x: Sequence[SSAValue], states: Sequence[SSAValue]) -> list[SSAValue]:
        (h, c), units = states, self.units
        f, g, last = self.activations
        sums = self.sums.of(emit.node, x, h, slice(None))
        if self.peepholes is None:
            gates = emit.activated(f, emit.columns(sums, 0, 3 * units))
            input, output, forget = (emit.columns(gates, number * units, units) for number in range(3))
        else:
            input, output, forget = (emit.columns(sums, number * units, units) for number in range(3))
            input, forget = (
                emit.activated(f, emit.add(gate, emit.mul(c, emit.node.literal(self.peepholes[number][None], f32))))
                for gate, number in ((input, 0), (forget, 2))
            )
        if self.coupled:
            forget = emit.one_minus(input)
        new = emit.activated(g, emit.columns(sums, 3 * units, units))
        cell = emit.add(emit.mul(forget, c), emit.mul(input, new))
        if self.peepholes is not None:
            weighed = emit.mul(cell, emit.node.literal(self.peepholes[1][None], f32))
            output = emit.activated(f, emit.add(output, weighed))
        return [emit.mul(output, emit.activated(last, cell, is_limited=False)), cell]


@operator(*GATES, "com.microsoft.DynamicQuantizeLSTM")
def recurrent(node: Node) -> Sequence[Tensor]:
    """Weights are constants; all sequences have the full length; states may be inputs."""
    data, kind, attributes = node.input(0), kind_of(node), node.attributes
    if len(data.shape) != 3 or node.constant(1).ndim != 3 or node.constant(2).ndim != 3:
        raise node.malformed("input and weights must have 3 dimensions")
    batch_first = bool(attributes.get("layout", 0))
    batch, steps = data.shape[:2] if batch_first else data.shape[1::-1]
    if node.optional(4) is not None and np.any(node.constant(4) != steps):
        raise Unsupported("sequences of several lengths cannot be compiled")
    way = attributes.get("direction", "forward")
    reverses = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}.get(way)
    if reverses is None or len(node.constant(1)) != len(reverses):
        raise node.malformed(f"weights do not fit the direction '{way}'")
    named = _activations(node, len(reverses))
    directions = [Direction(node, d, GateSums.read(node, d), named[d]) for d in range(len(reverses))]
    units, features = directions[0].units, directions[0].sums.features
    if features != data.shape[2]:
        raise node.malformed(f"weights are for {features} features, the input has {data.shape[2]}")
    states = 2 if kind == "LSTM" else 1
    stacked = bool(node.output_names[0]) and node.graph.reads(node.output_names[0])

    @functools.cache
    def emitted() -> list[SSAValue]:
        x = directions[0].sums.rows(node, node.real(data, (1, 0, 2) if batch_first else None))
        of = [
            _run(node, d, x, _initial(node, number, batch, units, states, batch_first), reverses[number], stacked)
            for number, d in enumerate(directions)
        ]
        joined = [_joined(node, [values[k] for values in of], 0) for k in range(states)]
        return [_joined(node, [values[states] for values in of], 1), *joined] if stacked else joined

    count = len(reverses)
    extents = {"steps": steps, "count": count, "batch": batch, "units": units}

    def output(position: int) -> Tensor:
        stored = ["steps", "count", "batch", "units"][position > 0 :]
        names = ["batch", "steps", "count", "units"] if position == 0 else ["batch", "count", "units"]
        names = names if batch_first else stored
        order = tuple(names.index(each) for each in stored)
        index = position - (0 if stacked else 1)
        value = Lazy(lambda: Stored(emitted()[index], order))
        return Tensor(node.output_names[position], tuple(extents[each] for each in names), "float32", value)

    return [output(position) for position in range(len(node.output_names))]


def _run(
    node: Node, direction: Direction, x: Sequence[SSAValue], initial: list[SSAValue], reverse: bool, stacked: bool
) -> list[SSAValue]:
    """The last states, then all hidden states if they are wanted."""
    rows, *common = x
    steps, *slice = shape_of(rows)
    row_type, count = typed(type_of(rows).get_element_type(), slice), len(initial)
    clip = float(node.attributes.get("clip", 0.0))
    if steps == 1:
        row = node.emit(ReshapeOp(rows, row_type))
        states = direction.step(Emit(node, clip), [row, *common], initial)
        stack = [node.emit(ReshapeOp(states[0], typed(f32, (1, *shape_of(states[0])))))] if stacked else []
        return [*states, *stack]
    # What is the same for all rows goes along with the states.
    carried = [*initial, *common]
    types = [type_of(value) for value in carried]
    body = Block(arg_types=[*types, row_type])
    inner = Node(node.graph.inner(body), node.index, node.op, [])
    given = body.args[count:-1]
    states = direction.step(Emit(inner, clip), [body.args[-1], *given], body.args[:count])
    body.add_op(YieldOp(*states, *given, *states[:stacked]))
    stack = [typed(f32, (steps, *shape_of(initial[0])))] if stacked else []
    made = list(node.emit_all(ScanOp(carried, [rows], body, [*types, *stack], reverse=reverse)))
    return [*made[:count], *made[len(carried) :]]


def _initial(node: Node, number: int, batch: int, units: int, states: int, batch_first: bool) -> list[SSAValue]:
    found: list[SSAValue] = []
    for position in (5, 6)[:states]:
        tensor = node.optional(position)
        if tensor is None:
            found.append(node.literal(np.zeros((batch, units), np.float32), f32))
            continue
        value = node.real(tensor, (1, 0, 2) if batch_first else None)
        if shape_of(value)[0] > 1:
            value = node.emit(SliceOp(value, (number, 0, 0), (1, 1, 1), (1, batch, units)))
        found.append(node.emit(ReshapeOp(value, typed(f32, (batch, units)))))
    return found


def _joined(node: Node, values: Sequence[SSAValue], axis: int) -> SSAValue:
    """Directions one after the other along a new axis."""
    shape = list(shape_of(values[0]))
    shape.insert(axis, 1)
    parts = [node.emit(ReshapeOp(value, typed(f32, shape))) for value in values]
    shape[axis] = len(parts)
    return parts[0] if len(parts) == 1 else node.emit(ConcatOp(parts, axis, typed(f32, shape)))


def _activations(node: Node, directions: int) -> list[Activations]:
    """Activations of every direction."""
    usual = _USUAL[kind_of(node)]
    names = list(node.attributes.get("activations", usual * directions))
    names = [name.decode() if isinstance(name, bytes) else name for name in names]
    if len(names) != len(usual) * directions:
        raise node.malformed(f"{len(names)} activations for {directions} directions")
    given = {key: list(node.attributes.get(f"activation_{key}", [])) for key in ("alpha", "beta")}
    found: list[tuple[str, float, float]] = []
    for name in names:
        alpha, beta = _PARAMETERS.get(name, (0.0, 0.0))
        if name not in _PARAMETERS and name not in ("Relu", *_UNARY):
            raise Unsupported(f"the activation {name} cannot be compiled")
        if name in _PARAMETERS and given["alpha"]:
            alpha = float(given["alpha"].pop(0))
        if name in ("HardSigmoid", "ScaledTanh", "Affine") and given["beta"]:
            beta = float(given["beta"].pop(0))
        if name == "Elu" and alpha != 1:
            raise Unsupported("Elu with an alpha other than 1 cannot be compiled")
        found.append((name, alpha, beta))
    return [found[d * len(usual) : (d + 1) * len(usual)] for d in range(directions)]
