"""Additions that stock `xdsl-opt` finds through the plugin entry point: dialects, passes, targets.

Each is named by its place: `xdsl-opt` starts without loading anything that the command line does not ask for.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from xdsl.ir import Dialect
from xdsl.universe import XDSL_UNIVERSE, Universe

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


_DIALECTS = {
    "armv6m": ".lowering.kernels.armv6m.Armv6m",
    "armv7em": ".lowering.kernels.armv7em.Armv7em",
    "external": ".dialects.external.External",
    "fx": ".dialects.fx.Fx",
    "mve": ".lowering.kernels.mve.Mve",
    "nn": ".dialects.nn.Nn",
    "pool": ".dialects.pool.Pool",
    "simd": ".dialects.simd.Simd",
    "task": ".dialects.task.Task",
    "thumb": ".lowering.kernels.thumb.Thumb",
}
_PASSES = {
    "apply-steps": ".lowering.tasks.ApplyStepsPass",
    "choose-forms": ".transforms.tasks.choose.ChooseFormsPass",
    "double-early": ".transforms.tasks.double_early.DoubleEarlyPass",
    "emit-c": ".lowering.emit_c.EmitCPass",
    "external-run": ".transforms.external.external_run.ExternalRunPass",
    "foresee-scratch": ".transforms.rows.foresee_scratch.ForeseeScratchPass",
    "form-expressions": ".lowering.emit_c.form_expressions.FormExpressionsPass",
    "hand-over": ".transforms.external.hand_over.HandOverPass",
    "import-tosa": ".frontends.tosa.ImportTosaPass",
    "launch-externals": ".transforms.external.launch_externals.LaunchExternalsPass",
    "lower-affine-to-scf": ".lowering.loops.affine.LowerAffineToScfPass",
    "lower-fx": ".lowering.fx.LowerFxPass",
    "lower-nn": ".lowering.nn.LowerNnPass",
    "lower-parallel-to-for": ".lowering.loops.parallel.LowerParallelToForPass",
    "lower-simd": ".lowering.simd.LowerSimdPass",
    "lower-tasks": ".lowering.tasks.LowerTasksPass",
    "lower-to-loops": ".lowering.loops.LowerToLoopsPass",
    "lower-vector-to-scalar": ".lowering.loops.vector.LowerVectorToScalarPass",
    "narrow-sums": ".transforms.tasks.narrow_sums.NarrowSumsPass",
    "nn-channels": ".transforms.nn.channels.channels_pass.NnChannelsPass",
    "nn-clean-up": ".transforms.nn.clean_up.NnCleanUpPass",
    "nn-quantised-io": ".transforms.nn.quantised_io.NnQuantisedIoPass",
    "nn-ranges": ".transforms.nn.channels.ranges_pass.NnRangesPass",
    "nn-split-bands": ".transforms.nn.split_bands.NnSplitBandsPass",
    "nn-split-heads": ".transforms.nn.split_heads.NnSplitHeadsPass",
    "nn-within-ranges": ".transforms.nn.channels.within_ranges_pass.NnWithinRangesPass",
    "outline-loops": ".lowering.emit_c.outline_loops.OutlineLoopsPass",
    "prepare-tasks": ".transforms.tasks.prepare_tasks.PrepareTasksPass",
    "reach-externals": ".transforms.external.reach_externals.ReachExternalsPass",
    "roll-rows": ".transforms.rows.roll_rows.RollRowsPass",
    "round-in-floats": ".transforms.tasks.rescaling.RoundInFloatsPass",
    "scale-sums": ".lowering.scaling.ScaleSumsPass",
    "schedule": ".lowering.schedule.SchedulePass",
    "shorten-byte-sums": ".transforms.tasks.shorten_byte_sums.ShortenByteSumsPass",
    "shorten-rescaling": ".transforms.tasks.rescaling.ShortenRescalingPass",
    "shorten-rounding": ".transforms.tasks.shorten_rounding.ShortenRoundingPass",
    "split-phases": ".transforms.tasks.split_phases.SplitPhasesPass",
    "split-rows": ".transforms.rows.split_rows.SplitRowsPass",
    "stream-input": ".transforms.rows.stream_input.StreamInputPass",
    "usmp": ".transforms.usmp.usmp.UsmpPass",
    "usmp-align": ".transforms.usmp.placing.align.UsmpAlignPass",
    "usmp-assign-pools": ".transforms.usmp.placing.assign_pools.UsmpAssignPoolsPass",
    "usmp-check": ".transforms.usmp.check.UsmpCheckPass",
    "usmp-inputs": ".transforms.usmp.rewriting.inputs.UsmpInputsPass",
    "usmp-io-allocs": ".transforms.usmp.rewriting.io_allocs.UsmpIoAllocsPass",
    "usmp-materialize-offsets": ".transforms.usmp.rewriting.materialize_offsets.UsmpMaterializeOffsetsPass",
    "usmp-name-hook": ".transforms.usmp.rewriting.operator_hooks.UsmpNameHookPass",
    "usmp-operator-hooks": ".transforms.usmp.rewriting.operator_hooks.UsmpOperatorHooksPass",
    "usmp-overlap": ".transforms.usmp.placing.overlap.UsmpOverlapPass",
    "usmp-place-io": ".transforms.usmp.rewriting.place_io.UsmpPlaceIoPass",
    "usmp-plan": ".transforms.usmp.placing.plan_pass.UsmpPlanPass",
    "usmp-poison": ".transforms.usmp.rewriting.poison.UsmpPoisonPass",
    "usmp-release-inputs": ".transforms.usmp.rewriting.release_inputs.UsmpReleaseInputsPass",
    "usmp-released-callback": ".transforms.usmp.rewriting.release_inputs.UsmpReleasedCallbackPass",
    "usmp-state-windows": ".transforms.usmp.placing.state_windows.UsmpStateWindowsPass",
    "usmp-views": ".transforms.usmp.placing.views.UsmpViewsPass",
}
_TARGETS = {
    "c": ".targets.c.CTarget",
}


def _at(place: str) -> Any:
    """What a module defines: its name behind that of the module."""
    module, name = place.rsplit(".", 1)
    return getattr(import_module(module, __package__), name)


def _found(places: Mapping[str, str]) -> dict[str, Callable[[], Any]]:
    """By each name, what imports what is meant when it is asked for."""
    return {name: partial(_at, place) for name, place in places.items()}


UNIVERSE = Universe(all_dialects=_found(_DIALECTS), all_passes=_found(_PASSES), all_targets=_found(_TARGETS))
