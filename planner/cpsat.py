"""The algorithm `cpsat`: the constraint solver of Google OR-Tools (the extra `cpsat`), for gaps that `exact` leaves."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

from ..errors import UsageError, install_extra
from .bounds import lower_bound
from .exact import minimise
from .first_fit import height
from .layout import Effort, Layout
from .problem import Problem


def cpsat(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Offsets by CP-SAT, one worker and deterministic time, from the plan and the bound of `exact`.

    Raises:
        UsageError: OR-Tools is not installed.
    """
    start = minimise.exact(problem, members, effort)
    size, bound = height(problem, start.offsets), max(start.lower_bound, lower_bound(problem, members))
    if size <= bound:
        return start
    try:
        cp_model: Any = import_module("ortools.sat.python.cp_model")
    except ImportError as error:
        raise UsageError("the planner algorithm 'cpsat' needs OR-Tools", remedy=install_extra("cpsat")) from error
    model = cp_model.CpModel()
    top = model.NewIntVar(bound, size, "top")
    offsets = {i: _offset(model, problem, i, size) for i in members}
    for i in members:
        model.Add(offsets[i] + problem.buffers[i].size <= top)
        for j in problem.neighbours[i]:
            if j < i and j in offsets:
                _separate(model, problem, offsets, i, j)
    model.Minimize(top)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = effort.seconds
    status = _solved(solver, model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return start
    found = {i: int(solver.Value(offsets[i])) for i in members}
    return Layout(found, max(bound, int(solver.BestObjectiveBound())))


def _solved(solver: Any, model: Any) -> Any:
    """The status; the solver runs beside, so that a signal that ends the program stops it."""
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as beside:
        search = beside.submit(solver.Solve, model)
        try:
            return search.result()
        except BaseException:
            solver.StopSearch()
            raise


def _offset(model: Any, problem: Problem, index: int, size: int) -> Any:
    """The variable of a buffer's offset: a multiple of its alignment, or given."""
    buffer = problem.buffers[index]
    if buffer.fixed is not None:
        return model.NewConstant(buffer.fixed[1])
    steps = model.NewIntVar(0, max(0, size - buffer.size) // buffer.alignment, "")
    return steps * buffer.alignment


def _separate(model: Any, problem: Problem, offsets: dict[int, Any], a: int, b: int) -> None:
    """The two lie apart, or at the distance that a lead asks for."""
    ways = [
        offsets[a] + problem.buffers[a].size <= offsets[b],
        offsets[b] + problem.buffers[b].size <= offsets[a],
        *(
            offsets[x] + lead <= offsets[y]
            for (x, y) in ((a, b), (b, a))
            if (lead := problem.leads.get((x, y))) is not None
        ),
    ]
    chosen = [model.NewBoolVar("") for _ in ways]
    for way, is_chosen in zip(ways, chosen, strict=True):
        model.Add(way).OnlyEnforceIf(is_chosen)
    model.AddBoolOr(chosen)
