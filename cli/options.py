"""Options that several verbs share: the model and how to plan its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from ..errors import UsageError

if TYPE_CHECKING:
    from ..driver.compilation import Compilation
    from ..driver.options import Options
    from ..driver.pool_spec import PoolSpec

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
            "--workspace-io",
            metavar="none|all|inputs|outputs|TENSOR,...",
            help="Inputs and outputs that lie in the workspace. Default: all; none with --interface tvm.",
        ),
        click.option(
            "--overlap",
            type=click.Choice(OVERLAPS),
            default="full",
            help="How an output may overlap an input that dies there: never, exactly in place, or at a distance too.",
        ),
        click.option(
            "--rows",
            type=click.Choice(ROWS),
            help="Divide tensors into rows and run operators row by row, where the plan takes fewer bytes; auto: if "
            "that saves a tenth of the workspace for at most --ram-price. Default: off; auto with --optimize balanced; "
            "with --optimize ram auto for any byte.",
        ),
        click.option(
            "--views/--no-views",
            default=True,
            help="Concatenations, slices and splits may become views of other tensors' bytes instead of copies.",
        ),
        click.option(
            "--poison",
            is_flag=True,
            help="To find mistakes: overwrite dead bytes of the pools at run time, and watch the ends of pools.",
        ),
        click.option(
            "--keep-inputs",
            is_flag=True,
            help="A run leaves inputs in the workspace as they are; they can be run again.",
        ),
        click.option(
            "--double-buffer-inputs",
            is_flag=True,
            help="Inputs in the workspace have two slots: run on one of them while the other is filled.",
        ),
        click.option(
            "--input-released-callback",
            is_flag=True,
            help="Call a function of the application as soon as an input may be refilled during a run.",
        ),
        click.option(
            "--no-clean-up",
            multiple=True,
            metavar="STEP",
            help="A step of the pass nn-clean-up to leave out, or all (repeatable); every step is bit-exact.",
        ),
        click.option("--usmp-algorithm", metavar="NAME", help="The planner's algorithm. Default: exact."),
        click.option(
            "--planner-seconds",
            type=click.FloatRange(min=0),
            metavar="S",
            help="What the planner may search in each pool, as a count of steps: equal input has an equal plan.",
        ),
        click.option("--board", metavar="NAME", help="Use the memories of a board as pools: a preset or a .toml file."),
        click.option(
            "--pool-file",
            multiple=True,
            type=click.Path(path_type=Path),
            help="TOML file with pools, as [[pool]] tables (repeatable).",
        ),
        click.option(
            "--state-pool",
            multiple=True,
            metavar="NAME[:...]",
            help="A pool for what the model keeps between runs (repeatable). Default: one called state, if it does.",
        ),
        click.option("--constant-pool", multiple=True, metavar="NAME[:...]", help="A pool for constants (repeatable)."),
        click.option(
            "--weights",
            type=click.Choice(WEIGHTS),
            default="source",
            help="What constants are written as: C text; one file of bytes that assembly takes in (incbin); or a file "
            "of bytes for each constant pool, whose address the application gives (binary).",
        ),
        click.option(
            "--workspace-pool",
            multiple=True,
            metavar="NAME[:size=BYTES,align=N,section=S,...]",
            help="A pool for buffers, in order of preference (repeatable).",
        ),
        click.option(
            "--input-shape",
            multiple=True,
            metavar="NAME=1,96,96,3",
            help="Shape of an input, for models of dynamic shapes (repeatable). Default: the file's.",
        ),
        click.option(
            "--input-layout",
            type=click.Choice(["nhwc"]),
            help="Images come with their channels last although the file, an ONNX one, has them first.",
        ),
        click.option(
            "--quantised-io",
            is_flag=True,
            help="Inputs and outputs are integers where the file has reals that it quantises at once.",
        ),
        click.option(
            "--custom",
            multiple=True,
            metavar="NAME=C_FUNCTION",
            help="C function of the application that runs a custom operator (repeatable).",
        ),
        click.option(
            "--custom-source",
            multiple=True,
            type=click.Path(path_type=Path),
            help="C file with such functions, which becomes part of the project (repeatable).",
        ),
        click.option(
            "--external",
            multiple=True,
            metavar="PATTERN=C_FUNCTION[:scratch=BYTES,align=N,pool=A+B,device=NAME,async]",
            help="Operators, by kind (conv_2d) or output tensor, that a C function of the application computes; or the "
            "name of a package's patterns (repeatable).",
        ),
        click.option(
            "--external-source",
            multiple=True,
            type=click.Path(path_type=Path),
            help="C file with such functions, which becomes part of the project (repeatable).",
        ),
        click.option(
            "--align",
            multiple=True,
            metavar="PATTERN=N",
            help="Buffers that begin at multiples of N bytes and share no line of N bytes with others (repeatable).",
        ),
        click.option(
            "--signature", metavar="KEY", help="The entry to compile of a file with several. Default: all of them."
        ),
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
            help="A further face of the model (repeatable): stillpool_model to run by handle, a C++ interpreter in the "
            "style of TFLite Micro, a function for a registry.",
        ),
        click.option(
            "--target",
            default="host",
            metavar="CPU",
            help="Processor: host (default) or cortex-m4, ... For one, the header states the worst case of the stack.",
        ),
        click.option(
            "--optimize",
            metavar="balanced|size|speed|ram",
            help="What is made small: balanced (default with a --target): instructions, for at most so much more flash "
            "as the weights take; speed: instructions; size: code (default without a --target, plain loops there); "
            "ram: workspace, by fast code on rows of tensors, for at most --ram-price.",
        ),
        click.option(
            "--ram-price",
            type=click.FloatRange(min=0),
            metavar="PERCENT",
            help="Instructions that rows may cost where they save workspace, estimated. Default: 15 with --optimize "
            "ram, else 1.",
        ),
        click.option(
            "--schedule-flash",
            type=click.IntRange(min=0),
            metavar="BYTES",
            help="Flash that schedules may take beyond plain loops, estimated; what saves most for a byte is taken "
            "first. Default: with balanced as much as the weights take, else no limit.",
        ),
        click.option(
            "--schedule-ram",
            type=click.IntRange(min=0),
            metavar="BYTES",
            help="Workspace that scratch memory of schedules may take beyond plain loops, as far as can be foreseen; "
            "what does not fit at an operator is not chosen for it. Default: no limit.",
        ),
        click.option(
            "--schedules",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Schedules that stillpool tune measured, which come before those that are chosen by estimates.",
        ),
        click.option(
            "--winograd",
            is_flag=True,
            help="Convolutions with three taps side by side may take 16 products for 36 (3x3) or 4 for 6, exactly, for "
            "more flash: Winograd's, where estimates say that it is faster and --schedule-flash leaves room.",
        ),
        click.option(
            "--row-segment",
            "row_segments",
            multiple=True,
            metavar="FIRST-LAST",
            help="Operators that run row by row together, by index, instead of what stillpool chooses; all others run "
            "as a whole (repeatable). Implies --rows on.",
        ),
        click.option(
            "--stream-input",
            metavar="NAME",
            help="Input that the application may hand over row by row, with <model>_push_rows. Implies --rows on.",
        ),
        click.option(
            "--pin",
            multiple=True,
            metavar="PATTERN=POOL",
            help="Buffers, or constants if it is a constant pool, that lie in one pool only (repeatable).",
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
    """What to compile and how, for one model, from the options of `plan_options`."""
    from ..driver.compile import prepare

    return prepare(path, **requested(1, **options))


def requested(
    models: int,
    *,
    name: tuple[str, ...],
    workspace_pool: tuple[str, ...],
    constant_pool: tuple[str, ...],
    state_pool: tuple[str, ...],
    pool_file: tuple[Path, ...],
    board: str | None,
    usmp_algorithm: str | None,
    pin: tuple[str, ...],
    input_shape: tuple[str, ...],
    custom: tuple[str, ...],
    custom_source: tuple[Path, ...],
    external: tuple[str, ...],
    external_source: tuple[Path, ...],
    align: tuple[str, ...],
    **options: Any,
) -> Options:
    """The options of `plan_options` as `compile` of the Python API takes them.

    Raises:
        UsageError: there are more names than models, or a malformed pool.
    """
    from ..driver.pool_files import board_pools, read_pools
    from ..driver.pool_spec import parse_pool

    if len(name) > models:
        raise UsageError(f"{len(name)} names for {models} models", remedy="give --name once per model")
    pools = [parse_pool(text) for text in workspace_pool] + [parse_pool(text, "constant") for text in constant_pool]
    pools += [parse_pool(text, "state") for text in state_pool]
    pools += [pool for file in pool_file for pool in read_pools(file)]
    pools += of_board(board_pools(board), board, pools) if board is not None else []
    options["custom"] = dict(_custom(text) for text in custom)
    options["custom_sources"] = custom_source
    options |= {"externals": external, "external_sources": external_source, "alignments": align}
    options["input_shapes"] = input_shapes(input_shape)
    made: Options = {"name": name[0] if name else None, "pools": pools, "pins": pin, "algorithm": usmp_algorithm}
    return cast("Options", {**made, **options})


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
