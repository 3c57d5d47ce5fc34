"""Which operator computes the first wrong tensor: what the self-test of a build with hooks says, where it is run."""

from __future__ import annotations

from dataclasses import replace

from ..driver.compile.compilation import Compilation
from ..errors import StillpoolError
from ..targets.interfaces.native import operator_hook
from .artifact import Artifact
from .emulate.build import units_below, written
from .host import FLAGS, find_compiler
from .process import call_text
from .undisturbed import temporary_folder

_SAID = "first wrong operator: "


def first_wrong_operator(request: Compilation, target: str, *, cc: str | None = None, opt: str = "2") -> str | None:
    """The first operator, in words, that leaves another tensor than the reference interpreter's.

    Args:
        request: what computes wrong outputs.
        target: where: `host`, or a processor that is emulated.
        cc: compiler for the processor, as of `emulate`.
        opt: level of its `-O`.

    Returns:
        None where that cannot be told: with an interface without hooks, of floats, without a reference
        interpreter or an emulator that runs programs that print.
    """
    if "--profile-hooks" in request.interface.refuses or request.model.file is None:
        return None
    hook = operator_hook(request.model.identifier)
    try:
        artifact = Artifact.of(replace(request, plan=replace(request.plan, operator_hook=hook)).result())
        text = _here(artifact) if target == "host" else _emulated(artifact, target, cc, opt)
    except StillpoolError:
        # The outputs are wrong in any case: that must be said, whatever else goes wrong.
        return None
    lines = [line.removeprefix(_SAID) for line in text.splitlines() if line.startswith(_SAID)]
    return lines[0] if lines else None


def _here(artifact: Artifact) -> str:
    with temporary_folder() as folder:
        root = folder
        tests = {f"test/{name}": text.encode() for name, text in artifact.tests.items()}
        written({**artifact.program_code, **tests}, root)
        program = root / "self_test.out"
        command = [*find_compiler(), *FLAGS, f"-I{root / 'include'}", *map(str, units_below(root)), "-o", str(program)]
        done = call_text([*command, "-lm"])
        return "" if done.returncode else call_text([str(program)]).stdout


def _emulated(artifact: Artifact, target: str, cc: str | None, opt: str) -> str:
    from ..machines.cpus import get_cpu
    from .emulate.self_test import run_self_test

    return run_self_test(artifact, get_cpu(target), cc=cc, opt=opt).text
