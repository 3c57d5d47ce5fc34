"""A compiled model in plain data: what headers, wrappers, projects and reports are written from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ..external_header import Externals
from ..weights.blob import Blob
from .origin import Origin

C_TYPES = {
    "bool": "bool",
    "int8": "int8_t",
    "uint8": "uint8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "float32": "float",
    "float64": "double",
}
"""Element types by their NumPy name, as C spells them."""

ELEMENT_BYTES = {
    "bool": 1,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float32": 4,
    "float64": 8,
}
"""Bytes of one element by NumPy name."""

Side = Literal["input", "output"]


class Elements:
    """Base of what consists of elements."""

    dtype: str
    """NumPy name of the element type."""
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        """Elements."""
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """Bytes, without padding."""
        return self.count * ELEMENT_BYTES[self.dtype]

    @property
    def c_type(self) -> str:
        """The element type in C."""
        return C_TYPES[self.dtype]


@dataclass(frozen=True)
class Tensor(Elements):
    """An input or output of the model."""

    name: str
    """Name in the model file."""
    identifier: str
    """Name in C, unique among the tensors of its side."""
    dtype: str
    """NumPy name of the element type."""
    shape: tuple[int, ...]
    scale: tuple[float, ...] = ()
    """real = scale * (value - zero_point); empty when the tensor is not quantised."""
    zero_point: tuple[int, ...] = ()
    limits: tuple[int, ...] = ()
    """Least and largest value that makes sense in an input of indices or divisors; empty for all others."""
    pool: str | None = None
    """Name of the pool that holds the tensor; None when the caller owns it."""
    offset: int | None = None
    """Bytes from the start of the pool."""
    slots: tuple[tuple[str, int], ...] = ()
    """Pool and offset of both slots of a double-buffered input; the first is `pool` and `offset` too."""
    streamed_rows: int = 0
    """The rows of an input that the application may hand over one by one; 0 for all others."""
    is_kept: bool = False
    """Whether a run leaves the input as it is, for any other reason than that the caller owns it."""
    released_after: int | None = None
    """Position of the last operator that needs the input's bytes, -1 if none does; None where they are in use until the
    outputs have been read."""


@dataclass(frozen=True)
class State(Elements):
    """A tensor that keeps its values from one run to the next."""

    name: str
    dtype: str
    """NumPy name of the element type, as it is stored."""
    shape: tuple[int, ...]
    pool: str
    offset: int
    initial: tuple[str, ...]
    """Values after a reset, as C literals in row-major order; one where all elements are equal."""


@dataclass(frozen=True)
class Pool:
    """A memory pool and its plan."""

    name: str
    identifier: str
    kind: Literal["workspace", "constant"]
    bytes: int
    alignment: int
    size_limit: int | None = None
    lower_bound_bytes: int | None = None
    algorithm: str | None = None
    proven_optimal: bool = False
    section: str | None = None
    persistent: bool = False
    """Whether its bytes must stay from one run to the next: it is for state."""


@dataclass(frozen=True)
class Buffer:
    """A buffer at its place: an activation, scratch, input, output, state or constant."""

    name: str
    kind: str
    pool: str
    offset: int
    bytes: int
    first_use: int
    """Position in the program where the buffer comes to life."""
    last_use: int
    """Last position that needs it."""
    slot: int | None = None
    """Which of the two slots of a double-buffered input it is."""
    is_kept: bool = False
    """Whether it is an input that a run leaves as it is."""
    row: int | None = None
    """Which row of a tensor it is; None for whole ones."""
    parts: tuple[tuple[int, int, int, int], ...] = ()
    """Parts of an input that dies part by part, or an output that is born so, from below: where each begins in it, its
    bytes, the first and the last position that need it."""

    @property
    def tensor(self) -> str:
        """The name of the tensor that the buffer is, or is a row of."""
        return self.name if self.row is None else self.name.removesuffix(f"[{self.row}]")


@dataclass(frozen=True)
class Operator:
    """One operator call in execution order.

    Operators have two numbers, which differ once the compiler has removed, added or fused some. All reports, headers
    and documents call them by these names.
    """

    position: int
    """Place in the run, from 0 on: `operators[position]` of a description or manifest. Lives of buffers and releases
    of inputs are counted so."""
    index: int
    """Number in the model file, from 0 on, as viewers of such files show it; -1 for calls that the compiler added."""
    op: str
    name: str
    """The operator's output tensor in the model file."""
    macs: int
    function: str
    """The function that computes it, as the C calls it."""
    row: int | None = None
    """Which row it makes, where it runs row by row."""
    remark: str = ""
    """How it is scheduled, and what other ways would change; empty where there was nothing to choose."""
    device: str = ""
    """The device that computes it; empty for the processor."""
    weights: int = 0
    """Bytes of the model's constants that it reads, without what the compiler added; shared ones count for each."""

    @property
    def label(self) -> str:
        """Both numbers by their names, for prose."""
        row = "" if self.row is None else f", row {self.row}"
        return f"position {self.position} ({self.op}, {'added' if self.index < 0 else f'index {self.index}'}{row})"

    @property
    def short_label(self) -> str:
        """The position and the kind, where something beside it says that numbers are positions."""
        return f"{self.position} {self.op}"


@dataclass(frozen=True)
class LostChannels:
    """An operator of the model, with fewer channels or as it was."""

    index: int
    op: str
    name: str
    """The name, as in `Operator`."""
    channels: int
    """Channels of its results."""
    channels_without: int
    """Channels of its results in the model file."""
    macs: int
    macs_without: int
    weights: int
    """Bytes of its weights."""
    weights_without: int
    constant: tuple[int, ...]
    """Channels of its results that went, by their numbers in the model file, since they have one value."""
    unused: tuple[int, ...]
    """Since nobody reads them."""
    twin: tuple[int, ...]
    """Since another channel holds the same."""

    @property
    def is_smaller(self) -> bool:
        """Whether it has fewer channels or multiplies less than in the model file."""
        return self.macs < self.macs_without or self.channels < self.channels_without


@dataclass(frozen=True)
class Constants:
    """Constants without padding, in bytes; equal contents are there once, and count as the first that needed them."""

    weights: int = 0
    """Constants of the model file."""
    tables: int = 0
    """Bytes that the compiler added: multipliers, shifts, values of functions."""

    @property
    def payload(self) -> int:
        """All of them. With alignment they take more: see the sizes of what is linked."""
        return self.weights + self.tables

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.payload:,} bytes (weights {self.weights:,}, tables {self.tables:,})"


@dataclass(frozen=True)
class Argument:
    """One parameter of the C function that runs the network."""

    kind: Literal["input", "output", "pool", "slot", "stage", "run"]
    index: int
    """Position in `inputs`, `outputs` or `pools` of the description; for a slot in `inputs`. A stage is the number of
    the row that the streamed input is, a run what its external functions share."""


@dataclass(frozen=True)
class Stack:
    """Bytes of stack that a run takes, as compiled for one processor."""

    worst_case_bytes: int | None
    """No run takes more, what it calls included; None where the code does not tell."""
    target: str
    """The processor."""
    compiler: str
    """The compiler's name and version, and its `-O` level; empty where it could not build a program."""
    code_bytes: int | None = None
    """Machine code of the model in the program that it built, with what it needs of libraries."""


@dataclass(frozen=True)
class Estimates:
    """Estimated cost of a run on a processor, before any C compiler has seen the code."""

    target: str
    """The processor."""
    instructions: int
    """Instructions of one run."""
    code_bytes: int
    """Machine code of the operators."""
    saved_instructions: int | None = None
    """Instructions that schedules save beside plain loops; None where plain loops were not weighed."""
    schedule_bytes: int | None = None
    """Flash that schedules take more than plain loops."""


@dataclass(frozen=True)
class RowChoice:
    """Decision of `--rows auto` or `on`: bytes of all workspace pools, None where limits cannot be met."""

    is_taken: bool
    """Whether the network runs row by row."""
    whole_bytes: int | None
    """Bytes as the network runs."""
    row_bytes: int | None
    """Row by row."""
    whole_instructions: int | None = None
    """Instructions of a run as it is, estimated; None where no processor is named."""
    row_instructions: int | None = None
    """Instructions of a run row by row."""
    macs_again: int = 0
    """Multiply-accumulates row by row that are made a second time, for fewer bytes."""
    refusal: str = ""
    """Bytes that are given up where rows are not taken, and the option that takes them, in words."""


@dataclass(frozen=True)
class Description:
    """A compiled model."""

    name: str
    """The user's name for it."""
    identifier: str
    """`<m>` of the interface."""
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    pools: tuple[Pool, ...]
    buffers: tuple[Buffer, ...]
    operators: tuple[Operator, ...]
    arguments: tuple[Argument, ...]
    constants: Constants
    """Constants that are `const` arrays, not those in constant pools."""
    states: tuple[State, ...] = ()
    calls_back: bool = False
    """Whether the C function that runs the network calls the application when an input is released."""
    tells_operators: bool = False
    """Whether it calls the application after each operator."""
    counts_damage: bool = False
    """Whether the C function that runs the network returns how many guard bytes at the ends of pools changed."""
    stack: Stack | None = None
    """Where the model was compiled for a processor to find out."""
    estimates: Estimates | None = None
    """Where the model is scheduled for an embedded processor."""
    removed: tuple[tuple[str, int], ...] = ()
    """Kinds of operators of the model file that are no calls, with how many: folded, fused, or views of bytes."""
    revision: str = ""
    """Changes with the model file."""
    origin: Origin | None = None
    """Model file and options, where they are known."""
    pooled: Constants = Constants()
    """The constants in constant pools."""
    call_sites: tuple[tuple[int, ...], ...] = ()
    """For each call of an operator in the text of the C function that runs the network the positions at which it runs:
    several where it stands in a loop over rows."""
    rows: RowChoice | None = None
    """Where it was left to the compiler whether the network runs row by row."""

    lost: tuple[LostChannels, ...] = ()
    """The products of the model, and what else lost channels; empty where nothing did."""
    externals: Externals | None = None
    """The functions of the application that compute operators."""
    blobs: tuple[Blob, ...] = ()
    """The files of bytes that hold constants, where these are no C text."""

    def blob_of(self, pool: Pool) -> Blob | None:
        """The file with the contents of a constant pool; None where the header has them, or there are none."""
        return next((blob for blob in self.blobs if blob.pool == pool.name), None)

    @property
    def streamed(self) -> Tensor | None:
        """The input that the application may hand over row by row."""
        return next((tensor for tensor in self.inputs if tensor.streamed_rows), None)

    @property
    def workspace_pools(self) -> tuple[Pool, ...]:
        """The pools that are written at run time."""
        return tuple(pool for pool in self.pools if pool.kind == "workspace")

    @property
    def constant_pools(self) -> tuple[Pool, ...]:
        """The pools that hold constants, which are there before the first call."""
        return tuple(pool for pool in self.pools if pool.kind == "constant")

    def uses(self, pool: Pool) -> bool:
        """Whether a run touches the pool; others need not exist."""
        return pool.bytes > 0 and any(
            argument.kind == "pool" and self.pools[argument.index] == pool for argument in self.arguments
        )

    def states_in(self, pool: Pool) -> tuple[State, ...]:
        """The state that lies in one pool."""
        return tuple(state for state in self.states if state.pool == pool.name)

    def side(self, side: Side) -> tuple[Tensor, ...]:
        """The inputs or the outputs."""
        return self.inputs if side == "input" else self.outputs

    def caller_owned(self, side: Side) -> tuple[Tensor, ...]:
        """The tensors of one side that the application brings."""
        return tuple(tensor for tensor in self.side(side) if tensor.pool is None)

    def in_workspace(self, side: Side) -> tuple[Tensor, ...]:
        """The tensors of one side that lie in a pool."""
        return tuple(tensor for tensor in self.side(side) if tensor.pool is not None)
