"""Contents of a TFLite file as plain immutable data: no accessor of the flatbuffer layer outlives the reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .element_types import ElementType

OptionValue = int | float | bool | str | tuple[int, ...] | tuple[float, ...]
"""A field of an operator's options table."""

_SUBGRAPH_OPTIONS = {
    "CALL_ONCE": ("InitSubgraphIndex",),
    "IF": ("ThenSubgraphIndex", "ElseSubgraphIndex"),
    "STABLEHLO_COMPOSITE": ("DecompositionSubgraphIndex",),
    "WHILE": ("CondSubgraphIndex", "BodySubgraphIndex"),
}
"""Options that name subgraphs."""


@dataclass(frozen=True)
class Quantisation:
    """Affine quantisation: real = scale * (integer - zero_point), one pair or one per slice along `dimension`."""

    scales: tuple[float, ...]
    """float32 values."""
    zero_points: tuple[int, ...]
    dimension: int


@dataclass(frozen=True)
class Tensor:
    """One tensor of a subgraph."""

    index: int
    name: str
    shape: tuple[int, ...]
    signature: tuple[int, ...]
    """The shape with -1 for dimensions that a caller may change; empty if the file has none."""
    element_type: ElementType
    buffer: int
    data: bytes | None
    """Row-major little-endian elements of a constant, else None."""
    quantisation: Quantisation | None
    is_variable: bool
    is_sparse: bool

    def __str__(self) -> str:
        return f"tensor {self.index} '{self.name}'"


@dataclass(frozen=True)
class Operator:
    """One operator of a subgraph."""

    index: int
    opcode: str
    """The built-in's name, `CUSTOM`, or `BUILTIN_<n>` for a number that the schema does not know."""
    custom_code: str
    version: int
    inputs: tuple[int, ...]
    """Tensor indices; -1 for an optional input that is left out."""
    outputs: tuple[int, ...]
    options_type: str
    """Name of the options table in the schema, `NONE`, or `UNKNOWN_<n>`."""
    options: Mapping[str, OptionValue]
    """Fields by the schema's accessor names, such as `StrideH`; defaults included."""
    custom_options: bytes = b""
    """Options of a custom operator, in its own form."""

    @property
    def key(self) -> str:
        """Key in the operator table."""
        return f"CUSTOM {self.custom_code}" if self.opcode == "CUSTOM" else self.opcode

    @property
    def subgraphs(self) -> tuple[int, ...]:
        """Indices of the subgraphs that the operator runs."""
        fields = _SUBGRAPH_OPTIONS.get(self.opcode, ())
        return tuple(value for field in fields if isinstance(value := self.options.get(field, 0), int))

    @property
    def title(self) -> str:
        """The name to show: the custom operator's own name if it is one."""
        return f"CUSTOM '{self.custom_code}'" if self.opcode == "CUSTOM" else self.opcode


@dataclass(frozen=True)
class Subgraph:
    """A function of the file: tensors, operators in execution order, and which tensors go in and out."""

    name: str
    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Signature:
    """Names that the author gave to a subgraph's inputs and outputs."""

    key: str
    subgraph: int
    inputs: Mapping[int, str]
    """Name by tensor index."""
    outputs: Mapping[int, str]


@dataclass(frozen=True)
class Model:
    """A whole file."""

    source: str
    """The file, for messages."""
    subgraphs: tuple[Subgraph, ...]
    signatures: tuple[Signature, ...]
    arena_offsets: tuple[int, ...] = ()
    """Where the tensors of the first subgraph are to lie in the arena, as Vela says it: bytes, or -1."""

    @property
    def is_dynamic(self) -> bool:
        """Whether some tensor's shape may change."""
        return any(-1 in tensor.signature for graph in self.subgraphs for tensor in graph.tensors)

    @property
    def entries(self) -> dict[str, int]:
        """The subgraphs that an application may run, by signature: all that signatures name, else the first."""
        named = {signature.key: signature.subgraph for signature in self.signatures}
        return named if len(set(named.values())) > 1 else {next(iter(named), ""): next(iter(named.values()), 0)}

    def reachable(self, *subgraphs: int) -> list[int]:
        """Indices of the subgraphs that those, or all entries, run themselves or through their operators."""
        found = dict.fromkeys(sorted(set(subgraphs or self.entries.values())))
        waiting = list(found)
        for index in waiting:
            operators = self.subgraphs[index].operators if 0 <= index < len(self.subgraphs) else ()
            new = dict.fromkeys(inner for operator in operators for inner in operator.subgraphs if inner not in found)
            found |= new
            waiting += new
        return waiting

    def variables(self, subgraph: int) -> set[str]:
        """Names of the variables that an entry uses."""
        operators = (operator for index in self.reachable(subgraph) for operator in self.subgraphs[index].operators)
        return {
            str(operator.options.get("SharedName", "")) for operator in operators if operator.opcode == "VAR_HANDLE"
        }
