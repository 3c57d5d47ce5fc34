"""What a compilation makes: a model's description and its C, or those of several that share pools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp

from ...targets.interfaces.description import Description, Pool
from ...targets.interfaces.interface import Interface
from ...targets.projects import directory
from ...targets.provenance import stamped
from ...targets.weights.blob import Blob
from ...targets.weights.in_programs import test_sources
from ..models.model import Model


@dataclass(frozen=True, repr=False)
class Sources:
    """The C texts of a compiled model."""

    header: str
    source: str
    data: str | None
    """The file with the constants; None where another instance of the same model holds them."""
    unfilled: str | None
    """C text with constants of the same sizes that are all zero, which compilers read in no time; None beside blobs."""
    headers: Mapping[str, str] = field(default_factory=lambda: {})
    """Further headers by file name."""
    blobs: Mapping[Blob, bytes] = field(default_factory=lambda: {})
    """Files of bytes that `data` takes in, which is assembly then."""
    merged: Mapping[str, str] = field(default_factory=lambda: {})
    """For each function of the IR that is part of another one in C the name of that."""


@dataclass(frozen=True, repr=False)
class Compiled:
    """A compiled model."""

    model: Model
    interface: Interface
    sources: Sources
    level: Callable[[str], ModuleOp]
    """Makes the model's module at one of the levels `nn`, `memref`, `pools`, `emitc`."""
    companions: Mapping[str, bytes] = field(default_factory=lambda: {})
    """Files of the models compiled with it that its own code needs: {relative path: bytes}."""
    addresses: Mapping[str, int] = field(default_factory=lambda: {})
    """Where the memories of pools begin, by the pool's name, as far as the user says."""

    @property
    def description(self) -> Description:
        """The model as plain data."""
        return self.interface.model

    @property
    def descriptions(self) -> tuple[Description, ...]:
        """The one model, where there could be several."""
        return (self.description,)

    @property
    def module(self) -> ModuleOp:
        """The final xDSL module; `level` gives the others."""
        return self.level("emitc")

    @property
    def code(self) -> dict[str, bytes]:
        """Files that an application compiles: {relative path: bytes}."""
        return {**self.companions, **self.own_code}

    @property
    def own_code(self) -> dict[str, bytes]:
        """Those of them that are not `companions`."""
        texts = self.sources
        headers = {self.interface.header_name: texts.header, **texts.headers}
        files = directory.code(self.interface, headers, texts.source, texts.data, is_assembly=bool(texts.blobs))
        shared = {f"include/{name}" for name in self.interface.shared_headers}
        return {
            path: stamped(
                path,
                data,
                [] if path in shared else [self.description],
                is_data=path in directory.data(self.interface),
            )
            for path, data in files.items()
        }

    @property
    def unfilled(self) -> Compiled:
        """The same with constants that are all zero, for a program that is looked at and never run."""
        if self.sources.unfilled is None:
            return self
        return replace(self, sources=replace(self.sources, data=self.sources.unfilled))

    @property
    def network_source(self) -> str:
        """The C file of the network as it is compiled, line by line."""
        return self.own_code[directory.network_path(self.interface)].decode()

    @property
    def program_code(self) -> dict[str, bytes]:
        """Files of a program that tries it out: the code, and assembly that takes in what products place."""
        taken = {f"test/{name}": text.encode() for name, text in test_sources(self.description.blobs).items()}
        return {**self.code, **taken}


@dataclass(frozen=True, repr=False)
class CompiledSystem:
    """Models compiled together."""

    artifacts: tuple[Compiled, ...]
    """In the order of the request; every one is like that of a single model."""
    concurrency: str
    """`exclusive`, `concurrent` or `pipeline`."""
    links: tuple[str, ...]
    """Tensors that the models of a pipeline pass on in place, in words."""
    alone: Mapping[str, int]
    """Workspace bytes of each model by identifier when it is planned on its own."""
    pool_names: tuple[str, ...]
    """Names of all pools in order of preference; a model has those that concern it."""
    level: Callable[[str], ModuleOp]
    """Makes the module of all models at one of the levels `memref`, `pools`, `emitc`."""

    @property
    def descriptions(self) -> tuple[Description, ...]:
        """The models as plain data."""
        return tuple(artifact.description for artifact in self.artifacts)

    @property
    def module(self) -> ModuleOp:
        """The final xDSL module."""
        return self.level("emitc")

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools of all models, each once."""
        by_name = {pool.name: pool for model in self.descriptions for pool in model.pools}
        return tuple(by_name[name] for name in self.pool_names if name in by_name)

    @property
    def workspace_bytes(self) -> int:
        """Bytes of all workspace pools."""
        return sum(pool.bytes for pool in self.pools if pool.kind == "workspace")

    @property
    def saving_bytes(self) -> int:
        """Workspace bytes less than if every model had pools of its own."""
        return sum(self.alone.values()) - self.workspace_bytes

    @property
    def code(self) -> dict[str, bytes]:
        """Files that an application compiles: {relative path: bytes}."""
        return {path: data for artifact in self.artifacts for path, data in artifact.code.items()}
