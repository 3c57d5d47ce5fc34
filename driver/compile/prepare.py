"""Requests to compile models, checked before anything is compiled: what the command line and Python callers ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack, cast

from ...documents import read_bytes
from ...errors import UsageError, one_of
from ...machines.cpus import cpu_names
from ...outside import is_well_formed
from ...targets.interfaces.interface import Asked
from ...targets.interfaces.native import operator_hook, released_callback
from ...targets.interfaces.registry import get_interface
from ...targets.shims import check_shims
from ...transforms.nn.clean_up import CLEAN_UPS
from ...transforms.rows.pins import REMEDY, parsed
from .. import pipeline
from ..models.load import load_entries
from ..models.model import Model
from ..models.quantised_io import with_quantised_io
from ..options.effects import check_effects
from ..options.externals import check_handed, check_sources, checked_alignments, checked_externals
from ..options.objectives import (
    ram_price,
    recompute,
    rows_for,
    schedule_flash,
    schedule_objective,
    schedule_ram,
    scheduled_for,
    schedules,
    weighs_scratch,
    winograd,
)
from ..options.options import WEIGHTS, Options, Request
from ..options.pool_spec import POOL_KINDS, PoolSpec, distinct, parse_pool
from ..options.stated import option_of, stated_options
from ..options.weights import check_weights, with_constant_pool
from ..pipeline import OVERLAPS, ROWS
from .compilation import Compilation
from .compile_system import CONCURRENCIES, SystemCompilation
from .shared_externals import shared_out

Requested = Model | str | os.PathLike[str] | Request


def prepare(models: Requested | Sequence[Requested], **options: Unpack[Options]) -> Compilation:
    """Check a request for one model before anything is compiled; the arguments are those of `stillpool.compile`."""
    made = prepare_all(models, **options)
    if isinstance(made, SystemCompilation):
        names = ", ".join(one.model.name for one in made.compilations)
        raise UsageError(
            f"one model is needed, got {len(made.compilations)}: {names}",
            remedy="of a file with several signatures, choose one with --signature",
        )
    return made


def prepare_all(models: Requested | Sequence[Requested], **options: Unpack[Options]) -> Compilation | SystemCompilation:
    """Check a request before anything is compiled; the arguments are those of `stillpool.compile`."""
    _check_names(options)
    if options.get("target", "host") != "host":
        _check("target", options.get("target", "host"), ("host", *cpu_names()))
    interface = get_interface(options.get("interface", "native"))
    _check("overlap", options.get("overlap", "full"), OVERLAPS)
    weights = options.get("weights", "source")
    _check("weights", weights, WEIGHTS)
    _check("rows", options.get("rows") or "off", ROWS)
    concurrency = options.get("concurrency", "exclusive")
    _check("concurrency", concurrency, CONCURRENCIES)
    pins = _checked_pins(options.get("pins", ()))
    alignments = checked_alignments(options)
    specs = distinct(parse_pool(pool) if isinstance(pool, str) else pool for pool in options.get("pools", ()))
    specs = with_constant_pool(specs, weights)
    check_weights(weights, specs, interface, is_built_in=options.get("builtin_pools", False))
    asked, shims = _asked(specs, options), tuple(options.get("shims", ()))
    sources = _c_files("custom source", options.get("custom_sources", ()))
    external_sources = _c_files("external source", options.get("external_sources", ()))
    listed = [models] if isinstance(models, Model | str | os.PathLike | Request) else list(models)
    made: list[Compilation] = []
    quantised = False
    for one in listed:
        request = one if isinstance(one, Request) else Request(one, options.get("name"))
        externals = checked_externals(_of_model(request, options))
        for model in _models(request, options):
            if options.get("quantised_io", False):
                model, had_reals = with_quantised_io(model), model
                quantised = quantised or model is not had_reals
            handed = bool(externals) or check_handed(model, options)
            plan = pipeline.Plan(
                _checked_io(model, request.workspace_io or options.get("workspace_io") or interface.workspace_io),
                options.get("algorithm"),
                options.get("overlap", "full"),
                options.get("views", True),
                pins,
                keep_inputs=_own(request.keep_inputs, options.get("keep_inputs", False)),
                double_buffer_inputs=_own(request.double_buffer_inputs, options.get("double_buffer_inputs", False)),
                released_callback=released_callback(model.identifier)
                if options.get("input_released_callback", False)
                else "",
                operator_hook=operator_hook(model.identifier) if options.get("profile_hooks", False) else "",
                clean_ups_off=_checked_clean_ups(options.get("no_clean_up", ())),
                poison=options.get("poison", False),
                scheduled_for=scheduled_for(options),
                objective=schedule_objective(options),
                schedule_flash=schedule_flash(options),
                schedule_ram=schedule_ram(options),
                schedules=schedules(options),
                winograd=winograd(options),
                row_saving=0.0 if options.get("optimize") == "ram" else pipeline.Plan.row_saving,
                row_price=ram_price(options),
                weighs_scratch=weighs_scratch(options),
                rows=rows_for(model, options, has_externals=handed),
                row_segments=_checked_segments(options),
                recompute=recompute(options),
                stream_input=_checked_stream(model, options, shims),
                externals=externals,
                alignments=alignments,
                pool_alignment=interface.pool_alignment,
                device_hooks="tvm" if interface.style == "tvm" else "native",
                seconds=options.get("planner_seconds"),
            )
            wishes = replace(asked, double_buffer_inputs=plan.double_buffer_inputs, externals=handed)
            interface.check(wishes)
            check_shims(shims, interface, wishes)
            _check_inputs(model, plan)
            builtin = interface.builds_pools_in(asked)
            passed, words = interface.passes(asked), stated_options(_of_model(request, options))
            own = sources, external_sources
            made.append(Compilation(model, specs, plan, builtin, *own, interface, passed, shims, words, weights))
    if not made:
        raise UsageError("there is no model to compile")
    if options.get("quantised_io", False) and not quantised:
        raise UsageError(
            f"no input or output of model '{made[0].model.name}' is a real that is an integer inside: "
            "--io quantised has no effect",
            remedy="leave out --io quantised",
        )
    check_sources(options, any(one.plan.externals for one in made))
    for option in ("stream_input", "row_segments"):
        if len(made) > 1 and options.get(option):
            raise UsageError(f"{option_of(option)} goes with one model", remedy="compile the models one by one")
    check_effects(options, specs, [one.model for one in made])
    if len(made) > 1 and options.get("externals"):
        made = shared_out(made, tuple(options.get("externals", ())))
    return made[0] if len(made) == 1 else SystemCompilation.of(made, concurrency)


def _models(request: Request, options: Options) -> list[Model]:
    """The models of a request: several if its file has several entries and none is chosen."""
    if isinstance(request.model, Model):
        return [request.model]
    shapes = options.get("input_shapes", {}) if request.input_shapes is None else request.input_shapes
    return load_entries(
        request.model,
        name=request.name,
        signature=options.get("signature"),
        input_shapes=shapes,
        custom=options.get("custom"),
        input_layout=options.get("input_layout"),
    )


def _of_model(request: Request, options: Options) -> Options:
    """The options of one model: its own before those of all."""
    own = {key: getattr(request, key) for key in Options.__annotations__ if getattr(request, key, None) is not None}
    return cast("Options", {**options, **own})


def _asked(specs: Sequence[PoolSpec], options: Options) -> Asked:
    """Wishes that an interface must be able to express."""
    names = {kind: tuple(spec.name for spec in specs if spec.kind == kind) for kind in POOL_KINDS}
    return Asked(
        names["workspace"],
        names["constant"],
        names["state"],
        options.get("builtin_pools", False),
        options.get("double_buffer_inputs", False),
        options.get("input_released_callback", False),
        options.get("profile_hooks", False),
    )


def _c_files(what: str, paths: Sequence[str | os.PathLike[str]]) -> dict[str, bytes]:
    """The user's C files by name.

    Raises:
        InputError: one cannot be read.
        UsageError: two have one name, or one is no C file.
    """
    files: dict[str, bytes] = {}
    for path in map(Path, paths):
        if path.suffix not in (".c", ".h") or path.name in files:
            raise UsageError(f"{what} {path}: files must be .c or .h and have different names")
        if not is_well_formed(path.name):
            raise UsageError(f"the name of {what} {path} is not UTF-8", remedy="rename it")
        files[path.name] = read_bytes(path)
    return files


def _check_names(options: Mapping[str, object]) -> None:
    """Refuse options that do not exist: nothing that is asked for may be left undone in silence."""
    known = sorted(Options.__annotations__)
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UsageError(f"compile() has no option '{unknown[0]}'", remedy=one_of(unknown[0], known))


def _check(what: str, value: str, available: Sequence[str]) -> None:
    if value not in available:
        raise UsageError(f"{what} '{value}' is not available", remedy=one_of(value, available))


def _checked_io(model: Model, workspace_io: str) -> str:
    if workspace_io in ("all", "none", "inputs", "outputs"):
        return workspace_io
    known = {*model.inputs, *model.outputs}
    names = [name.strip() for name in workspace_io.split(",")]
    for name in names:
        if name not in known:
            listed = ", ".join(f"'{name}'" for name in [*model.inputs, *model.outputs])
            raise UsageError(
                f"workspace I/O: '{name}' is not an input or output of model '{model.name}'", remedy=f"it has {listed}"
            )
    return ",".join(names)


def _checked_segments(options: Options) -> tuple[str, ...]:
    """Segments of operators, `FIRST-LAST`.

    Raises:
        UsageError: one is no range, or networks are not to run row by row, or only where it is worth it.
    """
    segments = options.get("row_segments", ())
    if segments and options.get("rows") in ("off", "auto"):
        raise UsageError(f"--row-segment does not go with --rows {options.get('rows')}", remedy="leave out one of both")
    for segment in segments:
        try:
            parsed(segment)
        except ValueError as error:
            raise UsageError(str(error), remedy=REMEDY) from error
    return tuple(segments)


def _checked_stream(model: Model, options: Options, shims: Sequence[str]) -> str:
    """The input that comes row by row; none if it is empty.

    Raises:
        UsageError: there is no such input, or something else that is asked for does not go with it.
    """
    name = options.get("stream_input")
    if name is None:
        return ""
    _check("--io stream: input", name, tuple(model.inputs))
    clashes = {
        "--rows auto": options.get("rows") == "auto",
        f"--workspace-io {name}": name in (options.get("workspace_io") or "").split(","),
        "--interface": options.get("interface", "native") != "native",
        "--shim": bool(shims),
        "--poison": options.get("poison", False),
        "--io double-buffer": options.get("double_buffer_inputs", False),
        "--io keep": options.get("keep_inputs", False),
        "--io released-callback": options.get("input_released_callback", False),
    }
    for option, is_given in clashes.items():
        if is_given:
            raise UsageError(f"--io stream does not go with {option}", remedy="leave out one of both")
    return name


def _own(own: bool | None, common: bool) -> bool:
    return common if own is None else own


def _check_inputs(model: Model, plan: pipeline.Plan) -> None:
    """Refuse what only concerns inputs in the workspace where there are none."""
    inside = plan.io in ("all", "inputs") or set(plan.io.split(",")) & set(model.inputs)
    for option, field in pipeline.INPUT_OPTIONS.items():
        if getattr(plan, field) and not inside:
            raise UsageError(
                f"the inputs of model '{model.name}' belong to the caller: {option} has no effect",
                remedy=f"leave out {option}, or put inputs into the workspace with --workspace-io",
            )


def _checked_clean_ups(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        _check("clean-up", name, ("all", *CLEAN_UPS))
    return tuple(names)


def _checked_pins(pins: Sequence[str]) -> tuple[str, ...]:
    for pin in pins:
        pattern, equals, pool = pin.rpartition("=")
        if not equals or not pattern or not pool:
            raise UsageError(f"pin '{pin}' is not PATTERN=POOL", remedy="write for example 'conv_1*=dtcm'")
    return tuple(pins)
