"""One model and how to compile it to an artefact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath

from xdsl.dialects.builtin import ModuleOp

from ...dialects import nn_keys
from ...dialects.nn.custom import CustomCallOp
from ...dialects.operations import all_of, operations
from ...dialects.pool.declare import DeclareOp
from ...lowering.emit_c.constant_pools import constant_pool_contents
from ...machines.cpus import HOST
from ...targets.custom_header import CUSTOM_HEADER, custom_header
from ...targets.ethos_u import ethos_u_sources
from ...targets.interfaces.description import Estimates, LostChannels
from ...targets.interfaces.interface import Interface
from ...targets.interfaces.native import Native
from ...targets.interfaces.origin import Origin
from ...targets.provenance import stamped
from ...targets.shims import shim_files
from ...targets.weights.blob import Blob
from .. import pipeline
from ..options.options import Weights
from ..options.weights import pool_blobs
from .c_source import c_sources
from .compiled import Compiled
from .describe import Signature, describe
from .lost_channels import lost_channels
from .network_cost import network_cost
from .planned_model import PlannedModel


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


@dataclass(frozen=True)
class Compilation(PlannedModel):
    """A model and how to compile it: adds to the IR what the artefact looks like, and makes it."""

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

    def result(self) -> Compiled:
        """Compile to the end.

        Raises:
            StillpoolError: a pass refused the model.
        """
        return self.decided.finish(*self.planned())

    def finish(self, signature: Signature, planned: ModuleOp, role: Role | None = None) -> Compiled:
        """The artefact of a module with a plan, which is consumed; `role` where it is one of several models."""
        estimates = self._estimates(planned)
        self._apply(planned, pipeline.to_instrumented(self.plan), verify=False)
        module = planned.clone()
        self._materialise(module, self.plan)
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


def _removed(model: ModuleOp, planned: ModuleOp) -> tuple[tuple[str, int], ...]:
    """Kinds of operators of a model at level `nn` that no call of its plan stands for, with how many."""
    given, called = (
        {origin for op in operations(module) if (origin := nn_keys.ORIGIN.get(op.attributes)) is not None}
        for module in (model, planned)
    )
    return tuple(sorted(Counter(origin.opcode.data for origin in given - called).items()))
