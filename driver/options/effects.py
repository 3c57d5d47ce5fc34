"""Options of a compilation that would have no effect: what is asked for is done or refused, never ignored."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.nn import CustomOp
from ...dialects.nn.variable import VariableOp
from ...dialects.operations import all_of
from ...errors import UsageError
from ...frontends.mlir.import_mlir import is_of_tensors
from ..models.entry import entry_function
from ..models.model import Model
from .objectives import rows_of
from .options import Options
from .pool_spec import PoolSpec
from .search import check_search
from .stated import option_of


def check_effects(options: Options, pools: Sequence[PoolSpec], models: Sequence[Model]) -> None:
    """Refuse options that concern nothing in any of the models.

    Raises:
        UsageError: there is such an option.
    """
    concurrency = options.get("concurrency", "exclusive")
    if len(models) == 1 and concurrency != "exclusive":
        raise UsageError(f"concurrency '{concurrency}' has no effect on one model", remedy="give several models")
    check_search(options.get("algorithm"), options.get("planner_seconds"))
    _check_customs(options, models)
    state = next((pool for pool in pools if pool.kind == "state"), None)
    if state is not None and not any(_keeps_state(model) for model in models):
        raise UsageError(
            f"no model keeps anything between runs: state pool '{state.name}' has no effect",
            remedy=f"leave out pool '{state.name}'",
        )
    if options.get("no_clean_up", ()) and not any(map(_is_of_tensors, models)):
        raise UsageError(
            f"{models[0].source} is below the level that clean-ups simplify: --no-clean-up has no effect",
            remedy="leave out --no-clean-up",
        )
    if rows_of(options) != "off" and not any(map(_is_of_tensors, models)):
        given = next((name for name in ("stream_input", "row_segments", "rows") if options.get(name)), None)
        option = "--optimize ram" if given is None else option_of(given)
        raise UsageError(
            f"{models[0].source} is below the level of the operators that run row by row: {option} has no effect",
            remedy=f"leave out {option}, or run the pass split-rows by stillpool-opt where there are tasks",
        )


def _check_customs(options: Options, models: Sequence[Model]) -> None:
    used = {op.function.data for model in models for op in all_of(model.nn, CustomOp)}
    for code, function in options.get("custom", {}).items():
        if function not in used:
            raise UsageError(
                f"no model has custom operator '{code}': --custom {code}={function} has no effect",
                remedy="leave it out, or see what a model uses with stillpool ops MODEL",
            )
    if options.get("custom_sources", ()) and not used:
        raise UsageError(
            "no model has custom operators: --source has no effect",
            remedy="leave out --source, or name the operators with --custom",
        )


def _is_of_tensors(model: Model) -> bool:
    return is_of_tensors(entry_function(model.nn))


def _keeps_state(model: Model) -> bool:
    """Whether a model may need a state pool: of buffers that is only known once they are planned."""
    return not _is_of_tensors(model) or any(all_of(model.nn, VariableOp))
