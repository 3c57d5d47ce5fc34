"""Most stack that a run takes, stated in a model's header and manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import InputError
from ..progress import tell
from ..targets.interfaces.description import Stack
from .artifact import Artifact
from .system import System
from .undisturbed import temporary_folder

if TYPE_CHECKING:
    from ..machines.cpus import Cpu


def with_stack(
    made: Artifact | System,
    cpu: Cpu,
    *,
    cc: str | None = None,
    opt: str = "2",
    refused: Callable[[str], None] = tell,
) -> Artifact | System:
    """Return it with the worst case of every model's stack on `cpu` stated; compiles and links, and runs nothing.

    Where a model cannot be built for the processor that is stated instead.

    Args:
        made: what was compiled.
        cpu: the processor.
        cc: `gcc`, `zig` or a compiler's path; None for the best one installed.
        opt: level of the compiler's `-O`.
        refused: hears why a model cannot be built.

    Raises:
        UsageError: there is no compiler for the processor, or the packages that read its code are not installed.
    """
    if isinstance(made, System):
        stated = [_stated(artifact, cpu, cc, opt, refused) for artifact in made.artifacts]
        # Models that share constants bring each other's headers along.
        headers = {path: one.code[path] for one in stated for path in [f"include/{one.interface.header_name}"]}
        return replace(made, artifacts=tuple(_accompanied(one, headers) for one in stated))
    return _stated(made, cpu, cc, opt, refused)


def _accompanied(artifact: Artifact, headers: Mapping[str, bytes]) -> Artifact:
    renewed = {path: headers.get(path, data) for path, data in artifact.companions.items()}
    return replace(artifact, companions=renewed)


def _stated(artifact: Artifact, cpu: Cpu, cc: str | None, opt: str, refused: Callable[[str], None]) -> Artifact:
    from .emulate.build import build
    from .emulate.figures import measured_sizes, worst_case_stack

    with temporary_folder() as folder:
        try:
            # Neither stack nor code depend on what the constants are.
            firmware = build(artifact.unfilled, cpu, folder, cc=cc, opt=opt, has_lines=False)
        except InputError as error:
            refused(f"the stack of {artifact.description.name} is not measured: {error}")
            stack = Stack(None, cpu.name, "")
        else:
            code = measured_sizes(firmware).code
            stack = Stack(worst_case_stack(firmware), cpu.name, firmware.compiler, code)
    interface = replace(artifact.interface, model=replace(artifact.description, stack=stack))
    return replace(artifact, interface=interface, sources=replace(artifact.sources, header=interface.header()))
