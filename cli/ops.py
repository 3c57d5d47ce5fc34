"""`stillpool ops`: which operators of which types can be compiled, and what a model uses."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, UnsupportedError, UsageError
from .help import Verb
from .options import MODEL
from .output import Output, output_options, result_and_error

KINDS = ("tflite", "onnx", "tosa")

if TYPE_CHECKING:
    from ..frontends.tflite.schema import Operator, Subgraph


@click.command(cls=Verb)
@click.argument("model", type=MODEL, required=False)
@click.option("--kind", type=click.Choice(KINDS), help="Kind of model files, without MODEL. Default: tflite.")
@output_options
def ops(model: Path | None, kind: str | None, output: Output) -> None:
    """List the operators and element types that can be compiled; with MODEL, what it uses.

    Exit code 5 if MODEL uses any that cannot.
    """
    from ..report.text_table import table

    if model is None:
        supported = supported_table(kind or "tflite")
        if not any(entry["types"] for entry in supported):
            names = ", ".join(entry["op"] for entry in supported)
            text = textwrap.fill(names, 100, break_long_words=False, break_on_hyphens=False)
            output.result({"operators": supported}, f"{text}\n")
            return
        rows = [(entry["op"], ", ".join(entry["types"])) for entry in supported]
        output.result({"operators": supported}, table(("operator", "types"), rows, indent=""))
        return
    if kind is not None:
        raise UsageError(f"{model} says itself of what kind it is: --kind has no effect", remedy="leave one out")
    used, of_model = used_table(model)
    rows = [(entry["op"], entry["types"], entry["count"], "yes" if entry["supported"] else "NO") for entry in used]
    heads = ("operator", "types", "count", "supported")
    document, text = {"model": str(model), "operators": used}, table(heads, rows, indent="")
    missing = [f"{entry['op']} of {entry['types']}: {entry['reason']}" for entry in used if not entry["supported"]]
    missing += of_model
    if not missing:
        output.result(document, text)
        return
    error = UnsupportedError(f"{model} uses what cannot be compiled: {'; '.join(missing)}")
    result_and_error(click.get_current_context(), output, document, text, error)


def supported_table(kind: str = "tflite") -> list[dict[str, Any]]:
    """Operators in alphabetical order with the element types of their data; ONNX's and TOSA's without types."""
    if kind != "tflite":
        from ..driver.models.doors import operators_of_kind

        return [{"op": name, "types": []} for name in operators_of_kind(kind)]
    from ..frontends.tflite.operators import lookup, supported_operators

    entries = [lookup(opcode) for opcode in supported_operators()]
    return [
        {"op": entry.opcode, "types": [name.lower() for name in entry.types]} for entry in entries if entry is not None
    ]


def used_table(path: Path) -> tuple[list[dict[str, Any]], Sequence[str]]:
    """The operators of a model by type of their data, most used first, and what is wrong with the model as a whole.

    Those of every subgraph that an entry runs count once, however often it runs, as branches of IF or bodies of WHILE.

    Raises:
        InputError: the file cannot be read or is malformed.
        UnsupportedError: a file of another kind than TensorFlow Lite's uses what cannot be compiled.
    """
    from ..driver.models.doors import is_tflite

    return _used_in_tflite(path) if is_tflite(path) else (_used_elsewhere(path), ())


def _used_elsewhere(path: Path) -> list[dict[str, Any]]:
    """Operators that were imported, by the type of what they give."""
    from ..dialects import nn_keys
    from ..dialects.nn.interfaces import element_type_of
    from ..driver.models.entry import dtype_of
    from ..driver.models.load import load_entries

    counts: Counter[tuple[str, str]] = Counter()
    for model in load_entries(path):
        # An operator may be several operations: the last gives its result.
        found = {
            origin.index.data: (origin.opcode.data, dtype_of(element) or str(element))
            for op in model.nn.walk()
            if (origin := nn_keys.ORIGIN.get(op.attributes)) is not None and op.results
            for element in [element_type_of(op.results[0])]
        }
        counts.update(found.values())
    if not counts:
        raise InputError(f"{path} names no operators of a model: they come from importers")
    return [
        {"op": op, "types": types, "count": count, "supported": True}
        for (op, types), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _used_in_tflite(path: Path) -> tuple[list[dict[str, Any]], Sequence[str]]:
    """Operators of a TensorFlow Lite file; the importer decides which are supported."""
    from ..frontends.formats import read_file
    from ..frontends.tflite.consistency import check_model
    from ..frontends.tflite.flatbuffer import read_model
    from ..frontends.tflite.import_model import refusals_of

    model = read_model(read_file(path), str(path))
    check_model(model)
    refusals = refusals_of(model)
    counts: Counter[tuple[str, str, str]] = Counter()
    for index in model.reachable():
        graph = model.subgraphs[index]
        for operator in graph.operators:
            reason = refusals.by_place.get((index, operator.index), "")
            counts[operator.title, _types(graph, operator), reason] += 1
    entries = [
        {"op": op, "types": types, "count": count, "supported": not reason, **({"reason": reason} if reason else {})}
        for (op, types, reason), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return entries, refusals.of_model


def _types(graph: Subgraph, operator: Operator) -> str:
    """The types of an operator's data: one name, `a x b` for mixed inputs, `a to b` where the output's differs.

    int32 and int64 inputs beside others are biases, shapes and axes, not data.
    """
    inputs = [graph.tensors[index].element_type.name.lower() for index in operator.inputs if index >= 0]
    data = [name for name in inputs if name not in ("int32", "int64")] or inputs[:1]
    outputs = {graph.tensors[index].element_type.name.lower() for index in operator.outputs}
    given, made = " x ".join(dict.fromkeys(data)), ", ".join(sorted(outputs))
    return given if made in ("", given) else f"{given} to {made}"
