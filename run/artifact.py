"""A compiled model, and what can be done with it: written, run, compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from ..driver.compile.compiled import Compiled
from ..errors import InputError
from ..progress import tell, warn
from ..report.analysis import analysis, verdict
from ..report.manifest import manifest
from ..report.report import report
from ..targets.c.folding import folded_text
from ..targets.projects import self_test
from ..targets.projects.format import Project
from ..targets.projects.linking import linker_files
from ..targets.projects.operator_sums import OperatorSum
from ..targets.provenance import stamped
from ..targets.weights.in_programs import test_sources
from .host import Execution, HostProgram
from .operator_sums import operator_sums
from .oracles.of_file import oracle_of
from .oracles.oracle import SECONDS, OracleTooSlow, Reference
from .project.project import project_of
from .project.project_tree import ProjectTree
from .reference_work import reference_work
from .samples import Array, checked_inputs, checked_samples, linear_congruential

LOOP_SECONDS = 40
"""Seconds that a reference interpreter may take for models whose loops may not end, unless another time is said."""

MOST_GOLDEN_MACS = 1 << 33
"""Multiplications of all samples beyond which no interpreter is asked for them."""


@dataclass(frozen=True, repr=False)
class Artifact(ProjectTree, Compiled):
    """A compiled model: what `Compiled` has, and what can be done with it."""

    @staticmethod
    def of(compiled: Compiled) -> Artifact:
        """What a compilation made, with what can be done with it."""
        return Artifact(**{field.name: getattr(compiled, field.name) for field in fields(Compiled)})

    @property
    def analysis(self) -> dict[str, Any]:
        """The document of `stillpool analyze --json`."""
        return analysis(self.description, self.interface.style)

    def _project(self) -> Project:
        code = {**self.own_code, **{path: self.companions[path] for path in sorted(self.companions)}}
        linking = linker_files(self.interface.stem, self.description.pools, self.addresses)
        return project_of([self.interface], code, self.tests, self.report, linking)

    @cached_property
    def tests(self) -> dict[str, str]:
        """The self-test by file name. Asks a reference interpreter for its outputs."""
        name = f"test_{self.interface.stem}.c"
        text = folded_text(self_test.self_test(self.interface, self._golden()))
        texts = {name: text, **test_sources(self.description.blobs)}
        return {name: stamped(name, text.encode(), [self.description]).decode() for name, text in texts.items()}

    @property
    def verdict(self) -> str:
        """One line: whether the plan fits, and the bytes."""
        return f"{self.description.name}: {verdict(self.description)}"

    @property
    def report(self) -> str:
        """The memory report as text."""
        return report(self.description)

    def manifest_of(self, paths: Sequence[str]) -> dict[str, Any]:
        return manifest(self.description, self.interface.style, paths)

    def run(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Outputs by name for one array per input by name, computed by the C on this machine.

        Raises:
            InputError: a wrong array, or no C compiler.
        """
        stacked = {name: array[np.newaxis] for name, array in checked_inputs(self.description, inputs).items()}
        return {name: array[0] for name, array in self.execute(stacked).outputs.items()}

    def execute(self, stacked: Mapping[str, Array], *, repeats: int = 0) -> Execution:
        """Run samples stacked on the first axis, each 1 + `repeats` times; with the times.

        Raises:
            InputError: as `run`, or the inputs hold different numbers of samples.
        """
        return self.program.run(checked_samples(self.description, stacked), repeats=repeats)

    @cached_property
    def program(self) -> HostProgram:
        """The C, compiled for this machine; the folder goes away with the artefact."""
        return HostProgram(self.interface, self.program_code)

    def reference(
        self, inputs: Sequence[Array], *, further: Sequence[str] = (), timeout: float | None = None
    ) -> Reference:
        """Outputs of an independent interpreter or compiler for stacked samples (first axis); see `Oracle.answer`.

        Raises:
            InputError: there is none for this model, none is installed, or it refuses the model.
        """
        if self.model.file is None:
            raise InputError(
                f"model '{self.model.name}' is no TFLite file that reference interpreters could run with these shapes: "
                "there is nothing to compare it with"
            )
        if timeout is None:
            timeout = LOOP_SECONDS if reference_work(self.model.nn) is None else SECONDS
        return oracle_of(self.model.file).answer(self.description, inputs, further=further, timeout=timeout)

    def _golden(self) -> self_test.Golden | None:
        """Reference outputs for the self-test, or None where no interpreter computes them, which the user is told."""
        try:
            return self._computed_golden()
        except OracleTooSlow:
            raise
        except InputError as error:
            warn(f"the self-test of '{self.model.name}' has no golden outputs: {error}")
            return None

    def _computed_golden(self) -> self_test.Golden:
        """Reference outputs for the self-test.

        Raises:
            InputError: there is no reference, or it would take too long.
        """
        if self.model.file is None:
            raise InputError("no reference interpreter runs the model")
        state, samples = self_test.SEED, self_test.SAMPLES
        tensors = (*self.description.inputs, *self.description.outputs)
        if samples * sum(tensor.count for tensor in tensors) > self_test.MOST_VALUES:
            raise InputError(
                f"inputs and outputs of {samples} samples have more than {self_test.MOST_VALUES:,} elements"
            )
        # What is asked for is decided by the model, not by a clock: two runs write the same.
        work = reference_work(self.model.nn)
        if work is None:
            raise InputError("how often its loops run depends on data, and a reference interpreter may not end")
        if samples * work > MOST_GOLDEN_MACS:
            raise InputError(f"{samples} samples take more than {MOST_GOLDEN_MACS:,} multiplications")
        stacks: list[list[Array]] = [[] for _ in self.description.inputs]
        for _ in range(samples):
            for stack, tensor in zip(stacks, self.description.inputs, strict=True):
                array, state = linear_congruential(tensor, state)
                stack.append(array)
        tell("outputs of the reference for the self-test")
        answer = self.reference([np.stack(stack) for stack in stacks])
        outputs = tuple(
            output.reshape(samples, *tensor.shape)
            for output, tensor in zip(answer.outputs, self.description.outputs, strict=True)
        )
        sums: tuple[OperatorSum, ...] = ()
        if self.description.tells_operators:
            stacked = [np.stack(stack) for stack in stacks]
            sums = operator_sums(oracle_of(self.model.file), self.description, stacked, outputs)
        return self_test.Golden(answer.words, samples, outputs, sums)
