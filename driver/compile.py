"""From a model to C: the one path that the command line and Python callers take."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from ..errors import UsageError
from ..targets.interfaces.native import Native
from . import pipeline
from .artifact import Artifact
from .c_source import c_sources
from .describe import Signature, describe
from .model import Model, load
from .pool_spec import PoolSpec, distinct, parse_pool

INTERFACES = ("native",)
"""Interface styles that `compile` writes."""

TARGETS = ("host",)
"""Processors that `compile` generates code for; `host` is portable C99."""


@dataclass(frozen=True)
class Compilation:
    """A model and how to compile it: makes the IR at any level, and the artefact."""

    model: Model
    pools: tuple[PoolSpec, ...]
    plan: pipeline.Plan
    builtin_pools: bool

    def module(self, level: str) -> ModuleOp:
        """A fresh module at one of the levels `nn`, `memref`, `pools` (planned), `emitc`.

        Raises:
            StillpoolError: a pass refused the model.
        """
        module = self.model.nn.clone()
        last = pipeline.LEVELS.index(level)
        if last >= 1:
            self._declare_pools(module)
            self._apply(module, pipeline.to_memref())
        if last >= 2:
            self._apply(module, pipeline.to_pools(self.plan))
        if last >= 3:
            self._apply(module, pipeline.to_materialised())
            self._apply(module, pipeline.to_emitc())
        return module

    def text(self, level: str) -> str:
        """One level as text: MLIR, or for `c` what the target `c` prints of the `emitc` level."""
        module = self.module("emitc" if level == "c" else level)
        stream = StringIO()
        if level == "c":
            pipeline.print_c(module, stream)
        else:
            Printer(stream).print_op(module)
            stream.write("\n")
        return stream.getvalue()

    def artifact(self) -> Artifact:
        """Compile to the end.

        Raises:
            StillpoolError: a pass refused the model.
        """
        module = self.module("memref")
        signature = Signature.of(module)
        self._apply(module, pipeline.to_pools(self.plan))
        planned = module.clone()
        self._apply(module, pipeline.to_materialised())
        native = Native(describe(signature, planned, module, name=self.model.name), self.builtin_pools)
        sources = c_sources(native, module, lambda lowered: self._apply(lowered, pipeline.to_emitc()))
        return Artifact(self.model, native, sources, self.module)

    def _declare_pools(self, module: ModuleOp) -> None:
        block = module.body.block
        for spec in reversed(self.pools):
            if block.first_op is None:
                block.add_op(spec.declare())
            else:
                block.insert_op_before(spec.declare(), block.first_op)

    def _apply(self, module: ModuleOp, passes: str) -> None:
        pipeline.apply(module, passes, where=self.model.source)


def prepare(
    models: Model | str | os.PathLike[str] | Sequence[Model | str | os.PathLike[str]],
    *,
    name: str | None = None,
    pools: Sequence[PoolSpec | str] = (),
    target: str = "host",
    interface: str = "native",
    workspace_io: str = "all",
    algorithm: str | None = None,
    overlap: str = "full",
    builtin_pools: bool = False,
) -> Compilation:
    """Check a request before anything is compiled; the arguments are those of `compile`."""
    _check("target", target, TARGETS)
    _check("interface", interface, INTERFACES)
    _check("overlap", overlap, pipeline.OVERLAPS)
    specs = distinct(parse_pool(pool) if isinstance(pool, str) else pool for pool in pools)
    listed = [models] if isinstance(models, Model | str | os.PathLike) else list(models)
    if len(listed) != 1:
        raise UsageError(f"one model is compiled at a time, got {len(listed)}", remedy="compile each on its own")
    model = listed[0] if isinstance(listed[0], Model) else load(listed[0], name=name)
    return Compilation(model, specs, pipeline.Plan(_checked_io(model, workspace_io), algorithm, overlap), builtin_pools)


def compile(
    models: Model | str | os.PathLike[str] | Sequence[Model | str | os.PathLike[str]],
    *,
    name: str | None = None,
    pools: Sequence[PoolSpec | str] = (),
    target: str = "host",
    interface: str = "native",
    workspace_io: str = "all",
    algorithm: str | None = None,
    overlap: str = "full",
    builtin_pools: bool = False,
) -> Artifact:
    """Compile a model (a path or what `load` gave) to C.

    Args:
        models: one model, or a sequence of one.
        name: the model's name when a path is given; None for the file's name.
        pools: workspace pools in order of preference, as `PoolSpec` or as text (`NAME[:size=BYTES,align=N,...]`);
            none means one pool called `workspace`.
        target: the processor; `host` is portable C99.
        interface: the style of the C interface.
        workspace_io: which inputs and outputs lie in the workspace: `all`, `none`, `inputs`, `outputs`, or names
            with commas.
        algorithm: the planner's algorithm; None for its default.
        overlap: how an operator's output may overlap an input that dies there: `off`, `inplace` or `full`.
        builtin_pools: make the pools static arrays of the artefact.

    Raises:
        StillpoolError: the classes of `stillpool.errors` say which mistake.
    """
    return prepare(
        models,
        name=name,
        pools=pools,
        target=target,
        interface=interface,
        workspace_io=workspace_io,
        algorithm=algorithm,
        overlap=overlap,
        builtin_pools=builtin_pools,
    ).artifact()


def _check(what: str, value: str, available: Sequence[str]) -> None:
    if value not in available:
        raise UsageError(f"{what} '{value}' is not available", remedy=f"available: {', '.join(available)}")


def _checked_io(model: Model, workspace_io: str) -> str:
    if workspace_io in ("all", "none", "inputs", "outputs"):
        return workspace_io
    # A quotation mark cannot be written in a pass option.
    known = {name for name in (*model.inputs, *model.outputs) if '"' not in name}
    names = [name.strip() for name in workspace_io.split(",")]
    for name in names:
        if name not in known:
            listed = ", ".join(f"'{name}'" for name in [*model.inputs, *model.outputs])
            raise UsageError(
                f"workspace I/O: '{name}' is not an input or output of model '{model.name}'", remedy=f"it has {listed}"
            )
    return ",".join(names)
