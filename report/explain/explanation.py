"""The peak explained: the operator and the buffers that make it, and what every change would save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...driver.compile.compile_system import SystemCompilation
from ...errors import StillpoolError
from ...planner.short_name import short_name
from ...progress import tell
from ...targets.interfaces.description import Buffer, Description
from ..timeline import Chart, Entry, entry, operator_label
from .lever import Lever
from .levers import levers
from .variants import Outcome, Plannable, outcome


@dataclass(frozen=True)
class Saving:
    """Bytes that one change saves, as planned with it."""

    action: str
    option: str
    """Words of the command line to add; behind `without` those to leave out."""
    bytes_saved: int
    """Bytes of the pool that the change saves."""
    new_peak: int
    """Bytes of the pool then."""
    pool: str
    elsewhere_bytes: int
    """More bytes that other workspace pools and the caller's arrays take; negative for fewer."""
    fits: bool
    """Whether all pools keep within their limits."""

    @property
    def net_bytes(self) -> int:
        """Bytes saved in all, once what is needed elsewhere is taken off; negative where the change costs more."""
        return self.bytes_saved - self.elsewhere_bytes

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {**asdict(self), "net_bytes": self.net_bytes}


@dataclass(frozen=True)
class Part:
    """One buffer of a peak."""

    buffer: Buffer
    role: str
    """Why it is there at that time, and what it shares bytes with."""


@dataclass(frozen=True)
class Peak:
    """The fullest moment of one pool."""

    model: str
    chart: Chart
    operator: str
    parts: tuple[Part, ...]

    @property
    def headline(self) -> str:
        """Where it is."""
        pool = self.chart.pool
        return (
            f"{pool.name} takes {pool.bytes:,} bytes; its peak is at {self.operator} of {self.model}, "
            f"with {self.chart.peak_bytes:,} bytes in use{self.chart.also}"
        )

    @property
    def bound(self) -> str:
        """Bytes that no placement can go below."""
        pool = self.chart.pool
        least = pool.lower_bound_bytes or 0
        if pool.bytes <= least or pool.proven_optimal:
            return f"the plan is at the bound: no placement of these buffers takes fewer than {pool.bytes:,} bytes"
        return (
            f"no placement of these buffers can go below {least:,} bytes, {pool.bytes - least:,} fewer than the plan; "
            "whether one gets there is not known"
        )


@dataclass(frozen=True)
class Explanation:
    """Why the workspace pools are as large as they are."""

    peaks: tuple[Peak, ...]
    savings: tuple[Saving, ...]
    """By bytes saved in all, the most first."""
    tried: int
    """Changes that were planned."""

    @property
    def verdict(self) -> str:
        """One sentence on what helps."""
        if self.savings:
            return f"{len(self.savings)} of {self.tried} changes that were planned lower a peak"
        return (
            f"none of the {self.tried} changes that were planned lowers a peak. "
            "Smaller tensors at the operator of the peak would: a change of the model"
        )

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "peaks": [
                {
                    "pool": peak.chart.pool.name,
                    "bytes": peak.chart.pool.bytes,
                    "lower_bound_bytes": peak.chart.pool.lower_bound_bytes,
                    "model": peak.model,
                    "position": peak.chart.peak,
                    "positions": list(peak.chart.peaks),
                    "operator": peak.operator,
                    "bytes_in_use": peak.chart.peak_bytes,
                    "buffers": [
                        {
                            "name": part.buffer.name,
                            "kind": part.buffer.kind,
                            "bytes": part.buffer.bytes,
                            "role": part.role,
                        }
                        for part in peak.parts
                    ],
                    "bound": peak.bound,
                }
                for peak in self.peaks
            ],
            "verdict": self.verdict,
            "explain_peak": [saving.document() for saving in self.savings],
        }


def explain(of: Plannable, models: Sequence[Description], *, limited: bool = True) -> Explanation:
    """Plan every change that applies, and compare.

    Args:
        of: the request.
        models: its models as they are planned; without limits of pools if those cannot be met.
        limited: whether the limits of the pools are met.

    Raises:
        StillpoolError: a pass refused a model.
    """
    together = isinstance(of, SystemCompilation) and of.concurrency == "concurrent"
    peaks = tuple(_peaks([entry(model) for model in models], every=together))
    at_peak = [part.buffer for peak in peaks for part in peak.parts]
    now = outcome(of, limited=limited)
    tried, savings = 0, list[Saving]()
    for lever in levers(of, models, at_peak):
        tell(f"change {tried + 1}: {lever.action}")
        try:
            then = outcome(lever.changed, limited=limited)
        except StillpoolError:
            # Not for this model, such as tensors of a pipeline that belong to the caller, or over the limits.
            continue
        tried += 1
        savings += _savings(lever, now, then)
    savings.sort(key=lambda saving: (-saving.net_bytes, -saving.bytes_saved))
    return Explanation(peaks, tuple(savings), tried)


def _savings(lever: Lever, now: Outcome, then: Outcome) -> Iterator[Saving]:
    """The change at the pool where it saves most, if it saves anything."""
    saved: Mapping[str, int] = {pool: size - then.sizes.get(pool, 0) for pool, size in now.sizes.items()}
    pool = max(saved, key=lambda pool: saved[pool])
    if saved[pool] > 0:
        more = sum(then.sizes.values()) - sum(now.sizes.values()) + saved[pool] + lever.caller_bytes
        yield Saving(lever.action, lever.option, saved[pool], then.sizes.get(pool, 0), pool, more, then.fits)


def _peaks(models: Sequence[Entry], *, every: bool) -> Iterator[Peak]:
    """The peak of each workspace pool: in the model that fills it most, or in all that lie beside each other."""
    charts = [(model, chart) for model in models for chart in model.charts if chart.pool.kind == "workspace"]
    for pool in dict.fromkeys(chart.pool.name for _, chart in charts):
        inside = sorted((pair for pair in charts if pair[1].pool.name == pool), key=lambda pair: -pair[1].peak_bytes)
        for model, chart in inside if every else inside[:1]:
            live = chart.live(chart.peak)
            parts = tuple(Part(buffer, _role(buffer, live, chart.peak, model)) for buffer in live)
            yield Peak(model.name, chart, operator_label(model.operators, chart.peak), parts)


def _role(buffer: Buffer, live: Sequence[Buffer], peak: int, model: Entry) -> str:
    first, last = (operator_label(model.operators, at) for at in (buffer.first_use, buffer.last_use))
    if buffer.kind == "state":
        role = "state, kept from run to run"
    elif buffer.slot is not None:
        role = f"slot {buffer.slot}, always reserved"
    elif buffer.first_use == buffer.last_use:
        role = "in use during this operator only"
    elif buffer.first_use == peak:
        role = f"begins here, needed until {last}"
    elif buffer.last_use == peak:
        role = f"from {first}, ends here"
    else:
        role = f"held from {first} to {last}"
    shared = [
        f"{size:,} bytes with {short_name(other.name)}"
        for other in live
        if other is not buffer and (size := _shared(buffer, other))
    ]
    return f"{role}; shares {', '.join(shared)}" if shared else role


def _shared(one: Buffer, other: Buffer) -> int:
    """Bytes that both cover."""
    return max(0, min(one.offset + one.bytes, other.offset + other.bytes) - max(one.offset, other.offset))
