"""Which passes lead from one level of the IR to the next, in which order.

The same passes under the same names as `xdsl-opt -p` runs them; nothing happens here that could not be done there.
Installed packages may put passes of their own before and after each stage (`hooks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.exceptions import DiagnosticException

from ..errors import StillpoolError, UsageError, one_of
from ..frontends.mlir.diagnostics import culprit, location
from ..universe import UNIVERSE
from . import hooks
from .progress import tell

LEVELS = ("nn", "tasks", "memref", "pools", "emitc", "c")
"""The levels in order, as `--emit` calls them."""


def module_level(level: str) -> int:
    """The position in `LEVELS` of a level that is a module.

    Raises:
        UsageError: there is no such module.
    """
    modules = LEVELS[: LEVELS.index("c")]
    if level not in modules:
        what = "is text, not a module" if level == "c" else "is not a level of the IR"
        raise UsageError(f"'{level}' {what}", remedy=one_of(level, modules))
    return modules.index(level)


OVERLAPS = ("off", "inplace", "full")
"""How outputs may overlap dying inputs, as `mode` of `usmp-overlap` calls it."""


@dataclass(frozen=True)
class Plan:
    """How the pipeline is to plan memory."""

    io: str = "all"
    """`all`, `none`, `inputs`, `outputs`, or tensor names with commas: what lies in the workspace."""
    algorithm: str | None = None
    """The planner's algorithm; None for its default."""
    overlap: str = "full"
    """One of `OVERLAPS`: how outputs may overlap inputs that die in the same operator."""
    views: bool = True
    """Whether operators that only move elements may become views, as `usmp-views` makes them."""
    pins: tuple[str, ...] = ()
    """`PATTERN=POOL`: buffers and constants that lie in one pool only, as `pins` of `usmp-assign-pools`."""
    keep_inputs: bool = False
    """Whether a run leaves the inputs in the workspace as they are."""
    double_buffer_inputs: bool = False
    """Whether inputs in the workspace have two slots, one to run on and one to fill."""
    released_callback: str = ""
    """The C function to call when an input may be refilled; none if empty."""
    clean_ups_off: tuple[str, ...] = ()
    """Steps of `nn-clean-up` to leave out."""
    poison: bool = False
    """Whether dead bytes are filled at run time and the ends of pools guarded."""
    seconds: float | None = None
    """What the planner may take in each pool, in deterministic steps; None for its default."""


INPUT_OPTIONS = {"--keep-inputs": "keep_inputs", "--double-buffer-inputs": "double_buffer_inputs"}
"""Options that only concern inputs in the workspace, and the fields of `Plan` that hold them."""


def to_simplified(plan: Plan) -> str:
    """Graphs of `nn` operations to smaller ones."""
    off = ",".join(f'"{name}"' for name in plan.clean_ups_off)
    return hooks.around("nn", f"nn-clean-up{{off={off}}}" if off else "nn-clean-up")


def to_tasks() -> str:
    """`nn` on tensors to tasks on memrefs."""
    return hooks.around("tasks", "lower-nn")


def to_memref() -> str:
    """Tasks to loops."""
    return hooks.around("memref", "lower-tasks")


def to_buffers(plan: Plan) -> str:
    """Inputs and outputs of the workspace become buffers: what is planned for each model on its own."""
    words = ("all", "none", "inputs", "outputs")
    tensors = plan.io if plan.io in words else ",".join(f'"{name}"' for name in plan.io.split(","))
    return hooks.joined(hooks.before("io"), f"usmp-io-allocs{{tensors={tensors}}}")


def to_inputs(plan: Plan) -> str:
    """What the application may rely on about inputs; once it is known what the models of a pipeline pass on."""
    given = {"keep": plan.keep_inputs, "double": plan.double_buffer_inputs}
    words = [f"{key}=true" for key, value in given.items() if value]
    words += [f'callback="{plan.released_callback}"'] if plan.released_callback else []
    return hooks.joined(f"usmp-inputs{{{' '.join(words)}}}" if words else "", hooks.after("io"))


def to_pools(plan: Plan) -> str:
    """Decide pool and offset of every buffer; the decisions stand on the allocs as attributes, proved."""
    return hooks.joined(f"{to_places(plan)},usmp-release-inputs,usmp-check", hooks.after("pools"))


def to_places(plan: Plan) -> str:
    """The decisions alone."""
    algorithm = [] if plan.algorithm is None else [f"algorithm={plan.algorithm.replace('_', '-')}"]
    seconds = [] if plan.seconds is None else [f"seconds={float(plan.seconds)}"]
    options = f"{{{' '.join(algorithm + seconds)}}}" if algorithm or seconds else ""
    quoted = ",".join(f'"{pin}"' for pin in plan.pins)
    pins = f"{{pins={quoted}}}" if plan.pins else ""
    overlap = f"usmp-overlap{{mode={plan.overlap}}}"
    views = f"usmp-views{options}," if plan.views else ""
    return hooks.joined(hooks.before("pools"), f"usmp-assign-pools{pins},{overlap},{views}usmp-plan{options}")


def to_instrumented(plan: Plan) -> str:
    """What is added to the planned program, if anything: callbacks; in a build for finding mistakes what finds them."""
    callback = ["usmp-released-callback"] if plan.released_callback else []
    return ",".join([*callback, *(["usmp-poison"] if plan.poison else [])])


def to_materialised() -> str:
    """Offsets become views of pool arguments; the proof is made once more, of what is turned into C."""
    return hooks.around("offsets", "usmp-materialize-offsets,usmp-check")


def to_emitc() -> str:
    """Everything becomes C constructs."""
    return hooks.around("emitc", "emit-c")


def context() -> Context:
    """A context that knows every dialect, loading each when it is first met."""
    from xdsl.universe import Universe

    made = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        made.register_dialect(name, factory)
    return made


def apply(module: ModuleOp, passes: str, *, where: str) -> None:
    """Run passes on the module in place, if there are any, and verify the result.

    Raises:
        StillpoolError: a pass refused the module; `where` names the model.
    """
    if not passes:
        return

    def begin(_: ModulePass | None, __: ModuleOp, following: ModulePass | None) -> None:
        if following is not None:
            tell(f"{where.rpartition('/')[2]}: {following.name}")

    pipeline = PassPipeline.parse_spec({**UNIVERSE.all_passes, **hooks.factories()}, passes, begin)
    try:
        pipeline.apply(context(), module)
    except DiagnosticException as error:
        if isinstance(error.__cause__, StillpoolError):
            # A pass that passes on a reason of ours, such as a broken budget, keeps its exit code.
            raise error.__cause__ from error
        place = location(culprit(error))
        at = where if place is None else f"{place.filename.data}:{place.line.data}:{place.column.data}"
        raise StillpoolError(f"{at}: {first_line(str(error))}") from error
    module.verify()


def print_c(module: ModuleOp, stream: IO[str]) -> None:
    """Write an `emitc` module as C, as `xdsl-opt -t c` does."""
    UNIVERSE.all_targets["c"]()().emit(context(), module, stream)


def first_line(text: str) -> str:
    """The sentence of a diagnostic without the IR that xDSL prints around it."""
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "failed"
