"""Options that several verbs share: the model and how to plan its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from ..errors import UsageError
from .effects import refuse_given
from .gathered import Gathered

if TYPE_CHECKING:
    from ..driver.compile.compilation import Compilation
    from ..driver.options.options import Options
    from ..driver.options.pool_spec import PoolSpec

Command = TypeVar("Command", bound=Callable[..., Any])

MODEL = click.Path(path_type=Path)
"""A model file; whether it can be read is said by the importer, with exit code 1."""


OVERLAPS = ("off", "inplace", "full")
ROWS = ("off", "auto", "on")
WEIGHTS = ("source", "incbin", "binary")


def plan_options(command: Command) -> Command:
    """Add the options that decide names and memory; the command passes them on to `prepared`."""
    decorated: Any = command
    for option in (
        click.option(
            "--pool",
            multiple=True,
            metavar="NAME[:kind=KIND,size=BYTES,align=N,section=S,...]",
            help="A memory, in order of preference (repeatable), or a .toml file with [[pool]] tables. KIND is "
            "workspace (default), constant, or state, which the model keeps between runs. Also: --workspace-pool, "
            "--constant-pool, --state-pool, --pool-file.",
        ),
        click.option(
            "--source",
            multiple=True,
            type=click.Path(path_type=Path),
            metavar="FILE.c",
            help="Add a C file with functions of --external or --custom to the project (repeatable). Also: "
            "--external-source, --custom-source.",
        ),
        click.option(
            "--io",
            cls=Gathered,
            keys={
                "keep": "--keep-inputs",
                "double-buffer": "--double-buffer-inputs",
                "released-callback": "--input-released-callback",
                "stream": "--stream-input",
                "quantised": "--quantised-io",
                "layout": "--input-layout",
            },
            help="How the application hands over inputs.",
        ),
        click.option(
            "--planner",
            cls=Gathered,
            keys={
                "algorithm": "--usmp-algorithm",
                "seconds": "--planner-seconds",
                "overlap": "--overlap",
                "no-views": "--no-views",
            },
            help="How memory is planned.",
        ),
        click.option(
            "--spend",
            cls=Gathered,
            keys={
                "flash": "--schedule-flash",
                "ram": "--schedule-ram",
                "instructions": "--ram-price",
                "macs": "--recompute",
            },
            help="Limits of what schedules and rows may cost.",
        ),
        click.option(
            "--workspace-io",
            metavar="none|all|inputs|outputs|TENSOR,...",
            help="Inputs and outputs that lie in the workspace. Default: all; none with --interface tvm.",
        ),
        click.option(
            "--overlap",
            type=click.Choice(OVERLAPS),
            default="full",
            help="How an output may overlap an input that dies there: never, exactly in place, or at a distance too.",
            hidden=True,
        ),
        click.option(
            "--rows",
            type=click.Choice(ROWS),
            help="Run operators row by row. on: where the plan takes fewer bytes. auto: where that saves a tenth of "
            "the workspace for at most --spend instructions. Default: off; auto with --optimize balanced; with "
            "--optimize ram auto for any byte.",
        ),
        click.option(
            "--views/--no-views",
            default=True,
            help="With no-views, concatenations, slices and splits are copies, never views of other tensors.",
            hidden=True,
        ),
        click.option(
            "--poison",
            is_flag=True,
            help="Find mistakes at run time: overwrite dead bytes of the pools, and watch their ends.",
        ),
        click.option(
            "--keep-inputs",
            is_flag=True,
            help="Keep inputs in the workspace as they are, so that they can be run again.",
            hidden=True,
        ),
        click.option(
            "--double-buffer-inputs",
            is_flag=True,
            help="Give inputs in the workspace two slots: run on one while the other is filled.",
            hidden=True,
        ),
        click.option(
            "--input-released-callback",
            is_flag=True,
            help="Call a function of the application as soon as an input may be refilled during a run.",
            hidden=True,
        ),
        click.option(
            "--no-clean-up",
            multiple=True,
            metavar="STEP",
            help="Leave out a step of the pass nn-clean-up, or all (repeatable). Every step is bit-exact.",
        ),
        click.option("--usmp-algorithm", metavar="NAME", help="The planner's algorithm. Default: exact.", hidden=True),
        click.option(
            "--planner-seconds",
            type=click.FloatRange(min=0),
            metavar="S",
            help="Search of the planner in each pool, counted in steps: equal input has an equal plan.",
            hidden=True,
        ),
        click.option("--board", metavar="NAME", help="Use the memories of a board as pools: a preset or a .toml file."),
        click.option(
            "--pool-file",
            multiple=True,
            type=click.Path(path_type=Path),
            help="TOML file with pools, as [[pool]] tables (repeatable).",
            hidden=True,
        ),
        click.option(
            "--state-pool",
            multiple=True,
            metavar="NAME[:...]",
            help="A pool for state, which the model keeps between runs (repeatable). Default: one called state.",
            hidden=True,
        ),
        click.option(
            "--constant-pool",
            multiple=True,
            metavar="NAME[:...]",
            help="A pool for constants (repeatable).",
            hidden=True,
        ),
        click.option(
            "--weights",
            type=click.Choice(WEIGHTS),
            default="source",
            help="Form of constants. source: C text. incbin: one file of bytes that assembly takes in. binary: a file "
            "of bytes for each constant pool, whose address the application gives.",
        ),
        click.option(
            "--workspace-pool",
            multiple=True,
            metavar="NAME[:size=BYTES,align=N,section=S,...]",
            help="A pool for buffers, in order of preference (repeatable).",
            hidden=True,
        ),
        click.option(
            "--input-shape",
            multiple=True,
            metavar="NAME=1,96,96,3",
            help="Shape of an input that the file leaves open (repeatable). Default: the file's.",
        ),
        click.option(
            "--input-layout",
            type=click.Choice(["nhwc"]),
            help="Take images with their channels last, although an ONNX file has them first.",
            hidden=True,
        ),
        click.option(
            "--quantised-io",
            is_flag=True,
            help="Take integers for inputs and outputs that the file has as floats and quantises at once.",
            hidden=True,
        ),
        click.option(
            "--custom",
            multiple=True,
            metavar="NAME=C_FUNCTION",
            help="Call a C function of the application for a custom operator (repeatable).",
        ),
        click.option(
            "--custom-source",
            multiple=True,
            type=click.Path(path_type=Path),
            help="Add a C file with functions of --custom to the project (repeatable).",
            hidden=True,
        ),
        click.option(
            "--external",
            multiple=True,
            metavar="PATTERN=C_FUNCTION[:scratch=BYTES,align=N,pool=A+B,device=NAME,async]",
            help="Call a C function of the application for operators, by kind (conv_2d) or output tensor (repeatable). "
            "Without =: the name of a package's patterns.",
        ),
        click.option(
            "--external-source",
            multiple=True,
            type=click.Path(path_type=Path),
            help="Add a C file with functions of --external to the project (repeatable).",
            hidden=True,
        ),
        click.option(
            "--align",
            multiple=True,
            metavar="PATTERN=N",
            help="Give buffers cache lines of N bytes of their own (repeatable).",
        ),
        click.option("--signature", metavar="KEY", help="Compile one entry of a file that has several. Default: all."),
        click.option(
            "--interface",
            default="native",
            metavar="native|tvm|ai|x-cube-ai",
            help="Style of the C interface: stillpool's own (default), Apache TVM's, its STM32 runtime's, or ST's own.",
        ),
        click.option(
            "--shim",
            "shims",
            multiple=True,
            metavar="table|cpp|packed",
            help="A second interface (repeatable). table: stillpool_model, run by handle. cpp: a C++ interpreter in "
            "the style of TFLite Micro. packed: a function for a registry.",
        ),
        click.option(
            "--target",
            default="host",
            metavar="CPU",
            help="Processor: host (default), cortex-m4, ... The header then states the worst case of the stack.",
        ),
        click.option(
            "--optimize",
            metavar="balanced|size|speed|ram",
            help="What is made small. balanced (default with a --target): instructions, for at most as much more flash "
            "as the weights take. speed: instructions. size: code (default without a --target). ram: workspace, by "
            "rows of tensors, for at most --spend instructions.",
        ),
        click.option(
            "--ram-price",
            type=click.FloatRange(min=0),
            metavar="PERCENT",
            help="Limit of the instructions that rows cost, estimated. Default: 15 with --optimize ram, else 1.",
            hidden=True,
        ),
        click.option(
            "--recompute",
            type=click.FloatRange(min=0),
            metavar="PERCENT",
            help="Multiply-accumulates that rows may make again, where that takes less RAM. Default: 0.",
            hidden=True,
        ),
        click.option(
            "--schedule-flash",
            type=click.IntRange(min=0),
            metavar="BYTES",
            help="Limit of the flash that schedules take beyond plain loops, estimated. Default: as much as the "
            "weights with balanced, else none.",
            hidden=True,
        ),
        click.option(
            "--schedule-ram",
            type=click.IntRange(min=0),
            metavar="BYTES",
            help="Limit of the workspace that scratch memory of schedules takes beyond plain loops. Default: none.",
            hidden=True,
        ),
        click.option(
            "--schedules",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Schedules that stillpool tune measured. They come before those chosen by estimates.",
        ),
        click.option(
            "--winograd",
            is_flag=True,
            help="Use Winograd's convolutions, exactly: 16 products for 36 (3x3), for more flash. Only where estimates "
            "say that it is faster and --spend flash leaves room.",
        ),
        click.option(
            "--row-segment",
            "row_segments",
            multiple=True,
            metavar="FIRST-LAST",
            help="Run these operators, by index, row by row together, and all others whole (repeatable). Implies "
            "--rows on.",
        ),
        click.option(
            "--stream-input",
            metavar="NAME",
            help="Let the application hand over this input row by row, with <model>_push_rows. Implies --rows on.",
            hidden=True,
        ),
        click.option(
            "--pin",
            multiple=True,
            metavar="PATTERN=POOL",
            help="Keep buffers in one pool, or constants in a constant pool (repeatable).",
        ),
        click.option(
            "--name",
            multiple=True,
            metavar="NAME",
            help="Name of the model in C, once per model. Default: the file's name.",
        ),
    ):
        decorated = option(decorated)
    return decorated


def prepared(path: Path, **options: Any) -> Compilation:
    """Request for one model, from the options of `plan_options`."""
    from ..driver.compile.prepare import prepare

    return prepare(path, **requested(1, **options))


def requested(
    models: int,
    *,
    has_externals: bool = False,
    name: tuple[str, ...],
    pool: tuple[str, ...],
    workspace_pool: tuple[str, ...],
    constant_pool: tuple[str, ...],
    state_pool: tuple[str, ...],
    pool_file: tuple[Path, ...],
    board: str | None,
    usmp_algorithm: str | None,
    pin: tuple[str, ...],
    input_shape: tuple[str, ...],
    source: tuple[Path, ...],
    custom: tuple[str, ...],
    custom_source: tuple[Path, ...],
    external: tuple[str, ...],
    external_source: tuple[Path, ...],
    align: tuple[str, ...],
    **options: Any,
) -> Options:
    """The options of `plan_options` as `compile` of the Python API takes them.

    `has_externals` says whether some of the models ask for external functions on their own.

    Raises:
        UsageError: there are more names than models, a malformed pool, or a source that nothing asks for.
    """
    from ..driver.options.pool_files import board_pools, read_pools
    from ..driver.options.pool_spec import parse_pool

    if len(name) > models:
        raise UsageError(f"{len(name)} names for {models} models", remedy="give --name once per model")
    pools = [one for text in pool for one in (read_pools(Path(text)) if is_file_of_pools(text) else [parse_pool(text)])]
    pools += [parse_pool(text, "workspace") for text in workspace_pool]
    pools += [parse_pool(text, "constant") for text in constant_pool]
    pools += [parse_pool(text, "state") for text in state_pool]
    pools += [pool for file in pool_file for pool in read_pools(file)]
    pools += of_board(board_pools(board), board, pools) if board is not None else []
    of_externals = external or has_externals
    if not of_externals and not custom:
        refuse_given(
            ("source",),
            "no C function is asked for",
            "leave it out, or say with --external or --custom which operators its functions compute",
        )
    if of_externals:
        external_source += source
    else:
        custom_source += source
    options["custom"] = dict(_custom(text) for text in custom)
    options["custom_sources"] = custom_source
    options |= {"externals": external, "external_sources": external_source, "alignments": align}
    options["input_shapes"] = input_shapes(input_shape)
    made: Options = {"name": name[0] if name else None, "pools": pools, "pins": pin, "algorithm": usmp_algorithm}
    return cast("Options", {**made, **options})


def is_file_of_pools(pool: str) -> bool:
    """Whether a pool is a file of pools; the name of a pool has no dot, and a section may."""
    return ":" not in pool and pool.endswith(".toml")


def input_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Shapes of inputs by name, from `NAME=1,96,96,3`.

    Raises:
        UsageError: one is malformed.
    """
    return dict(_shape(text) for text in texts)


def of_board(memories: Sequence[PoolSpec], board: str, given: Sequence[PoolSpec]) -> Sequence[PoolSpec]:
    """The memories of a board as pools.

    Raises:
        UsageError: other pools of their kind are given, which would come before them and take everything.
    """
    for kind in ("workspace", "constant"):
        named = [pool.name for pool in given if pool.kind == kind]
        if named and any(memory.kind == kind for memory in memories):
            raise UsageError(
                f"--board {board} and {kind} pool '{named[0]}' both say which {kind} pools there are",
                remedy="leave one out, or write a board file with both",
            )
    return memories


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    """`NAME=1,96,96,3` as name and extents."""
    name, _, extents = text.rpartition("=")
    try:
        shape = tuple(int(extent) for extent in extents.split(","))
    except ValueError:
        shape = ()
    if not name or not shape or min(shape) < 1:
        raise UsageError(f"input shape '{text}' is not NAME=EXTENT,...", remedy="write for example image=1,96,96,3")
    return name, shape


def _custom(text: str) -> tuple[str, str]:
    """`NAME=C_FUNCTION` as both."""
    name, equals, function = text.rpartition("=")
    if not name or not equals or not function:
        raise UsageError(f"custom operator '{text}' is not NAME=C_FUNCTION", remedy="write for example Sinh=my_sinh")
    return name, function
