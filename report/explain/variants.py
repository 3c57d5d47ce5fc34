"""Models compiled in another way, and what their pools take then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import overload

from ...driver.compile.compilation import Compilation
from ...driver.compile.compile_system import SystemCompilation
from ...driver.compile.compiled import Compiled, CompiledSystem
from ...driver.options.pool_spec import PoolSpec
from ...driver.pipeline import Plan
from ...errors import BudgetError
from ...planner import PoolShort

Plannable = Compilation | SystemCompilation


def compilations(of: Plannable) -> tuple[Compilation, ...]:
    """The models, in order."""
    return of.compilations if isinstance(of, SystemCompilation) else (of,)


def with_plan(of: Plannable, change: Callable[[Plan], Plan]) -> Plannable:
    """Return the compilation with the memory of every model planned as `change` says."""
    changed = tuple(replace(one, plan=change(one.plan)) for one in compilations(of))
    return replace(of, compilations=changed) if isinstance(of, SystemCompilation) else changed[0]


def with_pools(of: Plannable, change: Callable[[tuple[PoolSpec, ...]], tuple[PoolSpec, ...]]) -> Plannable:
    """Return the compilation with other pools."""
    changed = tuple(replace(one, pools=change(one.pools)) for one in compilations(of))
    return replace(of, compilations=changed) if isinstance(of, SystemCompilation) else changed[0]


@overload
def unlimited(of: Compilation) -> Compilation: ...


@overload
def unlimited(of: Plannable) -> Plannable: ...


def unlimited(of: Plannable) -> Plannable:
    """Return the compilation with pools of any size."""
    return with_pools(of, lambda pools: tuple(replace(pool, size=None) for pool in pools))


def accommodated(of: Compilation) -> tuple[Compiled, list[PoolShort]]:
    """The artefact, planned within limits that are raised to what is needed, and what lacked it.

    Raises:
        StillpoolError: a pass refused the model, for other reasons than limits.
    """
    short: list[PoolShort] = []
    while True:
        try:
            return of.result(), short
        except PoolShort as error:
            if any(error.pool == other.pool and error.size <= other.size for other in short):
                return unlimited(of).result(), [*short, error]
            short.append(error)
            of = replace(
                of,
                pools=tuple(replace(pool, size=error.size) if pool.name == error.pool else pool for pool in of.pools),
            )


def with_limits(made: Compiled | CompiledSystem, of: Plannable) -> Compiled | CompiledSystem:
    """Return what was made without limits with the limits of `of`: the verdict says what is over them."""
    if isinstance(made, CompiledSystem):
        return replace(made, artifacts=tuple(_limited(artifact, of) for artifact in made.artifacts))
    return _limited(made, of)


def _limited(artifact: Compiled, of: Plannable) -> Compiled:
    limits = {pool.name: pool.size for pool in compilations(of)[0].pools}
    pools = tuple(replace(pool, size_limit=limits.get(pool.name)) for pool in artifact.description.pools)
    return replace(artifact, interface=replace(artifact.interface, model=replace(artifact.description, pools=pools)))


@dataclass(frozen=True)
class Outcome:
    """Bytes that a variant takes."""

    sizes: Mapping[str, int]
    """Bytes of each workspace pool."""
    fits: bool
    """Whether the limits of the pools hold. If they do not, the sizes are those of pools without limits."""


def outcome(of: Plannable, *, limited: bool) -> Outcome:
    """Plan the memory.

    Args:
        of: what to plan.
        limited: whether limits decide where buffers go, and not only whether the plan fits.

    Raises:
        BudgetError: `limited`, and they cannot be met.
        StillpoolError: a pass refused a model.
    """
    if limited or not any(pool.size is not None for one in compilations(of) for pool in one.pools):
        return Outcome(of.workspace_bytes(), fits=True)
    try:
        of.workspace_bytes()
    except BudgetError:
        return Outcome(unlimited(of).workspace_bytes(), fits=False)
    return Outcome(unlimited(of).workspace_bytes(), fits=True)
