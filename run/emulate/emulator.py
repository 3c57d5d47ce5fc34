"""Running a compiled model on an emulated processor: the same C, a cross compiler, and an emulator.

Under unicorn the model may touch its pools, its inputs and outputs, the stack and its constants; any other access ends
the run. QEMU counts and computes the same, but watches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...driver.compile.compiled import Compiled
from ...errors import UsageError, VerificationError
from ...machines.cpus import Cpu
from ..samples import Array
from ..undisturbed import temporary_folder
from .build import build, check_build
from .figures import Figures, measure
from .qemu_session import check_qemu, run_qemu
from .unicorn_session import check_unicorn, run_unicorn

EMULATORS = ("unicorn", "qemu")


@dataclass(frozen=True)
class Emulation:
    """Run of the emulated processor."""

    outputs: dict[str, Array]
    """Stacked on the first axis, as the inputs."""
    figures: Figures

    @property
    def instructions(self) -> int:
        """Executed by one inference, from the call of `<m>_run` to its return."""
        return self.figures.instructions

    @property
    def stack_bytes(self) -> int:
        """Most stack that `<m>_run` and what it calls took."""
        return self.figures.stack_bytes

    @property
    def compiler(self) -> str:
        """The compiler's version."""
        return self.figures.compiler


def check_emulation(cpu: Cpu, *, cc: str | None = None, emulator: str | None = None, opt: str = "2") -> str:
    """The emulator to run `cpu` in, before anything is compiled for it; arguments are those of `emulate`.

    Raises:
        UsageError: the emulator or a cross compiler is missing, the emulator has no such processor, or the compiler no
            such level.
    """
    if emulator not in (None, *EMULATORS):
        raise UsageError(f"unknown emulator '{emulator}'", remedy=f"choose one of {', '.join(EMULATORS)}")
    chosen = emulator or ("qemu" if cpu.unicorn_model is None else "unicorn")
    check_build(cpu, cc=cc, opt=opt)
    (check_qemu if chosen == "qemu" else check_unicorn)(cpu)
    return chosen


def emulate(
    artifact: Compiled,
    cpu: Cpu,
    stacked: Mapping[str, Array],
    *,
    cc: str | None = None,
    emulator: str | None = None,
    opt: str = "2",
) -> Emulation:
    """Run samples, stacked on the first axis by input name, on an emulated `cpu`.

    Args:
        artifact: the compiled model.
        cpu: the processor.
        stacked: one array per input; every first axis counts the samples.
        cc: `gcc`, `zig` or a compiler's path; None for the best one installed.
        opt: level of the compiler's `-O`: `0` to `3`, or `s`.
        emulator: `unicorn` or `qemu`; None for unicorn where it knows the processor.

    Raises:
        UsageError: the emulator or a cross compiler is missing, or the emulator has no such processor.
        VerificationError: the model accessed memory that it does not own, or returned an error; names the operator,
            the access and the line of C.
        InputError: the compiler refuses the code.
    """
    chosen = check_emulation(cpu, cc=cc, opt=opt, emulator=emulator)
    with temporary_folder() as folder:
        root = folder
        firmware = build(artifact, cpu, root, cc=cc, opt=opt)
        run = (run_qemu if chosen == "qemu" else run_unicorn)(firmware, artifact.network_source, stacked, root)
        success = firmware.interface.success
        if any(status != success for status in run.statuses):
            code = next(status for status in run.statuses if status != success)
            raise VerificationError(f"{firmware.interface.run_function} returned {code} on {cpu.name}")
        return Emulation(run.outputs, measure(firmware, artifact, run, chosen))
