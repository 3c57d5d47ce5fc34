"""Additions that stock `xdsl-opt` finds through the plugin entry point: dialects, passes, targets.

Factories import inside: `xdsl-opt` starts without loading anything that the command line does not ask for.
"""

from collections.abc import Callable
from importlib import import_module

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target

from .dialects import upstream  # adds what any text may hold, before anything is parsed


def _extended(name: str, module: str) -> Callable[[], Dialect]:
    """A dialect of xDSL's own, once a module has added to it what it lacks."""
    of_xdsl = XDSL_UNIVERSE.all_dialects[name]

    def factory() -> Dialect:
        import_module(module, __package__)
        return of_xdsl()

    return factory


# Two dialects cannot have one name: xDSL's are extended when they are loaded.
XDSL_UNIVERSE.all_dialects |= {
    "emitc": _extended("emitc", ".dialects.emitc"),
    "tosa": _extended("tosa", ".dialects.tosa"),
    **{name: _extended(name, f".dialects.upstream.{name}") for name in upstream.EXTENDED},
}


def get_armv6m() -> Dialect:
    from .lowering.kernels.armv6m import Armv6m

    return Armv6m


def get_armv7em() -> Dialect:
    from .lowering.kernels.armv7em import Armv7em

    return Armv7em


def get_external() -> Dialect:
    from .dialects.external import External

    return External


def get_fx() -> Dialect:
    from .dialects.fx import Fx

    return Fx


def get_nn() -> Dialect:
    from .dialects.nn import Nn

    return Nn


def get_pool() -> Dialect:
    from .dialects.pool import Pool

    return Pool


def get_simd() -> Dialect:
    from .dialects.simd import Simd

    return Simd


def get_task() -> Dialect:
    from .dialects.task import Task

    return Task


def get_emit_c() -> type[ModulePass]:
    from .lowering.emit_c import EmitCPass

    return EmitCPass


def get_form_expressions() -> type[ModulePass]:
    from .lowering.emit_c.form_expressions import FormExpressionsPass

    return FormExpressionsPass


def get_lower_fx() -> type[ModulePass]:
    from .lowering.fx import LowerFxPass

    return LowerFxPass


def get_hand_over() -> type[ModulePass]:
    from .transforms.external.hand_over import HandOverPass

    return HandOverPass


def get_launch_externals() -> type[ModulePass]:
    from .transforms.external.launch_externals import LaunchExternalsPass

    return LaunchExternalsPass


def get_reach_externals() -> type[ModulePass]:
    from .transforms.external.reach_externals import ReachExternalsPass

    return ReachExternalsPass


def get_external_run() -> type[ModulePass]:
    from .transforms.external.external_run import ExternalRunPass

    return ExternalRunPass


def get_usmp_align() -> type[ModulePass]:
    from .transforms.usmp.placing.align import UsmpAlignPass

    return UsmpAlignPass


def get_lower_nn() -> type[ModulePass]:
    from .lowering.nn import LowerNnPass

    return LowerNnPass


def get_lower_affine_to_scf() -> type[ModulePass]:
    from .lowering.loops.affine import LowerAffineToScfPass

    return LowerAffineToScfPass


def get_lower_parallel_to_for() -> type[ModulePass]:
    from .lowering.loops.parallel import LowerParallelToForPass

    return LowerParallelToForPass


def get_lower_to_loops() -> type[ModulePass]:
    from .lowering.loops import LowerToLoopsPass

    return LowerToLoopsPass


def get_lower_vector_to_scalar() -> type[ModulePass]:
    from .lowering.loops.vector import LowerVectorToScalarPass

    return LowerVectorToScalarPass


def get_outline_loops() -> type[ModulePass]:
    from .lowering.emit_c.outline_loops import OutlineLoopsPass

    return OutlineLoopsPass


def get_apply_steps() -> type[ModulePass]:
    from .lowering.tasks import ApplyStepsPass

    return ApplyStepsPass


def get_lower_tasks() -> type[ModulePass]:
    from .lowering.tasks import LowerTasksPass

    return LowerTasksPass


def get_roll_rows() -> type[ModulePass]:
    from .transforms.rows.roll_rows import RollRowsPass

    return RollRowsPass


def get_foresee_scratch() -> type[ModulePass]:
    from .transforms.rows.foresee_scratch import ForeseeScratchPass

    return ForeseeScratchPass


def get_stream_input() -> type[ModulePass]:
    from .transforms.rows.stream_input import StreamInputPass

    return StreamInputPass


def get_split_rows() -> type[ModulePass]:
    from .transforms.rows.split_rows import SplitRowsPass

    return SplitRowsPass


def get_schedule() -> type[ModulePass]:
    from .lowering.schedule import SchedulePass

    return SchedulePass


def get_choose_forms() -> type[ModulePass]:
    from .transforms.tasks.choose import ChooseFormsPass

    return ChooseFormsPass


def get_double_early() -> type[ModulePass]:
    from .transforms.tasks.double_early import DoubleEarlyPass

    return DoubleEarlyPass


def get_narrow_sums() -> type[ModulePass]:
    from .transforms.tasks.narrow_sums import NarrowSumsPass

    return NarrowSumsPass


def get_prepare_tasks() -> type[ModulePass]:
    from .transforms.tasks.prepare_tasks import PrepareTasksPass

    return PrepareTasksPass


def get_shorten_byte_sums() -> type[ModulePass]:
    from .transforms.tasks.shorten_byte_sums import ShortenByteSumsPass

    return ShortenByteSumsPass


def get_shorten_rescaling() -> type[ModulePass]:
    from .transforms.tasks.rescaling import ShortenRescalingPass

    return ShortenRescalingPass


def get_shorten_rounding() -> type[ModulePass]:
    from .transforms.tasks.shorten_rounding import ShortenRoundingPass

    return ShortenRoundingPass


def get_split_phases() -> type[ModulePass]:
    from .transforms.tasks.split_phases import SplitPhasesPass

    return SplitPhasesPass


def get_nn_channels() -> type[ModulePass]:
    from .transforms.nn.channels.channels_pass import NnChannelsPass

    return NnChannelsPass


def get_nn_ranges() -> type[ModulePass]:
    from .transforms.nn.channels.ranges_pass import NnRangesPass

    return NnRangesPass


def get_nn_within_ranges() -> type[ModulePass]:
    from .transforms.nn.channels.within_ranges_pass import NnWithinRangesPass

    return NnWithinRangesPass


def get_import_tosa() -> type[ModulePass]:
    from .frontends.tosa import ImportTosaPass

    return ImportTosaPass


def get_nn_quantised_io() -> type[ModulePass]:
    from .transforms.nn.quantised_io import NnQuantisedIoPass

    return NnQuantisedIoPass


def get_nn_split_bands() -> type[ModulePass]:
    from .transforms.nn.split_bands import NnSplitBandsPass

    return NnSplitBandsPass


def get_nn_split_heads() -> type[ModulePass]:
    from .transforms.nn.split_heads import NnSplitHeadsPass

    return NnSplitHeadsPass


def get_nn_clean_up() -> type[ModulePass]:
    from .transforms.nn.clean_up import NnCleanUpPass

    return NnCleanUpPass


def get_c() -> type[Target]:
    from .targets.c import CTarget

    return CTarget


def get_usmp() -> type[ModulePass]:
    from .transforms.usmp.usmp import UsmpPass

    return UsmpPass


def get_usmp_assign_pools() -> type[ModulePass]:
    from .transforms.usmp.placing.assign_pools import UsmpAssignPoolsPass

    return UsmpAssignPoolsPass


def get_usmp_check() -> type[ModulePass]:
    from .transforms.usmp.check import UsmpCheckPass

    return UsmpCheckPass


def get_usmp_inputs() -> type[ModulePass]:
    from .transforms.usmp.rewriting.inputs import UsmpInputsPass

    return UsmpInputsPass


def get_usmp_io_allocs() -> type[ModulePass]:
    from .transforms.usmp.rewriting.io_allocs import UsmpIoAllocsPass

    return UsmpIoAllocsPass


def get_usmp_place_io() -> type[ModulePass]:
    from .transforms.usmp.rewriting.place_io import UsmpPlaceIoPass

    return UsmpPlaceIoPass


def get_usmp_materialize_offsets() -> type[ModulePass]:
    from .transforms.usmp.rewriting.materialize_offsets import UsmpMaterializeOffsetsPass

    return UsmpMaterializeOffsetsPass


def get_usmp_name_hook() -> type[ModulePass]:
    from .transforms.usmp.rewriting.operator_hooks import UsmpNameHookPass

    return UsmpNameHookPass


def get_usmp_operator_hooks() -> type[ModulePass]:
    from .transforms.usmp.rewriting.operator_hooks import UsmpOperatorHooksPass

    return UsmpOperatorHooksPass


def get_usmp_overlap() -> type[ModulePass]:
    from .transforms.usmp.placing.overlap import UsmpOverlapPass

    return UsmpOverlapPass


def get_usmp_release_inputs() -> type[ModulePass]:
    from .transforms.usmp.rewriting.release_inputs import UsmpReleaseInputsPass

    return UsmpReleaseInputsPass


def get_usmp_released_callback() -> type[ModulePass]:
    from .transforms.usmp.rewriting.release_inputs import UsmpReleasedCallbackPass

    return UsmpReleasedCallbackPass


def get_usmp_poison() -> type[ModulePass]:
    from .transforms.usmp.rewriting.poison import UsmpPoisonPass

    return UsmpPoisonPass


def get_usmp_plan() -> type[ModulePass]:
    from .transforms.usmp.placing.plan_pass import UsmpPlanPass

    return UsmpPlanPass


def get_usmp_state_windows() -> type[ModulePass]:
    from .transforms.usmp.placing.state_windows import UsmpStateWindowsPass

    return UsmpStateWindowsPass


def get_usmp_views() -> type[ModulePass]:
    from .transforms.usmp.placing.views import UsmpViewsPass

    return UsmpViewsPass


UNIVERSE = Universe(
    all_dialects={
        "armv6m": get_armv6m,
        "armv7em": get_armv7em,
        "external": get_external,
        "fx": get_fx,
        "nn": get_nn,
        "pool": get_pool,
        "simd": get_simd,
        "task": get_task,
    },
    all_passes={
        "apply-steps": get_apply_steps,
        "emit-c": get_emit_c,
        "external-run": get_external_run,
        "form-expressions": get_form_expressions,
        "reach-externals": get_reach_externals,
        "import-tosa": get_import_tosa,
        "launch-externals": get_launch_externals,
        "hand-over": get_hand_over,
        "lower-affine-to-scf": get_lower_affine_to_scf,
        "lower-fx": get_lower_fx,
        "lower-nn": get_lower_nn,
        "lower-tasks": get_lower_tasks,
        "lower-parallel-to-for": get_lower_parallel_to_for,
        "lower-to-loops": get_lower_to_loops,
        "lower-vector-to-scalar": get_lower_vector_to_scalar,
        "nn-channels": get_nn_channels,
        "nn-clean-up": get_nn_clean_up,
        "nn-quantised-io": get_nn_quantised_io,
        "nn-ranges": get_nn_ranges,
        "nn-split-bands": get_nn_split_bands,
        "nn-split-heads": get_nn_split_heads,
        "nn-within-ranges": get_nn_within_ranges,
        "outline-loops": get_outline_loops,
        "foresee-scratch": get_foresee_scratch,
        "roll-rows": get_roll_rows,
        "schedule": get_schedule,
        "choose-forms": get_choose_forms,
        "double-early": get_double_early,
        "narrow-sums": get_narrow_sums,
        "prepare-tasks": get_prepare_tasks,
        "shorten-byte-sums": get_shorten_byte_sums,
        "shorten-rescaling": get_shorten_rescaling,
        "shorten-rounding": get_shorten_rounding,
        "split-phases": get_split_phases,
        "split-rows": get_split_rows,
        "stream-input": get_stream_input,
        "usmp": get_usmp,
        "usmp-align": get_usmp_align,
        "usmp-assign-pools": get_usmp_assign_pools,
        "usmp-check": get_usmp_check,
        "usmp-inputs": get_usmp_inputs,
        "usmp-io-allocs": get_usmp_io_allocs,
        "usmp-materialize-offsets": get_usmp_materialize_offsets,
        "usmp-name-hook": get_usmp_name_hook,
        "usmp-operator-hooks": get_usmp_operator_hooks,
        "usmp-overlap": get_usmp_overlap,
        "usmp-place-io": get_usmp_place_io,
        "usmp-plan": get_usmp_plan,
        "usmp-poison": get_usmp_poison,
        "usmp-release-inputs": get_usmp_release_inputs,
        "usmp-released-callback": get_usmp_released_callback,
        "usmp-state-windows": get_usmp_state_windows,
        "usmp-views": get_usmp_views,
    },
    all_targets={"c": get_c},
)
