"""One model and how to compile it: its IR at any level, and the artefact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import StringIO
from pathlib import PurePath
from typing import Self, TypeAlias
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from ...dialects import nn_keys
from ...dialects.nn.custom import CustomCallOp
from ...dialects.operations import all_of, operations
from ...dialects.pool.declare import DeclareOp
from ...dialects.symbols import verify
from ...lowering.emit_c.constant_pools import constant_pool_contents
from ...machines.cpus import HOST, get_cpu
from ...planner import PoolShort
from ...targets.custom_header import CUSTOM_HEADER, custom_header
from ...targets.ethos_u import ethos_u_sources
from ...targets.interfaces.description import Estimates, LostChannels, RowChoice
from ...targets.interfaces.interface import Interface
from ...targets.interfaces.native import Native
from ...targets.interfaces.origin import Origin
from ...targets.provenance import stamped
from ...targets.shims import shim_files
from ...targets.weights.blob import Blob
from ...transforms.rows.network import Network, is_straight
from ...transforms.rows.row_bound import row_bound
from ...transforms.tasks.choose.kept import keeping
from ...transforms.tasks.choose.weighed import Weighed
from ...transforms.usmp.analysis.structure import entries
from ...transforms.usmp.placing.assign_pools import DEFAULT_POOL, STATE_POOL
from .. import hooks, pipeline
from ..models.model import Model
from ..models.simplified import simplified
from ..options.options import Weights
from ..options.pool_spec import PoolSpec
from ..options.weights import pool_blobs
from .c_source import c_sources
from .channel_choice import with_channels
from .compiled import Compiled
from .describe import Signature, describe
from .lost_channels import lost_channels
from .network_cost import network_cost
from .planned_bytes import workspace_bytes
from .relowered import with_tasks
from .row_choice import Lowered, choose
from .symbols import make_way


@dataclass(frozen=True)
class Compilation:
    """A model and how to compile it: makes the IR at any level, and the artefact."""

    model: Model
    pools: tuple[PoolSpec, ...]
    plan: pipeline.Plan
    builtin_pools: bool
    custom_sources: Mapping[str, bytes] = field(default_factory=lambda: {}, repr=False)
    """The user's C files with functions of custom operators, by name."""
    external_sources: Mapping[str, bytes] = field(default_factory=lambda: {}, repr=False)
    """The user's C files with external functions, by name."""
    interface: type[Interface] = Native
    """The style of the C interface."""
    passed_pools: frozenset[str] = frozenset()
    """Names of pools that the application passes in although the others are built in."""
    shims: tuple[str, ...] = ()
    """Further faces of the model, of `targets.shims`."""
    options: tuple[str, ...] = ()
    """Options that are no defaults, as words of the command line."""
    weights: Weights = "source"
    """Form in which constants are written."""
    row_choice: RowChoice | None = None
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
            self._apply(module, pipeline.to_materialised(), verify=False)
            self._apply(module, pipeline.to_external(plan), verify=False)
            self._apply(module, pipeline.to_rolled(plan), verify=False)
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

    def result(self) -> Compiled:
        """Compile to the end.

        Raises:
            StillpoolError: a pass refused the model.
        """
        return self.decided.finish(*self.planned())

    @property
    def decided(self) -> Compilation:
        """Return the compilation with `rows` decided, and with schedules only if these fit into the pools.

        Raises:
            StillpoolError: a pass refused the model.
        """
        if self._fallback is not None:
            return self._fallback.decided
        return self._compared.compilation if self.plan.is_open else self

    @cached_property
    def _fallback(self) -> Compilation | None:
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
    def _compared(self) -> Lowered[Compilation]:
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
            known, way = _LOWERED.setdefault(self.model.nn, {}), _key_of(with_channels(self))
            if way not in known:
                module = _SCHEDULED.setdefault(self.model.nn, {}).pop(way, None)
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
        known, way = _SCHEDULED.setdefault(self.model.nn, {}), _key_of(with_channels(self))
        if way not in known:
            known[way] = self._unplanned(pipeline.module_level("tasks"))
        return known[way]

    def unscheduled(self) -> ModuleOp:
        """The module of tasks for which schedules are to be chosen, made once: not to be changed."""
        plan = replace(with_channels(self), lean_functions=())
        known, way = _UNSCHEDULED.setdefault(self.model.nn, {}), _key_of(plan)
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

    def finish(self, signature: Signature, planned: ModuleOp, role: Role | None = None) -> Compiled:
        """The artefact of a module with a plan, which is consumed; `role` where it is one of several models."""
        estimates = self._estimates(planned)
        self._apply(planned, pipeline.to_instrumented(self.plan), verify=False)
        module = planned.clone()
        self._apply(module, pipeline.to_materialised(), verify=False)
        self._apply(module, pipeline.to_external(self.plan), verify=False)
        self._apply(module, pipeline.to_rolled(self.plan), verify=False)
        description = describe(signature, planned, module, name=self.model.name)
        origin = Origin(PurePath(self.model.source).name, self.model.sha256, self.options)
        description = replace(
            description,
            revision=self.model.revision,
            rows=self.row_choice,
            lost=self._lost,
            origin=origin,
            estimates=estimates,
            removed=_removed(self.model.nn, planned),
        )
        role = role or Role(constant_pool_contents(planned))
        pooled = {pool.sym_name.data: data for pool, data in role.pooled.items()}
        blobs: Mapping[Blob, bytes] = {}
        if self.weights == "binary":
            blobs = pool_blobs(description, pooled, role.project or description.identifier)
            description = replace(description, blobs=tuple(blobs))
        interface = self.interface(
            description, self.builtin_pools, role.pools_of, role.constants_of, passed_pools=self.passed_pools
        )
        sources = c_sources(
            interface,
            module,
            pooled,
            # What `emit-c` makes is printed as it is: `module` and xdsl-opt verify it.
            lambda lowered: self._apply(lowered, pipeline.to_emitc(self.plan), verify=False),
            is_assembled=self.weights == "incbin",
        )
        blobs = {**blobs, **sources.blobs}
        operators = tuple(
            replace(one, function=sources.merged.get(one.function, one.function)) for one in description.operators
        )
        interface = replace(interface, model=replace(description, blobs=tuple(blobs), operators=operators))
        return Compiled(
            self.model,
            interface,
            sources,
            self.module,
            {
                **self._custom_files(planned),
                **self._external_files(interface),
                **shim_files(interface, self.shims),
                **{f"include/{blob.file}": data for blob, data in blobs.items()},
            },
            {pool.name: pool.address for pool in self.pools if pool.address is not None},
        )

    def _estimates(self, planned: ModuleOp) -> Estimates | None:
        """Estimated cost of a run on the processor that tasks are scheduled for."""
        cpu = self.plan.scheduled_for
        if cpu in ("", HOST.name):
            return None
        cost = network_cost(planned, cpu)
        return Estimates(cpu, cost.instructions, cost.code, *(cost.gain or (None, None)))

    @cached_property
    def _lost(self) -> tuple[LostChannels, ...]:
        """Channels of the model that the clean-ups removed."""
        return lost_channels(self._unplanned(pipeline.module_level("nn")))

    def _custom_files(self, module: ModuleOp) -> dict[str, bytes]:
        """Files that custom operators add to the code: the header, and the user's C files."""
        if not any(all_of(module, CustomCallOp)):
            return {}
        sources = {f"src/custom/{name}": data for name, data in self.custom_sources.items()}
        return {f"include/{CUSTOM_HEADER}": stamped(CUSTOM_HEADER, custom_header().encode()), **sources}

    def _external_files(self, interface: Interface) -> dict[str, bytes]:
        """Files that external functions add to the code: headers, and the user's C files."""
        externals = interface.model.externals
        if externals is None:
            return {}
        headers = externals.headers(interface.stem)
        sources = {f"src/external/{name}": data for name, data in self.external_sources.items()}
        for name, text in ethos_u_sources(externals).items():
            sources[f"src/external/{name}"] = stamped(name, text.encode())
        return {**{f"include/{name}": stamped(name, text.encode()) for name, text in headers.items()}, **sources}

    def _apply(self, module: ModuleOp, passes: pipeline.Passes, *, verify: bool = True) -> None:
        pipeline.apply(module, passes, where=self.model.source, verify=verify)


_Way: TypeAlias = tuple[tuple[tuple[str, ...], int | None], str, str, tuple[str, ...], str, tuple[str, ...]]
"""All that decides the module at level `memref`."""

_UNSCHEDULED: WeakKeyDictionary[ModuleOp, dict[_Way, ModuleOp]] = WeakKeyDictionary()
"""Imported modules at level `tasks` before they have schedules, where more than one choice of these is weighed."""

_SCHEDULED: WeakKeyDictionary[ModuleOp, dict[_Way, ModuleOp]] = WeakKeyDictionary()
"""Imported modules at level `tasks` with schedules, where what they cost is asked before they are lowered."""

_LOWERED: WeakKeyDictionary[ModuleOp, dict[_Way, ModuleOp]] = WeakKeyDictionary()
"""Imported modules at level `memref`, by the clean-ups that were left out, the processor they are scheduled for ..."""


def _key_of(plan: pipeline.Plan) -> _Way:
    """All that a plan's module at level `memref` depends on."""
    placed = f"{plan.io} {plan.keep_inputs} {plan.double_buffer_inputs}"
    split = (
        f"{plan.rows} {placed} {' '.join(plan.column_bands)} {' '.join(plan.channel_bands)}" if plan.has_rows else ""
    )
    channels = plan.clean_ups_off, plan.channel_multiple
    return channels, plan.schedule_words, split, plan.row_segments, plan.stream_input, plan.externals


def _removed(model: ModuleOp, planned: ModuleOp) -> tuple[tuple[str, int], ...]:
    """Kinds of operators of a model at level `nn` that no call of its plan stands for, with how many."""
    given, called = (
        {origin for op in operations(module) if (origin := nn_keys.ORIGIN.get(op.attributes)) is not None}
        for module in (model, planned)
    )
    return tuple(sorted(Counter(origin.opcode.data for origin in given - called).items()))


@dataclass(frozen=True)
class Role:
    """Part of a model among others that are compiled with it."""

    pooled: Mapping[DeclareOp, bytes] = field(repr=False)
    """Contents of the constant pools."""
    pools_of: Mapping[str, str] = field(default_factory=lambda: {})
    constants_of: str = ""
    """Both as of `Native`."""
    project: str = ""
    """Identifier of the first of several models: what files are named after that are no single model's."""


def declare_pools(module: ModuleOp, pools: Sequence[PoolSpec]) -> None:
    """Put the declarations of pools before everything else, in the place of the module's own ones of these names; what
    is called as they are, or as the pools that the planner declares, gets another name.
    """
    block = module.body.block
    declared = [spec.declare() for spec in pools]
    names = {pool.sym_name for pool in declared}
    for op in [op for op in module.ops if isinstance(op, DeclareOp) and op.sym_name in names]:
        op.detach()
        op.erase()
    make_way(module, [DEFAULT_POOL, STATE_POOL, *(pool.sym_name.data for pool in declared)])
    if block.first_op is None:
        block.add_ops(declared)
    else:
        block.insert_ops_before(declared, block.first_op)


def level_text(make: Callable[[str], ModuleOp], level: str) -> str:
    """One level as text: MLIR, or for `c` what the target `c` prints of the `emitc` level; `make` gives modules."""
    module = make("emitc" if level == "c" else level)
    stream = StringIO()
    if level == "c":
        pipeline.print_c(module, stream)
    else:
        Printer(stream).print_op(module)
        stream.write("\n")
    return stream.getvalue()
