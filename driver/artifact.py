"""A compiled model in memory: its description, its C, and what can be done with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..errors import InputError
from ..targets.interfaces.description import Description
from ..targets.interfaces.native import Native
from ..targets.projects import directory, self_test
from .analysis import analysis, verdict
from .host import Execution, HostProgram
from .manifest import dump, manifest
from .model import Model
from .oracle import reference
from .report import report
from .samples import Array, checked_inputs, linear_congruential
from .tree import MANIFEST, write_tree


@dataclass(frozen=True)
class Sources:
    """The C texts of a compiled model."""

    header: str
    source: str
    data: str | None
    """The file with the constants; None where another instance of the same model holds them."""
    constants: str | None = None
    """The header with the contents of constant pools, if there are any."""


@dataclass(frozen=True)
class Artifact:
    """A compiled model."""

    model: Model
    native: Native
    sources: Sources
    level: Callable[[str], ModuleOp]
    """Makes the model's module at one of the levels `nn`, `memref`, `pools`, `emitc`."""
    companions: Mapping[str, bytes] = field(default_factory=lambda: {})
    """Files of the models compiled with it that its own code needs: {relative path: bytes}."""

    @property
    def description(self) -> Description:
        """The model as plain data."""
        return self.native.model

    @property
    def descriptions(self) -> tuple[Description, ...]:
        """The one model, where there could be several."""
        return (self.description,)

    @property
    def analysis(self) -> dict[str, Any]:
        """The document of `stillpool analyze --json`."""
        return analysis(self.description)

    @property
    def module(self) -> ModuleOp:
        """The final xDSL module; `level` gives the others."""
        return self.level("emitc")

    @property
    def code(self) -> dict[str, bytes]:
        """What an application compiles: {relative path: bytes}."""
        texts = self.sources
        own = directory.code(self.native, texts.header, texts.source, texts.data, texts.constants)
        return {**self.companions, **own}

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The whole project: {relative path: bytes}. Asks a reference interpreter for the self-test's outputs."""
        test = self_test.self_test(self.native, self._golden())
        others = sorted(path for path in self.companions if path.endswith(".c"))
        files = {**self.code, **directory.surroundings(self.native, test, self.report, others)}
        return {**files, MANIFEST: dump(manifest(self.description, [*files, MANIFEST])).encode()}

    @property
    def verdict(self) -> str:
        """One line: whether the plan fits, and the bytes."""
        return f"{self.description.name}: {verdict(self.description)}"

    @property
    def report(self) -> str:
        """The memory report as text."""
        return report(self.description)

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest as plain data."""
        return manifest(self.description)

    def write(self, directory: str | os.PathLike[str]) -> None:
        """Write the project; see `tree.write_tree` for what happens to what is there.

        Raises:
            InputError: the directory is somebody else's or cannot be written.
        """
        write_tree(self.files, Path(directory))

    def run(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Outputs by name for one array per input by name, computed by the C on this machine.

        Raises:
            InputError: a wrong array, or no C compiler.
        """
        stacked = {name: array[np.newaxis] for name, array in checked_inputs(self.description, inputs).items()}
        return {name: array[0] for name, array in self.execute(stacked).outputs.items()}

    def execute(self, stacked: Mapping[str, Array], *, repeats: int = 0) -> Execution:
        """Run samples stacked on the first axis, each 1 + `repeats` times; with the times."""
        return self.program.run(stacked, repeats=repeats)

    @cached_property
    def program(self) -> HostProgram:
        """The C, compiled for this machine; the folder goes away with the artefact."""
        return HostProgram(self.native, self.code)

    def _golden(self) -> self_test.Golden | None:
        """Reference outputs for the self-test, or None where no interpreter computes them."""
        if self.model.tflite is None:
            return None
        state, samples = self_test.SEED, self_test.SAMPLES
        stacks: list[list[Array]] = [[] for _ in self.description.inputs]
        for _ in range(samples):
            for stack, tensor in zip(stacks, self.description.inputs, strict=True):
                array, state = linear_congruential(tensor, state)
                stack.append(array)
        try:
            answer = reference(self.model.tflite, [np.stack(stack) for stack in stacks])
        except InputError:
            return None
        outputs = tuple(
            output.reshape(samples, *tensor.shape)
            for output, tensor in zip(answer.outputs, self.description.outputs, strict=True)
        )
        return self_test.Golden(answer.oracle, samples, outputs)
