"""IF and WHILE: operators that run subgraphs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from case import SAMPLES, Case, activation, samples_of
from hypothesis import strategies as st
from tflite_build import Graph, Operator, Tensor, constant, options, write_graphs
from window_specs import SEEDS

TYPES = ("float32", "int8", "int16")


def truths(*shape: int) -> Tensor:
    """A tensor of truth values."""
    return Tensor(shape, "bool")


@dataclass(frozen=True)
class If:
    """Sums in one branch, an input as it is, or a constant, in the other."""

    dtype: str
    shape: tuple[int, ...]
    otherwise: str
    scalar: bool
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        data = activation(self.dtype, self.shape)
        sums = Operator("ADD", (0, 1), (2,), options("Add"))
        twice = Operator("ADD", (2, 1), (3,), options("Add"))
        then = Graph([data] * 4, [sums, twice], (0, 1), (3,))
        if self.otherwise == "constant":
            value = samples_of(self.dtype, rng, self.shape)[0]
            other = Graph([data, data, constant(value, data.scales, zero_point=0)], [], (0, 1), (2,))
        else:
            other = Graph([data, data], [], (0, 1), (1,))
        condition = truths() if self.scalar else truths(1)
        branch = Operator("IF", (0, 1, 2), (3,), options("If", thenSubgraphIndex=1, elseSubgraphIndex=2))
        main = Graph(
            [condition, data, data, data, data],
            [branch, Operator("ADD", (3, 1), (4,), options("Add"))],
            (0, 1, 2),
            (4,),
        )
        given = np.array([True, False, True]).reshape(SAMPLES, *condition.shape)
        inputs = given, samples_of(self.dtype, rng, self.shape), samples_of(self.dtype, rng, self.shape)
        return Case(write_graphs([main, then, other]), inputs)


def if_(dtype: str) -> st.SearchStrategy[If]:
    """Branches of all kinds."""
    return st.builds(
        If,
        dtype=st.just(dtype),
        shape=st.lists(st.integers(1, 4), max_size=3).map(tuple),
        otherwise=st.sampled_from(("input", "constant")),
        scalar=st.booleans(),
        seed=SEEDS,
    )


@dataclass(frozen=True)
class While:
    """As long as the first mark is set: marks move one place to the front, sums grow, two values change places."""

    dtype: str
    marks: int
    shape: tuple[int, ...]
    swap: bool
    keep: bool
    """Whether the term that is added is handed on by the loop."""
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        marks, data = truths(self.marks), activation(self.dtype, self.shape)
        kept = [data] if self.keep else []
        carried = [marks, data, data, *kept]
        count = len(carried)
        places = tuple(range(count))
        first = constant(np.array([0], np.int32)), constant(np.array([1], np.int32))
        condition = Graph(
            [*carried, *first, truths(1)],
            [Operator("SLICE", (0, count, count + 1), (count + 2,), options("Slice"))],
            places,
            (count + 2,),
        )
        term = constant(samples_of(self.dtype, rng, self.shape)[0], data.scales)
        names = {
            name: count + number for number, name in enumerate(("begin", "size", "last", "cut", "next", "term", "sum"))
        }
        body = Graph(
            [
                *carried,
                constant(np.array([1], np.int32)),
                constant(np.array([self.marks - 1], np.int32)),
                constant(np.array([False])),
                truths(self.marks - 1),
                marks,
                term,
                data,
            ],
            [
                Operator("SLICE", (0, names["begin"], names["size"]), (names["cut"],), options("Slice")),
                Operator("CONCATENATION", (names["cut"], names["last"]), (names["next"],), options("Concatenation")),
                Operator("ADD", (1, 3 if self.keep else names["term"]), (names["sum"],), options("Add")),
            ],
            places,
            (names["next"], *((2, names["sum"]) if self.swap else (names["sum"], 2)), *((3,) if self.keep else ())),
        )
        results = tuple(range(count, 2 * count))
        loop = Operator("WHILE", places, results, options("While", condSubgraphIndex=1, bodySubgraphIndex=2))
        main = Graph([*carried, *carried], [loop], places, results)
        flags = rng.integers(0, 2, (SAMPLES, self.marks)).astype(np.bool_)
        flags[:2, 0] = True
        inputs = flags, *(samples_of(self.dtype, rng, self.shape) for _ in places[1:])
        return Case(write_graphs([main, condition, body]), inputs, outputs=count)


def while_(dtype: str) -> st.SearchStrategy[While]:
    """Loops that depend on data."""
    return st.builds(
        While,
        dtype=st.just(dtype),
        marks=st.integers(2, 5),
        shape=st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple),
        swap=st.booleans(),
        keep=st.booleans(),
        seed=SEEDS,
    )


@dataclass(frozen=True)
class Counted:
    """A counter from `start` by `step` as long as it is below the limit, and a sum that grows."""

    start: int
    step: int
    limit: int
    is_constant: bool
    """Whether the counter starts with a constant, so that the rounds are known."""
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        counter, data = Tensor((), "int32"), activation("float32", (2, 3))
        limit, step = (constant(np.array(number, np.int32)) for number in (self.limit, self.step))
        condition = Graph(
            [counter, data, limit, truths()], [Operator("LESS", (0, 2), (3,), options("Less"))], (0, 1), (3,)
        )
        body = Graph(
            [counter, data, step, counter, data],
            [Operator("ADD", (0, 2), (3,), options("Add")), Operator("ADD", (1, 1), (4,), options("Add"))],
            (0, 1),
            (3, 4),
        )
        start = constant(np.array(self.start, np.int32)) if self.is_constant else counter
        loop = Operator("WHILE", (0, 1), (2, 3), options("While", condSubgraphIndex=1, bodySubgraphIndex=2))
        given = (1,) if self.is_constant else (0, 1)
        main = Graph([start, data, counter, data], [loop], given, (2, 3))
        starts = np.array([self.start, self.limit, self.start + 1], np.int32)
        values = samples_of("float32", rng, (2, 3))
        inputs = (values,) if self.is_constant else (starts, values)
        return Case(write_graphs([main, condition, body]), inputs, outputs=2)


COUNTED = st.builds(
    Counted,
    start=st.integers(-3, 3),
    step=st.integers(1, 4),
    limit=st.integers(-4, 12),
    is_constant=st.booleans(),
    seed=SEEDS,
)

KINDS = (
    {"WHILE int32": COUNTED, "IF int32": if_("int32")}
    | {f"IF {dtype}": if_(dtype) for dtype in TYPES}
    | {f"WHILE {dtype}": while_(dtype) for dtype in TYPES}
)
