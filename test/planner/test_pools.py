"""Several pools with limits and costs of traffic: as cheap as the constraint solver finds."""

from __future__ import annotations

import random
from typing import Any

import pytest

from stillpool.errors import BudgetError
from stillpool.planner import Buffer, Plan, Pool, Problem, plan


def sample(source: random.Random, has_costs: bool) -> Problem:
    """A few buffers, a small fast pool and a larger slow one, sometimes both limited."""
    buffers: list[Buffer] = []
    for number in range(source.randint(3, 8)):
        first = source.randrange(6)
        pools = source.choice([("fast", "slow"), ("fast", "slow"), ("slow", "fast"), ("slow",)])
        life = (first, first + source.randint(1, 4))
        size, alignment = source.randint(1, 20), source.choice([1, 1, 4])
        traffic = {"reads": source.randint(0, 50), "writes": source.randint(1, 50)}
        buffers.append(Buffer(f"b{number}", size, (life,), alignment, pools, **traffic))
    slow = source.choice([None, source.randint(20, 60)])
    if has_costs:
        return Problem(tuple(buffers), (Pool("fast", source.randint(5, 40), 16, 1, 1), Pool("slow", slow, 16, 5, 3)))
    return Problem(tuple(buffers), (Pool("fast", source.randint(5, 40)), Pool("slow", slow)))


def costs(problem: Problem, index: int) -> dict[str, int]:
    """What a buffer costs in each pool: cycles, or bytes per pool that it falls back."""
    buffer = problem.buffers[index]
    by_name = {pool.name: pool for pool in problem.pools}
    if problem.pools[0].read_cost:
        return {name: int(by_name[name].cost(buffer)) for name in buffer.pools}
    return {name: place * buffer.size for place, name in enumerate(buffer.pools)}


def least_cost(problem: Problem, cp_model: Any) -> int | None:
    """The least cost of any placement within the limits; None if there is none."""
    model = cp_model.CpModel()
    unlimited = sum(b.size + b.alignment for b in problem.buffers)
    limits = {pool.name: unlimited if pool.limit is None else pool.limit for pool in problem.pools}
    lies, offsets, total = list[dict[str, Any]](), list[Any](), []
    for i, buffer in enumerate(problem.buffers):
        lies.append({name: model.NewBoolVar("") for name in buffer.pools})
        offsets.append(model.NewIntVar(0, unlimited // buffer.alignment, "") * buffer.alignment)
        model.AddExactlyOne(lies[i].values())
        for name, is_here in lies[i].items():
            model.Add(offsets[i] + buffer.size <= limits[name]).OnlyEnforceIf(is_here)
            total.append(costs(problem, i)[name] * is_here)
        for j in problem.neighbours[i]:
            if j < i:
                below, above = model.NewBoolVar(""), model.NewBoolVar("")
                model.Add(offsets[i] + buffer.size <= offsets[j]).OnlyEnforceIf(below)
                model.Add(offsets[j] + problem.buffers[j].size <= offsets[i]).OnlyEnforceIf(above)
                for name in lies[i].keys() & lies[j].keys():
                    model.AddBoolOr([lies[i][name].Not(), lies[j][name].Not(), below, above])
    model.Minimize(sum(total))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.Solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return round(solver.ObjectiveValue()) if status == cp_model.OPTIMAL else None


@pytest.mark.parametrize("seed", range(20))
def test_placement_costs_what_the_constraint_solver_finds(seed: int) -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model", reason="needs the extra 'cpsat'")
    source = random.Random(seed)
    for number in range(10):
        problem = sample(source, number % 2 == 1)
        least = least_cost(problem, cp_model)
        if least is None:
            with pytest.raises(BudgetError):
                plan(problem)
            continue
        answer = plan(problem)
        assert sum(costs(problem, i)[p.pool] for i, p in enumerate(answer.placements)) == least, problem
        limits = {pool.name: pool.limit for pool in problem.pools}
        assert all((limit := limits[pool.name]) is None or pool.size <= limit for pool in answer.pools)


def pools_of(answer: Plan) -> list[str]:
    """The pool of each buffer."""
    return [placement.pool for placement in answer.placements]


def test_hot_buffers_lie_in_fast_memory() -> None:
    made = (
        Buffer("cold", 60, ((0, 2),), reads=60, writes=60),
        Buffer("hot", 60, ((0, 2),), reads=6000, writes=60),
        Buffer("warm", 30, ((0, 2),), reads=300, writes=30),
    )
    fast, slow = Pool("tcm", 100, 16, 1, 1), Pool("sdram", None, 16, 8, 8)
    assert pools_of(plan(Problem(made, (fast, slow)))) == ["sdram", "tcm", "tcm"]


def test_many_buffers_fall_back_by_what_they_cost() -> None:
    made = tuple(Buffer(f"b{n}", 10, ((0, 1),), reads=100 * n) for n in range(40))
    answer = plan(Problem(made, (Pool("tcm", 200, 16, 1, 1), Pool("sdram", None, 16, 8, 8))), seconds=0.1)
    assert pools_of(answer) == ["sdram"] * 20 + ["tcm"] * 20


def test_cpsat_proves_what_it_finds() -> None:
    pytest.importorskip("ortools", reason="needs the extra 'cpsat'")
    source = random.Random(1)
    buffers = tuple(
        Buffer(f"b{n}", source.randint(1, 30), ((t := source.randrange(9), t + source.randint(1, 5)),), 4)
        for n in range(12)
    )
    problem = Problem(buffers, leads={(0, 1): 3})
    (exact,) = plan(problem, seconds=5).pools
    (solved,) = plan(problem, "cpsat", seconds=5).pools
    assert (solved.size, solved.optimal) == (exact.size, True)
