"""A run as a trace that Perfetto and chrome://tracing show: operators and the functions in them on a time line.

Format: the JSON object format of Chrome's Trace Event Format. One instruction takes one nanosecond. Within an operator
the emulator knows how much each function executed, not in which turns: functions stand side by side in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...report.timeline import Chart, chart
from ...targets.interfaces.description import Description
from .call_tree import Node, operator_tree
from .figures import Figures

_PROCESS = 1
_THREAD = 1


def trace(figures: Figures, model: Description) -> dict[str, Any]:
    """The trace as JSON data; `figures` must hold figures by operator."""
    assert figures.operators is not None, "the emulator counted by operator"
    events: list[dict[str, Any]] = [
        _named("process_name", f"{model.name} on {figures.target}, 1 ns = 1 instruction"),
        _named("thread_name", "operators"),
    ]
    start = 0
    charts = {pool.name: chart(model, pool) for pool in model.workspace_pools}
    for entry in figures.operators:
        operator = entry.operator
        arguments: dict[str, Any] = {
            "position": operator.position,
            "index": operator.index,
            "output": operator.name,
            "macs": operator.macs,
            "instructions": entry.instructions,
        }
        if entry.per_mac is not None:
            arguments["instructions per MAC"] = round(entry.per_mac, 3)
        if entry.cycles is not None:
            arguments["estimated cycles"] = entry.cycles
        events.append(_counter(start, _live(charts, operator.position)))
        _slices(events, operator_tree(figures, entry), start, arguments)
        start += entry.instructions
    if figures.between:
        events.append(_slice("between operators", start, figures.between, {"instructions": figures.between}))
    events.append(_counter(start, {pool.name: 0 for pool in model.workspace_pools}))
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {
            "model": model.name,
            "target": figures.target,
            "emulator": figures.emulator,
            "compiler": figures.compiler,
            "instructions": figures.instructions,
        },
    }


def _live(charts: Mapping[str, Chart | None], position: int) -> dict[str, int]:
    """Bytes in use by pool while the operator at `position` runs: never more than the pool has."""
    return {name: found.in_use[position] if found is not None else 0 for name, found in charts.items()}


def _slices(events: list[dict[str, Any]], node: Node, start: int, arguments: Mapping[str, Any]) -> None:
    events.append(_slice(node.name, start, node.instructions, arguments))
    for child in node.children:
        _slices(events, child, start, {"instructions": child.instructions})
        start += child.instructions


def _slice(name: str, start: int, length: int, arguments: Mapping[str, Any]) -> dict[str, Any]:
    place = {"pid": _PROCESS, "tid": _THREAD, "ts": start / 1000, "dur": length / 1000}
    return {"ph": "X", "name": name, **place, "args": dict(arguments)}


def _counter(start: int, values: Mapping[str, int]) -> dict[str, Any]:
    return {"ph": "C", "name": "live bytes", "pid": _PROCESS, "ts": start / 1000, "args": dict(values)}


def _named(kind: str, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": _PROCESS, "tid": _THREAD, "args": {"name": name}}
