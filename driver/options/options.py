"""Options of `compile`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

from ..models.model import Model
from ..pipeline import Overlap, Rows
from .pool_spec import PoolSpec

OBJECTIVES = ("balanced", "size", "speed", "ram")
"""Goals of code and memory."""

Weights = Literal["source", "incbin", "binary"]
WEIGHTS: tuple[str, ...] = get_args(Weights)
"""Forms of constants: C arrays; arrays that an assembler takes in from a file of bytes; constant pools whose
contents are files of bytes."""


@dataclass(frozen=True)
class Request:
    """A model with options of its own, for a compilation of several."""

    model: Model | str | os.PathLike[str]
    name: str | None = None
    """Its name when a path is given; None for the file's name."""
    workspace_io: str | None = None
    """Overrides `Options`, unless it is None."""
    input_shapes: Mapping[str, Sequence[int]] | None = None
    """Overrides `Options`, unless it is None."""
    keep_inputs: bool | None = None
    """Overrides `Options`, unless it is None."""
    double_buffer_inputs: bool | None = None
    """Overrides `Options`, unless it is None."""
    externals: Sequence[str] | None = None
    """Overrides `Options`; None for the entries there that match operators of the model."""


class Options(TypedDict, total=False):
    """Options of a compilation."""

    name: str | None
    """The model's name when a path is given; None for the file's name."""
    signature: str | None
    """The key of the signature to compile when a path is given; None for all that are entries of their own."""
    input_shapes: Mapping[str, Sequence[int]]
    """Shapes of inputs by name where they are not to be the file's."""
    input_layout: str | None
    """`nhwc` if images come with their channels last although the file, an ONNX one, has them first."""
    quantised_io: bool
    """Whether inputs and outputs are integers where the file has reals that it quantises at once."""
    custom: Mapping[str, str]
    """C functions that run custom operators, by custom code."""
    custom_sources: Sequence[str | os.PathLike[str]]
    """C files that define them, which become part of the project."""
    externals: Sequence[str]
    """`PATTERN=FUNCTION[:scratch=BYTES,align=N,pool=NAME+NAME,device=NAME,async]`: operators, by kind or output tensor,
    that a C function of the application computes; or names of patterns that packages bring."""
    external_sources: Sequence[str | os.PathLike[str]]
    """C files that define them, which become part of the project."""
    alignments: Sequence[str]
    """`PATTERN=N`: buffers that begin at multiples of N bytes and own the lines of N bytes in which they lie; constants
    that begin so."""
    pools: Sequence[PoolSpec | str]
    """Pools in order of preference, as `PoolSpec` or as text (`NAME[:kind=KIND,size=BYTES,...]`);
    without a workspace pool there is one called `workspace`, without a constant pool constants are const arrays."""
    pins: Sequence[str]
    """`PATTERN=POOL`: buffers, or constants if POOL is a constant pool, that lie in that pool only."""
    target: str
    """The processor, a name of `machines.cpus`; `host` is whatever C99 runs on."""
    optimize: str | None
    """`size`: plain loops on every processor. `speed`: schedules for the processor `target`. `balanced`: those of them
    that save most, for at most so much flash as the weights take, and rows as with `auto`. `ram`: all of them, if there
    are any, and rows where they take fewer bytes for at most `ram_price`. None: `balanced` for a processor without
    rows, else `size`."""
    ram_price: float | None
    """Percents of the instructions that rows may cost where they save workspace, by estimates; with `ram` they pay for
    less scratch memory, too. None: 15 with `ram`, else 1."""
    schedule_flash: int | None
    """Bytes of flash, code and constants, that schedules may take beyond plain loops, by estimates. None: with
    `balanced` as much as the constants take, else as much as it takes."""
    schedule_ram: int | None
    """Bytes of workspace that the scratch memory of schedules may take beyond plain loops, as far as can be foreseen
    before there is a plan. None: as much as it takes."""
    schedules: str | os.PathLike[str] | None
    """A file that `stillpool tune` wrote: what was measured comes before what is chosen by estimates."""
    winograd: bool
    """Whether convolutions with three taps side by side may run with constants that are transformed for fewer products,
    on processors with DSP instructions: 16 for 36 of 3x3, exactly, for about 16/9 of the flash of their constants."""
    interface: str
    """The style of the C interface."""
    shims: Sequence[str]
    """Further faces of the model beside it: `table`, `cpp`, `packed`."""
    workspace_io: str | None
    """Which inputs and outputs lie in the workspace: `all`, `none`, `inputs`, `outputs`, or names with commas; None for
    the interface's default."""
    keep_inputs: bool
    """Whether a run leaves the inputs in the workspace as they are."""
    double_buffer_inputs: bool
    """Whether inputs in the workspace have two slots: one to run on, one to fill meanwhile."""
    input_released_callback: bool
    """Whether a run calls `<m>_input_released`, which the application defines, when an input may be refilled."""
    profile_hooks: bool
    """Whether a run calls `<m>_operator_done`, which the application defines, after each operator."""
    algorithm: str | None
    """The planner's algorithm; None for its default."""
    planner_seconds: float | None
    """Limit of the planner's search in each pool, in deterministic steps; None for its default."""
    overlap: Overlap
    """How an operator's output may overlap an input that dies there: `off`, `inplace` or `full`."""
    views: bool
    """Whether concatenations, slices and splits may become views of other tensors' bytes instead of copies."""
    rows: Rows | None
    """`on`: tensors become rows, and operators run row by row, where the plan takes fewer bytes; `auto`: if that saves
    a tenth of the workspace and costs at most `ram_price`; `off` is the default."""
    recompute: float | None
    """Percents of the multiply-accumulates that rows may make again where that takes fewer bytes, with `rows` or
    `ram`. None: none."""
    row_segments: Sequence[str]
    """Operators that run row by row together, `FIRST-LAST` by index; all others run as a whole. Implies `rows`."""
    stream_input: str | None
    """An input that the application hands over row by row; implies `rows`."""
    no_clean_up: Sequence[str]
    """Steps of the pass `nn-clean-up` to leave out, or `all`; every one of them is bit-exact."""
    poison: bool
    """Fill dead bytes of the pools at run time and guard the ends of pools, to find mistakes."""
    weights: Weights
    """Form of constants. `source`: C text. `incbin`: bytes in `<m>_data.bin`, which assembly takes in.
    `binary`: bytes in a file for each constant pool, whose address the application gives; without a constant pool there
    is one called `constants`."""
    builtin_pools: bool
    """Make the pools static arrays of the artefact."""
    concurrency: str
    """How several models use the pools: `exclusive` (one runs at a time), `concurrent` (any time), or `pipeline` (in
    order, the outputs of one in place as the inputs of the next)."""
