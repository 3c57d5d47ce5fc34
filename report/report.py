"""The memory report as plain text."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ..driver.compile.lost_channels import HEADS, NONE, SUMS, cells, finding
from ..planner.short_name import labels
from ..targets.interfaces.description import Description, LostChannels, Operator, RowChoice, Tensor
from .analysis import verdict
from .text_table import filled, table
from .timeline import Chart, chart, operator_label


def report(model: Description) -> str:
    """Verdict, pools, inputs and outputs, what is live at each pool's peak, the buffers, the operators."""
    sections = [
        filled(f"{model.name}: {verdict(model)}"),
        _rows(model.rows, sum(operator.macs for operator in model.operators)),
        _channels(model.lost),
        _pools(model),
        _io(model),
    ]
    sections += [_peak(model, found) for pool in model.pools if (found := chart(model, pool)) is not None]
    sections += [_buffers(model), _operators(model), _schedules(model)]
    return "\n\n".join(section for section in sections if section) + "\n"


def _rows(choice: RowChoice | None, macs: int) -> str:
    """Decision of `--rows auto` or `on`, and its grounds."""
    if choice is None:
        return ""
    whole, by_rows = (
        "over the limits" if size is None else f"{size:,} bytes" for size in (choice.whole_bytes, choice.row_bytes)
    )
    text = f"rows: {'taken' if choice.is_taken else 'not taken'}; workspace {by_rows} with rows, {whole} without"
    if choice.whole_instructions is not None and choice.row_instructions is not None:
        text += f"; about {choice.row_instructions:,} instructions with rows, {choice.whole_instructions:,} without"
    if choice.macs_again:
        text += f"; {macs:,} multiply-accumulates with rows, {macs - choice.macs_again:,} without"
    return "\n".join(map(filled, [text, *([choice.refusal] if choice.refusal else [])]))


def _channels(lost: Sequence[LostChannels]) -> str:
    """Channels that the model lost: a finding for its trainer."""
    if not lost:
        return ""
    found = cells(lost)
    sums = table(HEADS[:SUMS], [row[:SUMS] for row in found])
    # Numbers of channels need a line's width.
    numbers = [(row[0], why, row[n]) for row in found for n, why in enumerate(HEADS) if n >= SUMS and row[n] != NONE]
    return f"{filled(finding(lost))}\n{sums}\n\n{table(('index', 'why', 'channels that went'), numbers)}"


def _pools(model: Description) -> str:
    rows = [
        (
            pool.name,
            pool.kind,
            pool.bytes,
            "-" if pool.size_limit is None else f"{pool.size_limit:,}",
            "-" if pool.size_limit is None else f"{max(0, pool.size_limit - pool.bytes):,}",
            "-" if pool.lower_bound_bytes is None else f"{pool.lower_bound_bytes:,}",
            "-" if pool.lower_bound_bytes is None else f"{pool.bytes - pool.lower_bound_bytes:,}",
            "yes" if pool.proven_optimal else "no",
            pool.alignment,
            pool.algorithm or "-",
        )
        for pool in model.pools
    ]
    heads = ("pool", "kind", "bytes", "limit", "free", "lower bound", "gap", "optimal", "align", "algorithm")
    return f"pools\n{table(heads, rows)}"


def _io(model: Description) -> str:
    rows = [(*_io_row("input", tensor), _refill(model, tensor), tensor.name) for tensor in model.inputs]
    rows += [(*_io_row("output", tensor), "", tensor.name) for tensor in model.outputs]
    heads = ("side", "type", "bytes", "place", "refill", "name")
    return f"inputs and outputs\n{table(heads, rows)}" if rows else ""


def _io_row(side: str, tensor: Tensor) -> tuple[object, ...]:
    slots = tensor.slots or ((tensor.pool, tensor.offset),)
    place = "caller's" if tensor.pool is None else " or ".join(f"{pool} + {offset}" for pool, offset in slots)
    place += " (kept)" if tensor.is_kept and not tensor.slots else ""
    return side, f"{tensor.dtype} {'x'.join(map(str, tensor.shape))}", tensor.bytes, place


def _refill(model: Description, tensor: Tensor) -> str:
    """When the application may write an input of the next run."""
    if tensor.released_after is None:
        return "when outputs are read"
    if tensor.released_after < 0:
        return "at once"
    return f"after {operator_label(model.operators, tensor.released_after)}"


def _labels(model: Description) -> Mapping[str, str]:
    """Names of tensors in tables; the manifest has the names in full."""
    return labels([*(buffer.name for buffer in model.buffers), *(operator.name for operator in model.operators)])


def _peak(model: Description, found: Chart) -> str:
    where = operator_label(model.operators, found.peak)
    label = _labels(model)
    rows = [(buffer.kind, buffer.bytes, buffer.offset, label[buffer.name]) for buffer in found.live(found.peak)]
    title = f"live at the peak of {found.pool.name}, {where}: {found.peak_bytes:,} bytes in use{found.also}"
    return f"{filled(title)}\n{table(('kind', 'bytes', 'offset', 'buffer'), rows)}"


def _buffers(model: Description) -> str:
    label = _labels(model)
    # Names come last, for those that converters make are long.
    rows = [(b.kind, b.pool, b.offset, b.bytes, b.first_use, b.last_use, label[b.name]) for b in model.buffers]
    heads = ("kind", "pool", "offset", "bytes", "first", "last", "buffer")
    return f"buffers: live from the first to the last position\n{table(heads, rows)}" if rows else ""


def _schedules(model: Description) -> str:
    """Other ways to run operators; those that share a function are scheduled alike."""
    by_function: dict[tuple[str, str], list[Operator]] = {}
    for one in model.operators:
        if one.remark:
            by_function.setdefault((one.function, one.remark), []).append(one)
    rows: list[tuple[object, ...]] = []
    for alike in by_function.values():
        indices = dict.fromkeys(str(one.index) for one in alike)
        rows.append((", ".join(indices), alike[0].op, alike[0].remark))
    what = "schedules: what operators run in, and what other ways would change in a run (estimated)"
    return f"{what}\n{table(('index', 'operator', 'schedule; other ways'), rows)}" if rows else ""


def _operators(model: Description) -> str:
    """A line for each operator; of those that run row by row how many rows, and the first and last position."""
    label = _labels(model)
    calls: dict[Hashable, list[Operator]] = {}
    for one in model.operators:
        calls.setdefault(one.position if one.row is None else (one.index, one.op, one.name), []).append(one)
    by_rows = len(calls) < len(model.operators)
    rows: list[tuple[object, ...]] = []
    for first, *others in calls.values():
        last, macs = [first, *others][-1], sum(one.macs for one in (first, *others))
        place = f"{first.position}-{last.position}" if others else first.position
        made = [len(others) + 1 if others else "-"] if by_rows else []
        # Rows of an operator read the same weights, or parts of them.
        weights = max(one.weights for one in (first, *others))
        rows.append((place, first.index, first.op, *made, macs, weights, label[first.name]))
    what = "operators: position is the place in the run, index the number in the model file (-1: added)"
    heads = ("position", "index", "operator", *(["rows"] if by_rows else []), "MACs", "weights", "output")
    return f"{what}\n{table(heads, rows)}" if rows else ""
