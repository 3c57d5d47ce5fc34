"""VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE and CALL_ONCE. The samples of a case are runs in sequence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from case import Case, activation, samples_of
from hypothesis import strategies as st
from tflite_build import Graph, Operator, Tensor, constant, options, write_graphs
from window_specs import SEEDS


@dataclass(frozen=True)
class Accumulated:
    """A variable to which each run adds its input; `initialised` by a subgraph that runs once, or as a reset leaves it.

    The result is what the variable held before, or holds after.
    """

    dtype: str
    shape: tuple[int, ...]
    initialised: bool
    before: bool
    zero_point: int
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        data = activation(self.dtype, self.shape, zero_point=self.zero_point)
        handle = Tensor((), "resource")
        named = options("VarHandle", container="", sharedName="sum")
        once = [Operator("CALL_ONCE", (), (), options("CallOnce", initSubgraphIndex=1))] if self.initialised else []
        main = Graph(
            [data, handle, data, data],
            [
                *once,
                Operator("VAR_HANDLE", (), (1,), named),
                Operator("READ_VARIABLE", (1,), (2,), options("ReadVariable")),
                Operator("ADD", (2, 0), (3,), options("Add")),
                Operator("ASSIGN_VARIABLE", (1, 3), (), options("AssignVariable")),
            ],
            (0,),
            (2,) if self.before else (3,),
        )
        value = constant(samples_of(self.dtype, rng, self.shape)[0], data.scales, zero_point=self.zero_point)
        initial = Graph(
            [handle, value],
            [
                Operator("VAR_HANDLE", (), (0,), named),
                Operator("ASSIGN_VARIABLE", (0, 1), (), options("AssignVariable")),
            ],
            (),
            (),
        )
        graphs = [main, initial] if self.initialised else [main]
        return Case(write_graphs(graphs), (samples_of(self.dtype, rng, self.shape),))


def accumulated(dtype: str, *, initialised: bool) -> st.SearchStrategy[Accumulated]:
    """Variables of any shape."""
    return st.builds(
        Accumulated,
        dtype=st.just(dtype),
        shape=st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple),
        initialised=st.just(initialised),
        before=st.booleans(),
        zero_point=st.sampled_from((0, -128, 17, 127)) if dtype == "int8" else st.just(0),
        seed=SEEDS,
    )


KINDS = {
    kind: accumulated(dtype, initialised=opcode == "CALL_ONCE")
    for dtype in ("float32", "int8", "int16", "int32")
    for opcode in ("VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "CALL_ONCE")
    if (kind := f"{opcode} {dtype}")
}
