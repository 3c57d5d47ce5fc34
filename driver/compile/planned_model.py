"""One model with a plan for it: its IR at any level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from xdsl.dialects.builtin import ModuleOp

from ...dialects.symbols import verify
from ...machines.cpus import get_cpu
from ...planner import PoolShort
from ...targets.interfaces.description import RowChoice
from ...transforms.rows.network import Network, is_straight
from ...transforms.rows.row_bound import row_bound
from ...transforms.tasks.choose.kept import keeping
from ...transforms.tasks.choose.weighed import Weighed
from ...transforms.usmp.analysis.structure import entries
from .. import hooks, pipeline
from ..models.model import Model
from ..models.simplified import simplified
from ..options.pool_spec import PoolSpec
from .channel_choice import with_channels
from .declare_pools import declare_pools
from .describe import Signature
from .level_text import level_text
from .made_once import LOWERED, SCHEDULED, UNSCHEDULED, key_of
from .planned_bytes import workspace_bytes
from .relowered import with_tasks
from .row_choice import Lowered, choose


@dataclass(frozen=True)
class PlannedModel:
    """A model, pools and a plan: makes the IR at any level, and decides what the plan leaves open."""

    model: Model
    pools: tuple[PoolSpec, ...]
    plan: pipeline.Plan
    row_choice: RowChoice | None = field(default=None, kw_only=True)
    """Decision where `rows` had been open."""

    def planned_as(self, plan: pipeline.Plan) -> Self:
        """The same by another plan."""
        return replace(self, plan=plan)

    def decided_as(self, choice: RowChoice) -> Self:
        """The same with its decision on rows noted."""
        return replace(self, row_choice=choice)

    def module(self, level: str) -> ModuleOp:
        """A fresh module at one of the levels `nn`, `tasks`, `memref`, `pools` (planned), `emitc`.

        Raises:
            UsageError: there is no such level.
            StillpoolError: a pass refused the model.
        """
        last = pipeline.module_level(level)
        if last >= 1 and self._fallback is not None:
            return self._fallback.module(level)
        if self.plan.is_open and 1 <= last < 3:
            return self._compared.compilation.module(level)
        if last >= 3:
            module = self.planned()[1]
        else:
            module = self._unplanned(last)
        if last >= 4:
            plan = self.decided.plan
            self._apply(module, pipeline.to_instrumented(plan), verify=False)
            self._materialise(module, plan)
            self._apply(module, pipeline.to_emitc(plan), verify=False)
        verify(module)
        return module

    def _unplanned(self, last: int) -> ModuleOp:
        """A fresh module at a level up to `memref`; what follows verifies it."""
        plan = with_channels(self)
        if last >= 1:
            before, after = pipeline.around_schedules(plan)
            if not plan.weighs_scratch:
                module = simplified(self.model, plan)
                self._apply(module, before, verify=False)
            else:
                module = (self._with_lean_tasks(plan) if last >= 2 else None) or self.unscheduled().clone()
            self._apply(module, after, verify=False)
        else:
            module = simplified(self.model, plan)
        if last >= 2:
            self._lower(module)
        return module

    def _with_lean_tasks(self, plan: pipeline.Plan) -> ModuleOp | None:
        """A fresh module lowered but for the functions that are to take less scratch, where others stay as they are."""
        if not plan.lean_functions or any(map(hooks.around, ("tasks", "memref"))):
            return None
        lowered = self.planned_as(replace(plan, lean_functions=())).lowered_once()
        return with_tasks(lowered, self.unscheduled(), plan.lean_functions)

    def text(self, level: str) -> str:
        """One level as text: MLIR, or for `c` what the target `c` prints of the `emitc` level."""
        return level_text(self.module, level)

    @property
    def decided(self) -> Self:
        """Return the compilation with `rows` decided, and with schedules only if these fit into the pools.

        Raises:
            StillpoolError: a pass refused the model.
        """
        if self._fallback is not None:
            return self._fallback.decided
        return self._compared.compilation if self.plan.is_open else self

    @cached_property
    def _fallback(self) -> Self | None:
        """Return it without schedules, where nobody asked for speed alone and pools are too small for their scratch."""
        has_limits = any(pool.size is not None for pool in self.pools)
        if not self.plan.scheduled_for or self.plan.objective == "speed" or not has_limits:
            return None
        slower = replace(self, plan=replace(self.plan, scheduled_for=""))
        return slower if self._is_short() and not slower._is_short() else None

    def _is_short(self) -> bool:
        try:
            self.workspace_bytes()
        except PoolShort:
            return True
        return False

    @cached_property
    def _compared(self) -> Lowered[Self]:
        """Decide on rows that were left open, by plans that are not proved."""
        return choose(self)

    def lowered(self) -> tuple[Signature, ModuleOp]:
        """The model's signature, and a fresh module at level `memref`; what follows verifies it."""
        if self.plan.is_open:
            return self._compared.compilation.lowered()
        module = self.lowered_once().clone()
        return Signature.of(module), module

    def planned(self) -> tuple[Signature, ModuleOp]:
        """The model's signature, and a fresh module at level `pools`."""
        signature, module = self._planned_unproved()
        self.prove(module)
        return signature, module

    def _planned_unproved(self) -> tuple[Signature, ModuleOp]:
        if self._fallback is not None:
            return self._fallback._planned_unproved()
        if self.plan.is_open:
            return self._compared.signature, self._compared.module.clone()
        signature, module = self.lowered()
        self.place_unproved(module)
        return signature, module

    def place(self, module: ModuleOp) -> None:
        """Plan the memory of a module at level `memref`."""
        self.place_unproved(module)
        self.prove(module)

    def place_unproved(self, module: ModuleOp) -> None:
        """Plan the memory of a module at level `memref`, to compare it with another."""
        self._apply(module, pipeline.to_buffers(self.plan), verify=False)
        self._apply(module, pipeline.to_inputs(self.plan), verify=False)
        declare_pools(module, self.pools)
        self._apply(module, pipeline.to_places(self.plan), verify=False)

    def prove(self, module: ModuleOp) -> None:
        """Verify and prove a plan of `place_unproved`."""
        self._apply(module, pipeline.to_proved())

    def workspace_bytes(self) -> dict[str, int]:
        """Bytes of each workspace pool, of a plan that is not proved: to compare one way to compile with another.

        Raises:
            StillpoolError: a pass refused the model.
        """
        return workspace_bytes(self.placed())

    def placed(self) -> ModuleOp:
        """A module at level `memref` whose buffers have places, of a plan that is not proved.

        Raises:
            StillpoolError: a pass refused the model.
        """
        if self.plan.is_open:
            return self._compared.module
        module = self.lowered_once().clone()
        self.place_unproved(module)
        return module

    def lowered_once(self) -> ModuleOp:
        """The module at level `memref`, made once for all ways to plan it: not to be changed.

        Whoever goes on from a clone verifies that.
        """
        with keeping():
            known, way = LOWERED.setdefault(self.model.nn, {}), key_of(with_channels(self))
            if way not in known:
                module = SCHEDULED.setdefault(self.model.nn, {}).pop(way, None)
                if module is None:
                    module = self._unplanned(pipeline.module_level("memref"))
                else:
                    self._lower(module)
                known[way] = module
        return known[way]

    def _lower(self, module: ModuleOp) -> None:
        """Lower tasks; what was lowered when it was weighed is put into the module before."""
        if self.plan.scheduled_for and not hooks.before("memref"):
            Weighed(get_cpu(self.plan.scheduled_for)).put_kept(module)
        self._apply(module, pipeline.to_memref(), verify=False)

    def scheduled_once(self) -> ModuleOp:
        """The module of tasks with schedules, made once: not to be changed, and gone once it is lowered."""
        known, way = SCHEDULED.setdefault(self.model.nn, {}), key_of(with_channels(self))
        if way not in known:
            known[way] = self._unplanned(pipeline.module_level("tasks"))
        return known[way]

    def unscheduled(self) -> ModuleOp:
        """The module of tasks for which schedules are to be chosen, made once: not to be changed."""
        plan = replace(with_channels(self), lean_functions=())
        known, way = UNSCHEDULED.setdefault(self.model.nn, {}), key_of(plan)
        if way not in known:
            module = simplified(self.model, plan)
            self._apply(module, pipeline.around_schedules(plan)[0], verify=False)
            known[way] = module
        return known[way]

    def row_bound(self) -> int:
        """Bytes of workspace that no order of rows can do without if none is computed twice.

        Raises:
            StillpoolError: a pass refused the model.
        """
        module = self._unplanned(pipeline.module_level("nn"))
        self._apply(module, pipeline.to_row_network(self.plan), verify=False)
        networks = [Network.of(module, entry) for entry in entries(module) if is_straight(entry)]
        return max(map(row_bound, networks), default=0)

    def _materialise(self, module: ModuleOp, plan: pipeline.Plan) -> None:
        """Make places in pools of the buffers of a module with a plan, and calls of external functions."""
        for passes in (pipeline.to_materialised(), pipeline.to_external(plan), pipeline.to_rolled(plan)):
            self._apply(module, passes, verify=False)

    def _apply(self, module: ModuleOp, passes: pipeline.Passes, *, verify: bool = True) -> None:
        pipeline.apply(module, passes, where=self.model.source, verify=verify)
