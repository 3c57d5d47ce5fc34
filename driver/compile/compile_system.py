"""Several models and how to compile them into one system of shared pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp

from ...errors import UsageError
from ...lowering.emit_c.constant_pools import constant_pool_contents
from ...transforms.usmp.analysis.structure import pools
from .. import pipeline
from ..models.entry import entry_function
from .compilation import Compilation, Role
from .compiled import Compiled, CompiledSystem
from .declare_pools import declare_pools
from .describe import Signature
from .level_text import level_text
from .link import Part, link, unlink
from .pipe import connect
from .planned_bytes import workspace_bytes
from .shared_externals import check_agreed

CONCURRENCIES = ("exclusive", "concurrent", "pipeline")
"""How several models use the pools that they share."""


@dataclass(frozen=True)
class SystemCompilation:
    """Compilations whose memory is planned together."""

    compilations: tuple[Compilation, ...]
    concurrency: str

    @staticmethod
    def of(compilations: Sequence[Compilation], concurrency: str) -> SystemCompilation:
        """Check that the models can stand side by side.

        Raises:
            UsageError: two models have one name in C.
        """
        names = [one.model.identifier.lower() for one in compilations]
        for one in compilations:
            if names.count(one.model.identifier.lower()) > 1:
                raise UsageError(
                    f"two models are called '{one.model.identifier}' in C",
                    remedy="name each with --name, in the order of the models",
                )
        return SystemCompilation(tuple(compilations), concurrency)

    def module(self, level: str) -> ModuleOp:
        """A fresh module of all models at one of the levels `memref`, `pools` (planned), `emitc`.

        Raises:
            UsageError: there is no such level; or it is `nn`, where every model stands alone.
            StillpoolError: a pass refused a model.
        """
        last = pipeline.module_level(level)
        if level == "nn":
            raise UsageError("several models have no common nn level", remedy="print them one by one")
        linked = self._linked()[0]
        if last >= pipeline.LEVELS.index("pools"):
            self._place(linked)
        if last >= pipeline.LEVELS.index("emitc"):
            plans = [one.decided.plan for one in self.compilations]
            # What rolls the rows of one model finds none in the others.
            plan = next((plan for plan in plans if plan.rows == "split"), plans[0])
            self._apply(linked, pipeline.to_instrumented(plan), verify=False)
            external, rolled = pipeline.to_external(plan), pipeline.to_rolled(plan)
            self._apply(linked, (*pipeline.to_materialised(), *external, *rolled, *pipeline.to_emitc(plan)))
        return linked

    def text(self, level: str) -> str:
        """One level as text: MLIR, or C."""
        return level_text(self.module, level)

    def result(self) -> CompiledSystem:
        """Compile to the end.

        Raises:
            StillpoolError: a pass refused a model, or the models do not fit each other.
        """
        decided = [one.decided for one in self.compilations]
        linked, signatures, links = self._linked()
        self._place(linked)
        pooled = constant_pool_contents(linked)
        parts = self._parts()
        modules = [unlink(linked, part) for part in parts]
        owners: dict[str, str] = {}
        builds_in = self.compilations[0].builtin_pools or self.compilations[0].interface.builds_constants_in
        for part, module in zip(parts, modules, strict=True):
            for name in pools(module) if builds_in else ():
                owners.setdefault(name, part.identifier)
        artifacts: list[Compiled] = []
        for one, part, signature, module in zip(decided, parts, signatures, modules, strict=True):
            constants_of = "" if part.constants_of == part.identifier else part.constants_of
            artifacts.append(one.finish(signature, module, Role(pooled, owners, constants_of, parts[0].identifier)))
        check_agreed(artifact.description for artifact in artifacts)
        code = {path: data for artifact in artifacts for path, data in artifact.code.items()}
        together = [replace(artifact, companions=code) for artifact in artifacts]
        return CompiledSystem(
            tuple(together), self.concurrency, tuple(links), self._alone(), tuple(pools(linked)), self.module
        )

    def _parts(self) -> list[Part]:
        """The models' names, and whose constants they use: instances of one model share them."""
        parts: list[Part] = []
        first: dict[object, str] = {}
        for one in self.compilations:
            name = one.model.identifier
            key = name if one.model.tflite is None else (one.model.tflite, entry_function(one.model.nn).function_type)
            parts.append(Part(name, first.setdefault(key, name)))
        return parts

    def _linked(self) -> tuple[ModuleOp, list[Signature], list[str]]:
        """All models at level `memref` with their buffers, their signatures, and what they pass on."""
        modules = [one.module("memref") for one in self.compilations]
        signatures = [Signature.of(module) for module in modules]
        for one, module in zip(self.compilations, modules, strict=True):
            pipeline.apply(module, pipeline.to_buffers(one.plan), where=one.model.source, verify=False)
        names = [one.model.name for one in self.compilations]
        links = connect(names, modules, signatures) if self.concurrency == "pipeline" else []
        for one, module in zip(self.compilations, modules, strict=True):
            pipeline.apply(module, pipeline.to_inputs(one.plan), where=one.model.source, verify=False)
        linked = link(list(zip(self._parts(), modules, strict=True)), self.concurrency)
        return linked, signatures, links

    def workspace_bytes(self) -> dict[str, int]:
        """Bytes of each workspace pool, of a plan that is not proved: to compare one way to compile with another.

        Raises:
            StillpoolError: a pass refused a model, or the models do not fit each other.
        """
        linked = self._linked()[0]
        self._place(linked, pipeline.to_places)
        return workspace_bytes(linked)

    def _place(self, linked: ModuleOp, passes: Callable[[pipeline.Plan], pipeline.Passes] = pipeline.to_pools) -> None:
        declare_pools(linked, self.compilations[0].pools)
        self._apply(linked, passes(self.compilations[0].plan))

    def _apply(self, module: ModuleOp, passes: pipeline.Passes, *, verify: bool = True) -> None:
        sources = ", ".join(one.model.source for one in self.compilations)
        pipeline.apply(module, passes, where=sources, verify=verify)

    def _alone(self) -> dict[str, int]:
        """Workspace bytes of each model planned on its own, without limits."""
        sizes: dict[str, int] = {}
        for one in self.compilations:
            unlimited = tuple(replace(pool, size=None) for pool in one.pools)
            plan = replace(one.decided.plan, pins=())
            planned = replace(one, pools=unlimited, plan=plan).module("pools")
            sizes[one.model.identifier] = sum(workspace_bytes(planned).values())
        return sizes
