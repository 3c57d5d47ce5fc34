"""Costs of kinds of operations by least squares, for `schedule_costs.py`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from cost_rows import Measured, Row, parsed

from stillpool.dialects import index_sums
from stillpool.lowering.schedule.cost import counts, kinds, places, registers
from stillpool.lowering.schedule.cost.counts import Counts
from stillpool.machines.costs import CALL, OTHER, costs_in
from stillpool.machines.cpus import Cpu

Array = npt.NDArray[np.float64]

_COUNTING = (counts, index_sums, kinds, places, registers)
"""Modules that decide what is counted."""

PRIOR = {
    "fx.rescale": 14.0, "fx.rescale right": 10.0, "fx.rounding_doubling_high_mul": 14.0,
    "fx.rounding_shift_right": 8.0, "fx.count_leading_zeros": 8.0, "fx.one_over_one_plus": 90.0,
    "call": 7.0, "function": 12.0, "iteration": 3.0, "iteration inside": 2.0, "loop": 2.0, "loop with bounds": 4.0,
    "branch": 3.0, "pointer": 2.0, "pointer computed": 3.0, "pointer steps": 0.5, "selection": 2.0, "arith.select": 2.0,
    "comparison": 1.0, "division": 2.0, "64 bits": 2.0, "64 bits multiplication": 3.0, "64 bits shift": 5.0,
    "conversion": 0.5, "multiplication and addition": 0.5, "addition of a product": 0.5,
    "simd.sum_products of sixteen": 8.0,
}  # fmt: skip
"""Instructions that an operation is expected to take before anything is measured; others take one."""
_CODE_PER_INSTRUCTION = 3.0
"""Bytes."""
_TRUST = 0.05
"""Trust in what is expected, compared with what is measured."""
_LEAST = 300.0
"""Instructions of an operator below which errors are not relative any more."""
_LEAST_CODE = 100.0
_LEAST_SHARE = 0.02
"""Least share of a model's instructions that every operator counts for."""
_WHOLE = 2.0
"""Weight of a whole model, compared with its operators."""


@dataclass(frozen=True)
class Error:
    """Error of an estimate against what was measured, in percent."""

    measured: int
    """Instructions of the whole model."""
    own: float
    held_out: float
    """With a table that was made without the model."""
    code: float
    """Error of the code of all functions that stand for themselves."""


class Fit:
    """A table of costs, and its errors."""

    def __init__(self, found: Sequence[Measured], cpu: Cpu, *, is_fitted: bool):
        self._all = {(one.model, one.way): one for one in found}
        self._cpu, self._is_fitted = cpu, is_fitted
        self._rows = [(one.model, one.way, row) for one in found for row in one.rows]
        counted = _counted([row for _, _, row in self._rows], cpu)
        self._run = [
            {kind: n * row.calls for kind, n in run.items()}
            for (_, _, row), (run, _) in zip(self._rows, counted, strict=True)
        ]
        self._static = [static for _, static in counted]
        self.models = sorted({one.model for one in found})

    @cached_property
    def instructions(self) -> dict[str, float]:
        """Costs of each kind."""
        return self._table(self._run, self._solved, dict(self._cpu.costs.instructions), self._expected, 1.0)

    @cached_property
    def code(self) -> dict[str, float]:
        """Bytes of each kind."""
        prior = {kind: _CODE_PER_INSTRUCTION * n for kind, n in PRIOR.items()}
        return self._table(self._static, self._solved_code, dict(self._cpu.costs.code), prior, _CODE_PER_INSTRUCTION)

    @property
    def _expected(self) -> Mapping[str, float]:
        """Before anything is measured: on relatives of Cortex-M4 what was measured there."""
        is_relative = self._cpu.cost_table in ("thumb2", "mve")
        return {**PRIOR, **costs_in("thumb2_dsp").instructions} if is_relative else PRIOR

    def _table(
        self,
        counts: Sequence[Mapping[str, float]],
        solve: Callable[[npt.NDArray[np.bool_], list[str], Array], Array],
        known: dict[str, float],
        prior: Mapping[str, float],
        other: float,
    ) -> dict[str, float]:
        if not self._is_fitted:
            return known
        kinds = sorted({kind for one in counts for kind in one})
        expected = np.array([prior.get(kind, other) for kind in kinds])
        found = solve(np.ones(len(self._rows), bool), kinds, expected)
        return {**prior, **{kind: round(float(n), 3) for kind, n in zip(kinds, found, strict=True)}, OTHER: other}

    def error(self, model: str, way: str) -> Error | None:
        """Return the error of a model, one way; None if it was not measured."""
        one = self._all.get((model, way))
        if one is None:
            return None
        at = [index for index, (name, which, _) in enumerate(self._rows) if (name, which) == (model, way)]
        own = sum(_sum(self._run[index], self.instructions) for index in at)
        held_out = sum(_sum(self._run[index], self._without(model)) for index in at)
        between = sum(row.calls for row in one.rows) * self.instructions.get(CALL, 1.0)
        apart = [index for index in at if self._rows[index][2].code]
        code = sum(_sum(self._static[index], self.code) for index in apart)
        real = sum(self._rows[index][2].code for index in apart)
        return Error(
            one.instructions,
            100 * ((own + between) / one.instructions - 1),
            100 * ((held_out + between) / one.instructions - 1),
            100 * (code / real - 1) if real else 0.0,
        )

    def _without(self, model: str) -> dict[str, float]:
        if not self._is_fitted:
            return self.instructions
        if model not in self._held_out:
            kinds = list(self.instructions)
            expected = np.array([self._expected.get(kind, 1.0) for kind in kinds])
            others = np.array([name != model for name, _, _ in self._rows])
            found = self._solved(others, kinds, expected)
            self._held_out[model] = dict(zip(kinds, map(float, found), strict=True))
        return self._held_out[model]

    @cached_property
    def _held_out(self) -> dict[str, dict[str, float]]:
        return {}

    def _solved(self, chosen: npt.NDArray[np.bool_], kinds: list[str], expected: Array) -> Array:
        """Costs that explain the instructions of operators and of whole models best."""
        counts = _matrix(self._run, kinds)
        measured = np.array([float(row.instructions) for _, _, row in self._rows])
        total = np.array([float(self._all[model, way].instructions) for model, way, _ in self._rows])
        weights = np.sqrt(_LEAST_SHARE + measured / total) / np.maximum(measured, _LEAST)
        system, sums = [counts[chosen] * weights[chosen, None]], [measured[chosen] * weights[chosen]]
        ways = [(model, way) for model, way, _ in self._rows]
        for one in dict.fromkeys(way for way, is_chosen in zip(ways, chosen, strict=True) if is_chosen):
            of = np.array([way == one for way in ways])
            system.append(_WHOLE * counts[of].sum(0, keepdims=True) / measured[of].sum())
            sums.append(np.array([_WHOLE]))
        return _least_squares(np.vstack(system), np.concatenate(sums), expected)

    def _solved_code(self, chosen: npt.NDArray[np.bool_], kinds: list[str], expected: Array) -> Array:
        """Return the solved costs of bytes of code, of functions that stand for themselves."""
        sizes = np.array([float(row.code) for _, _, row in self._rows])
        chosen = chosen & (sizes > 0)
        weights = 1 / np.maximum(sizes[chosen], _LEAST_CODE)
        return _least_squares(
            _matrix(self._static, kinds)[chosen] * weights[:, None], sizes[chosen] * weights, expected
        )


def _matrix(counts: Sequence[Mapping[str, float]], kinds: Sequence[str]) -> Array:
    return np.array([[one.get(kind, 0.0) for kind in kinds] for one in counts])


def _least_squares(system: Array, sums: Array, expected: Array) -> Array:
    """Costs, none below zero; those that nothing is known of are what is expected."""
    from scipy.optimize import nnls  # pyright: ignore

    norms = np.linalg.norm(system, axis=0)
    trust = np.where(norms > 0, norms, 1.0) * _TRUST
    found, _ = nnls(np.vstack([system, np.diag(trust)]), np.concatenate([sums, trust * expected]), maxiter=10_000)
    return found


def _sum(counts: Mapping[str, float], costs: Mapping[str, float]) -> float:
    return sum(n * costs.get(kind, costs.get(OTHER, 1.0)) for kind, n in counts.items())


def _counted(rows: Sequence[Row], cpu: Cpu) -> list[tuple[dict[str, float], dict[str, float]]]:
    """Counts as they run and as they stand there; kept while what counts is the same."""
    sources = [Path(module.__file__ or "").read_bytes() for module in _COUNTING]
    stamp = hashlib.sha256(b"".join(sources)).hexdigest()
    kept = Path(__file__).resolve().parents[1] / "build" / "costs" / f"{cpu.name}.counts.json"
    known: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if known.get("stamp") != stamp:
        known = {"stamp": stamp}
    for row in rows:
        key = hashlib.sha256(row.function.encode()).hexdigest()
        if key not in known:
            found = Counts(parsed(row), cpu.registers)
            known[key] = [{k: n for k, n in each.items() if n} for each in (found.run, found.static)]
    kept.write_text(json.dumps(known), encoding="utf-8")
    return [tuple(known[hashlib.sha256(row.function.encode()).hexdigest()]) for row in rows]
