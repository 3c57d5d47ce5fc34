"""Which passes lead from one level of the IR to the next, in which order.

The same passes as `xdsl-opt -p` runs; nothing happens here that could not be done there. They are imported when they
are asked for: a command that compiles nothing loads none.
Installed packages may put passes of their own before and after each stage (`hooks`).
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import IO, Literal, TypeAlias, get_args

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.symbols import verify as verify_module
from ..errors import StillpoolError, UsageError, one_of
from ..frontends.mlir.diagnostics import culprit, location
from ..progress import tell
from ..universe import UNIVERSE
from . import hooks

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


Rows = Literal["off", "auto", "on"]
ROWS: tuple[str, ...] = get_args(Rows)
"""Whether networks run row by row, as `split-rows` makes them; `auto`: where `row_choice` finds it worth it."""

Overlap = Literal["off", "inplace", "full"]
OVERLAPS: tuple[str, ...] = get_args(Overlap)
"""How outputs may overlap dying inputs, as `mode` of `usmp-overlap` calls it."""


@dataclass(frozen=True)
class Plan:
    """How the pipeline is to plan memory."""

    io: str = "all"
    """`all`, `none`, `inputs`, `outputs`, or tensor names with commas: what lies in the workspace."""
    algorithm: str | None = None
    """The planner's algorithm; None for its default."""
    overlap: Overlap = "full"
    """How outputs may overlap inputs that die in the same operator."""
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
    operator_hook: str = ""
    """The C function to call after each operator; none if empty."""
    clean_ups_off: tuple[str, ...] = ()
    """Steps of `nn-clean-up` to leave out."""
    channel_multiple: int | None = None
    """Multiple that numbers of kept channels are rounded up to; None: what the processor's kernels compute at once."""
    poison: bool = False
    """Whether dead bytes are filled at run time and the ends of pools guarded."""
    scheduled_for: str = ""
    """The processor, one of `machines.cpus`, for which tasks get schedules; none where it is empty."""
    objective: str = "speed"
    """Goal of the choice, as the pass `choose-forms` takes it."""
    schedule_flash: int | None = None
    """Bytes of flash that they may take, as the pass `choose-forms` takes it."""
    schedule_ram: int | None = None
    """Bytes of workspace that they may take, as the pass `choose-forms` takes it."""
    freed_flash: int = 0
    """Bytes of weights that went with channels, as `freed` of the pass `choose-forms`."""
    lean_functions: tuple[str, ...] = ()
    """Functions that take less scratch memory, as `lean` of the pass `choose-forms`."""
    schedules: str = ""
    """A file of schedules that were measured, as the pass `choose-forms` takes it; none where it is empty."""
    winograd: bool = False
    """Whether they may transform constants, as the pass `choose-forms` takes it."""
    row_saving: float = 10.0
    """Percents of the workspace that rows must save to be taken with `auto`."""
    row_price: float = 1.0
    """Percents of the instructions that they may cost."""
    weighs_scratch: bool = False
    """Whether schedules with less scratch memory are taken, too, for that price."""
    rows: Rows | Literal["split"] = "off"
    """Whether networks run row by row. `on` and `auto` are open: `driver.row_choice` decides by the plans of both ways
    between `off` and `split`, of which passes are made."""
    row_segments: tuple[str, ...] = ()
    """Segments by hand, as of `split-rows`; chosen by the pass where there are none."""
    stream_input: str = ""
    """The input that the application hands over row by row, with `rows` on; none where it is empty."""
    recompute: float = 0.0
    """Percents of the multiply-accumulates that may be made again, with `rows` open."""
    column_bands: tuple[str, ...] = ()
    """Operators that run in bands of columns, as `columns` of `nn-split-bands`; `driver.row_choice` decides."""
    channel_bands: tuple[str, ...] = ()
    """Operators that run in bands of channels, likewise."""
    externals: tuple[str, ...] = ()
    """Operators that C functions of the application compute, as `externals` of `hand-over`."""
    alignments: tuple[str, ...] = ()
    """`PATTERN=N`: alignments of buffers and constants, as `alignments` of `usmp-align`."""
    pool_alignment: int = 16
    """Least alignment of pools that declare none, as `align` of `usmp-assign-pools`."""
    device_hooks: Literal["native", "tvm"] = "native"
    """How hooks of devices are called, as `hooks` of `external-run`."""
    seconds: float | None = None
    """Limit of the planner in each pool, in deterministic steps; None for its default."""

    @property
    def schedule_words(self) -> str:
        """All that schedules depend on."""
        limits = f"{self.schedule_flash} {self.schedule_ram} {' '.join(self.lean_functions)}"
        return f"{self.scheduled_for} {self.objective} {limits} {self.schedules} {self.winograd}"

    @property
    def has_rows(self) -> bool:
        """Whether operators run by rows: those of the network, or the one that takes an input by rows."""
        return self.rows == "split" or bool(self.stream_input)

    @property
    def is_open(self) -> bool:
        """Whether it is still to be decided if networks run row by row."""
        return self.rows in ("auto", "on")


INPUT_OPTIONS = {"--io keep": "keep_inputs", "--io double-buffer": "double_buffer_inputs"}
"""Options that only concern inputs in the workspace, and the fields of `Plan` that hold them."""


Passes: TypeAlias = tuple[ModulePass, ...]
"""Passes in the order in which they run; `str` of a pass is its text for `xdsl-opt -p`."""


def to_simplified(plan: Plan) -> Passes:
    """Graphs of `nn` operations to smaller ones, of which external functions compute what is theirs."""
    from ..machines.cpus import get_cpu
    from ..transforms.nn.clean_up import NnCleanUpPass

    # Kernels compute so many channels side by side: one more is faster than the rest of a division.
    multiple = get_cpu(plan.scheduled_for).side_by_side if plan.scheduled_for else 1
    simplified = NnCleanUpPass(plan.clean_ups_off, plan.channel_multiple or multiple)
    if not plan.externals:
        return hooks.around("nn", simplified)
    from ..transforms.external.hand_over import HandOverPass

    return hooks.around("nn", simplified, HandOverPass(plan.externals))


def to_tasks(plan: Plan) -> Passes:
    """`nn` on tensors to tasks on memrefs, of rows and with schedules if they are asked for."""
    from ..lowering.nn import LowerNnPass
    from ..lowering.schedule import SchedulePass
    from ..transforms.tasks import PrepareTasksPass

    measured = plan.schedules or None
    limits = plan.schedule_flash, measured, plan.schedule_ram, plan.lean_functions, plan.freed_flash
    chosen = PrepareTasksPass(plan.scheduled_for, plan.objective, *limits, plan.winograd)
    written = SchedulePass(plan.scheduled_for, measured, plan.objective == "speed", plan.winograd)
    schedule = [chosen, written] if plan.scheduled_for else []
    assert not plan.is_open, "whether there are rows is decided before there are tasks"
    divided, rows = (_before_rows(plan), _to_rows(plan)) if plan.has_rows else ((), ())
    return hooks.around("tasks", *divided, LowerNnPass(), *rows, *schedule)


def _before_rows(plan: Plan) -> Passes:
    """Operators to those that run row by row."""
    from ..transforms.nn.split_bands import NnSplitBandsPass
    from ..transforms.nn.split_heads import NnSplitHeadsPass

    if plan.rows != "split":
        return ()
    has_bands = plan.column_bands or plan.channel_bands
    bands = [NnSplitBandsPass(plan.column_bands, plan.channel_bands)] if has_bands else []
    return (*bands, NnSplitHeadsPass())


def _to_rows(plan: Plan) -> Passes:
    """Tasks to those of rows."""
    from ..transforms.rows.foresee_scratch import ForeseeScratchPass
    from ..transforms.rows.split_rows import SplitRowsPass
    from ..transforms.rows.stream_input import StreamInputPass
    from ..transforms.usmp.rewriting.place_io import UsmpPlaceIoPass

    streamed = [StreamInputPass(plan.stream_input)] if plan.stream_input else []
    placed = UsmpPlaceIoPass(tuple(plan.io.split(",")), plan.keep_inputs, plan.double_buffer_inputs)
    known = [ForeseeScratchPass(plan.scheduled_for, plan.objective, plan.schedules or None)]
    foreseen = known if plan.scheduled_for else []
    return (*streamed, placed, *foreseen, SplitRowsPass(plan.row_segments, plan.rows != "split"))


def around_schedules(plan: Plan) -> tuple[Passes, Passes]:
    """Passes of `to_tasks` before schedules are chosen, and the others."""
    from ..transforms.tasks import PrepareTasksPass

    passes = to_tasks(plan)
    at = next((n for n, one in enumerate(passes) if isinstance(one, PrepareTasksPass)), len(passes))
    return passes[:at], passes[at:]


def to_row_network(plan: Plan) -> Passes:
    """`nn` on tensors to tasks on memrefs of which rows would be made."""
    from ..transforms.rows.split_rows import SplitRowsPass

    passes = to_tasks(replace(plan, rows="split"))
    return passes[: next(n for n, one in enumerate(passes) if isinstance(one, SplitRowsPass))]


def to_memref() -> Passes:
    """Tasks to loops."""
    from ..lowering.scaling import ScaleSumsPass
    from ..lowering.tasks import LowerTasksPass

    return hooks.around("memref", ScaleSumsPass(), LowerTasksPass())


def to_buffers(plan: Plan) -> Passes:
    """Inputs and outputs of the workspace become buffers: what is planned for each model on its own."""
    from ..transforms.usmp.rewriting.io_allocs import UsmpIoAllocsPass

    return *hooks.before("io"), UsmpIoAllocsPass(tuple(plan.io.split(",")))


def to_inputs(plan: Plan) -> Passes:
    """Passes for the contracts of inputs, once it is known what the models of a pipeline pass on."""
    from ..transforms.usmp.rewriting.inputs import UsmpInputsPass
    from ..transforms.usmp.rewriting.operator_hooks import UsmpNameHookPass

    given = UsmpInputsPass(plan.keep_inputs, plan.double_buffer_inputs, plan.released_callback)
    named = [UsmpNameHookPass(plan.operator_hook)] if plan.operator_hook else []
    return *([] if given == UsmpInputsPass() else [given]), *named, *hooks.after("io")


def to_pools(plan: Plan) -> Passes:
    """Decide pool and offset of every buffer; the decisions stand on the allocs as attributes, proved."""
    return *to_places(plan), *to_proved()


def to_proved() -> Passes:
    """Passes that follow on the decisions, and the proof."""
    from ..transforms.usmp.check import UsmpCheckPass
    from ..transforms.usmp.rewriting.release_inputs import UsmpReleaseInputsPass

    return UsmpReleaseInputsPass(), UsmpCheckPass(), *hooks.after("pools")


def to_places(plan: Plan) -> Passes:
    """The decisions alone."""
    from ..transforms.usmp.placing.assign_pools import UsmpAssignPoolsPass
    from ..transforms.usmp.placing.overlap import UsmpOverlapPass
    from ..transforms.usmp.placing.plan_pass import UsmpPlanPass
    from ..transforms.usmp.placing.state_windows import UsmpStateWindowsPass
    from ..transforms.usmp.placing.views import UsmpViewsPass

    algorithm = UsmpPlanPass.algorithm if plan.algorithm is None else plan.algorithm.replace("_", "-")
    seconds = UsmpPlanPass.seconds if plan.seconds is None else float(plan.seconds)
    return (
        *hooks.before("pools"),
        *_asked_of_buffers(plan),
        UsmpAssignPoolsPass(plan.pins, plan.pool_alignment),
        UsmpOverlapPass(plan.overlap),
        *([UsmpStateWindowsPass(algorithm, seconds), UsmpViewsPass(algorithm, seconds)] if plan.views else []),
        UsmpPlanPass(algorithm, seconds),
    )


def _asked_of_buffers(plan: Plan) -> Passes:
    """Passes for what devices and their functions ask of buffers, before pools are chosen."""
    from ..transforms.external.launch_externals import LaunchExternalsPass
    from ..transforms.external.reach_externals import ReachExternalsPass
    from ..transforms.usmp.placing.align import UsmpAlignPass

    aligned = [UsmpAlignPass(plan.alignments)] if plan.alignments else []
    return LaunchExternalsPass(), ReachExternalsPass(), *aligned


def to_instrumented(plan: Plan) -> Passes:
    """Passes that add to the planned program, if any: callbacks; in a build for finding mistakes what finds them.

    Of operators that run row by row the application hears once calls are loops, for which nothing may stand between.
    """
    from ..transforms.usmp.rewriting.operator_hooks import UsmpOperatorHooksPass
    from ..transforms.usmp.rewriting.poison import UsmpPoisonPass
    from ..transforms.usmp.rewriting.release_inputs import UsmpReleasedCallbackPass

    callback = [UsmpReleasedCallbackPass()] if plan.released_callback else []
    # The last to be put behind an operator comes first: what the application does on a release is not the operator's.
    hook = [UsmpOperatorHooksPass()] if plan.operator_hook and not plan.has_rows else []
    return *callback, *hook, *([UsmpPoisonPass()] if plan.poison else [])


def to_materialised() -> Passes:
    """Offsets become views of pool arguments; the proof is made once more, of what is turned into C."""
    from ..transforms.usmp.check import UsmpCheckPass
    from ..transforms.usmp.rewriting.materialize_offsets import UsmpMaterializeOffsetsPass

    return hooks.around("offsets", UsmpMaterializeOffsetsPass(), UsmpCheckPass())


def to_external(plan: Plan) -> Passes:
    """External functions get the handles of devices and keep the first error, if there are any."""
    from ..transforms.external.external_run import ExternalRunPass

    return (ExternalRunPass(plan.device_hooks),)


def to_rolled(plan: Plan) -> Passes:
    """Calls on rows become loops, if there are rows; once `auto` is decided."""
    assert not plan.is_open, "whether there are rows is decided before there is a plan"
    if not plan.has_rows:
        return ()
    from ..transforms.rows.roll_rows import RollRowsPass
    from ..transforms.usmp.rewriting.operator_hooks import UsmpOperatorHooksPass

    hook = [UsmpOperatorHooksPass()] if plan.operator_hook else []
    return (RollRowsPass(), *hook)


def to_emitc(plan: Plan) -> Passes:
    """Everything becomes C constructs; where flash counts most on a processor, what is alike becomes one function."""
    from ..lowering.emit_c import EmitCPass
    from ..lowering.emit_c.outline_loops import OutlineLoopsPass

    if not plan.scheduled_for or plan.objective != "size":
        return hooks.around("emitc", EmitCPass())
    return hooks.around("emitc", OutlineLoopsPass(), EmitCPass(share=True))


def context() -> Context:
    """A context that knows every dialect, loading each when it is first met."""
    made = Context()
    for name, factory in _multiverse(tuple(sys.path)).all_dialects.items():
        made.register_dialect(name, factory)
    return made


@lru_cache
def _multiverse(path: tuple[str, ...]) -> Universe:
    """The dialects and passes of all packages on the path, read once."""
    return Universe.get_multiverse()


def parsed(text: str) -> Passes:
    """Passes written as `xdsl-opt -p` takes them."""
    return PassPipeline.parse_spec(dict(UNIVERSE.all_passes), text).passes


def apply(module: ModuleOp, passes: Passes, *, where: str, verify: bool = True) -> None:
    """Run passes on the module in place, if there are any, and verify the result.

    Without `verify` only if another package's pass is among them: for stages of which the next one's result tells.

    Raises:
        StillpoolError: a pass refused the module; `where` names the model.
    """
    if not passes:
        return

    def begin(_: ModulePass | None, __: ModuleOp, following: ModulePass | None) -> None:
        if following is not None:
            tell(f"{where.rpartition('/')[2]}: {following.name}")

    with located(where):
        PassPipeline(passes, begin).apply(context(), module)
    if verify or any(one.name not in UNIVERSE.all_passes for one in passes):
        verify_module(module)


@contextmanager
def located(where: str) -> Generator[None]:
    """Within it what refuses a module says where, in stillpool's words.

    Raises:
        StillpoolError: a pass or a verifier refused; `where` names the model.
    """
    try:
        yield
    except DiagnosticException as error:
        if isinstance(error.__cause__, StillpoolError):
            # A pass that passes on a reason of ours, such as a broken budget, keeps its exit code.
            raise error.__cause__ from error
        place = location(culprit(error))
        at = where if place is None else f"{place.filename.data}:{place.line.data}:{place.column.data}"
        raise StillpoolError(f"{at}: {first_line(str(error))}") from error


def print_c(module: ModuleOp, stream: IO[str]) -> None:
    """Write an `emitc` module as C, as `xdsl-opt -t c` does."""
    UNIVERSE.all_targets["c"]()().emit(context(), module, stream)


def first_line(text: str) -> str:
    """The sentence of a diagnostic without the IR that xDSL prints around it."""
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "failed"
