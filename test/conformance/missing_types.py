"""Element types that the table of operators does not show as compared, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from stillpool.frontends.tflite.operators import lookup

TYPES = ("float32", "int8", "uint8", "int16", "int32", "int64", "bool")

NO_KERNEL = "refused: neither TFLite Micro nor LiteRT has a kernel"
ALIKE = "compiled by the rule of the types above; not compared with a reference"
LITERT_ONLY = "refused: TFLite Micro has no kernel, and LiteRT's is not taken over"
UNCHECKED = "refused: TFLite Micro does not check the type and takes each byte for a truth value"

OTHERWISE: Mapping[tuple[str, str], str] = {
    **{(operator, "int16"): LITERT_ONLY for operator in ("DIV", "SQRT")},
    ("SQRT", "int8"): LITERT_ONLY,
    ("ADD_N", "int32"): LITERT_ONLY,
    ("SCATTER_ND", "bool"): LITERT_ONLY,
    **{("EMBEDDING_LOOKUP", name): LITERT_ONLY for name in ("uint8", "int16", "int32", "int64", "bool")},
    **{(operator, name): UNCHECKED for operator in ("LOGICAL_AND", "LOGICAL_OR") for name in TYPES},
    ("DEQUANTIZE", "float32"): "refused: the input is quantised",
    ("L2_POOL_2D", "int8"): NO_KERNEL,
}
"""Reasons other than the usual ones, by operator and type."""


def data_type(kind: str) -> str:
    """The element type of a kind's data."""
    types = kind.partition(" ")[2]
    return "float32" if types.startswith("hybrid") else types.split()[0]


def accepted(operator: str) -> set[str]:
    """What the table of `stillpool ops` says of an operator, without the types of outputs."""
    entry = lookup(operator)
    return {name.split()[0].lower() for name in entry.types} if entry is not None else set()


def missing(kinds: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Operator, type and reason of all pairs that no kind of case compares."""
    compared: dict[str, set[str]] = defaultdict(set)
    for kind in kinds:
        compared[kind.split()[0]].add(data_type(kind))
    for operator in sorted(compared):
        known = accepted(operator)
        for name in TYPES:
            if name not in compared[operator]:
                usual = ALIKE if name in known else NO_KERNEL
                yield operator, name, OTHERWISE.get((operator, name), usual)


def rows(kinds: Iterable[str]) -> Iterator[str]:
    """Lines of a table with one row for the types of an operator that share a reason."""
    grouped: dict[tuple[str, str], list[str]] = defaultdict(list)
    for operator, name, reason in missing(kinds):
        grouped[operator, reason].append(name)
    for (operator, reason), names in grouped.items():
        yield f"| {operator} | {', '.join(names)} | {reason} |"
