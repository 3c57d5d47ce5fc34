"""Compare a compiled model with an oracle, on random or given inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import InputError
from .oracles.oracle import Reference
from .samples import Array, checked_samples, random_inputs

if TYPE_CHECKING:
    from .artifact import Artifact

FLOAT_TOLERANCE = 1e-5
"""Largest accepted error of a float output, relative to the largest value of that output over all samples."""

MOST_NAMED = 6
"""Operators of one oracle that are listed in words."""

MOST_BYTES = 1 << 30
"""Bytes of inputs and outputs, of all samples, that are handed to a reference interpreter."""


@dataclass(frozen=True)
class OutputVerdict:
    """How one output compares."""

    name: str
    dtype: str
    passed: bool
    values: int
    mismatches: int
    """Values that differ in any bit (float: in value)."""
    max_error: float
    """Largest absolute difference, in the output's own units."""
    relative_error: float
    """`max_error` divided by the largest absolute reference value."""
    max_ulp: int | None
    """Largest distance in representable floats; None for integers."""
    first_mismatch: dict[str, Any] | None
    """Sample, flat index, value and reference of the first wrong value."""


@dataclass(frozen=True)
class JudgedOperator:
    """An operator of the model's file."""

    index: int
    operator: str
    output: str


@dataclass(frozen=True)
class Judges:
    """Who computed some operators of the reference."""

    oracle: str
    operators: tuple[JudgedOperator, ...]

    @property
    def words(self) -> str:
        """Them, with the first ones' numbers."""
        shown = [f"{one.operator} (index {one.index})" for one in self.operators[:MOST_NAMED]]
        more = len(self.operators) - len(shown)
        return f"{self.oracle}: {', '.join(shown)}{f' and {more} more' if more else ''}"


@dataclass(frozen=True)
class Verdict:
    """The result of `verify`."""

    model: str
    oracle: str
    oracles: tuple[Judges, ...]
    """Who computed which operators of the reference, where they were run one by one."""
    inputs: str
    """`random` or `given`."""
    samples: int
    seed: int | None
    """Seed of random inputs."""
    outputs: tuple[OutputVerdict, ...]
    tolerance: float
    target: str
    """The processor that the compiled model ran on; `host` is this machine."""
    first_wrong_operator: str | None = None
    """In words, where outputs are wrong and it is known."""

    @property
    def passed(self) -> bool:
        """Whether every output is right."""
        return all(output.passed for output in self.outputs)

    @property
    def minor_oracles(self) -> tuple[Judges, ...]:
        """References that computed fewer operators than another one."""
        most = max(self.oracles, key=lambda one: len(one.operators), default=None)
        return tuple(one for one in self.oracles if one is not most)

    @property
    def exact(self) -> bool:
        """Whether every output is equal bit for bit."""
        return not any(output.mismatches for output in self.outputs)

    def document(self) -> dict[str, Any]:
        """The verdict as JSON data."""
        return {**_finite(asdict(self)), "passed": self.passed, "exact": self.exact}


def verify(
    artifact: Artifact,
    *,
    samples: int = 10,
    seed: int = 0,
    given: Mapping[str, Array] | None = None,
    tolerance: float = FLOAT_TOLERANCE,
    target: str = "host",
    run: Callable[[Mapping[str, Array]], Mapping[str, Array]] | None = None,
) -> Verdict:
    """Run inputs through the compiled model and through its oracle: `samples` random ones, or those `given`.

    Integer outputs must be equal bit for bit; float outputs within `tolerance` of the largest value.
    The model runs on this machine unless `run` (stacked inputs to stacked outputs, by name) does it on `target`.

    Raises:
        InputError: no C compiler, no oracle, none that runs the model, too much to compare at once, or a wrong array.
    """
    description = artifact.description
    if given is not None:
        given = checked_samples(description, given)
        samples = len(next(iter(given.values()))) if given else 1
    one = sum(tensor.bytes for tensor in (*description.inputs, *description.outputs))
    if samples * one > MOST_BYTES:
        raise InputError(
            f"{samples} samples of {description.name}, {one:,} bytes each, are more than the {MOST_BYTES:,} bytes that "
            "can be compared at once",
            remedy=f"--samples {MOST_BYTES // one}" if one <= MOST_BYTES and given is None else None,
        )
    inputs = random_inputs(description, samples, seed) if given is None else given
    expected = artifact.reference([inputs[tensor.name] for tensor in description.inputs])
    got = artifact.execute(inputs).outputs if run is None else run(inputs)
    outputs = tuple(
        compare(tensor.name, got[tensor.name], want.reshape(got[tensor.name].shape), tolerance)
        for tensor, want in zip(description.outputs, expected.outputs, strict=True)
    )
    return Verdict(
        description.name,
        expected.words,
        judges(expected),
        "random" if given is None else "given",
        samples,
        seed if given is None else None,
        outputs,
        tolerance,
        target,
    )


def judges(reference: Reference) -> tuple[Judges, ...]:
    """Who computed which operators of a reference; empty where one program computed the whole network."""
    operators: dict[str, list[JudgedOperator]] = {}
    for one in reference.judged:
        operators.setdefault(one.oracle, []).append(JudgedOperator(one.index, one.operator, one.output))
    return tuple(Judges(oracle, tuple(found)) for oracle, found in operators.items())


def compare(name: str, got: Array, want: Array, tolerance: float) -> OutputVerdict:
    """Compare two stacks of samples of one output, equal in shape and dtype."""
    assert got.dtype == want.dtype, f"output {name}: {got.dtype} against {want.dtype}"
    floats = got.dtype.kind == "f"
    wrong = (got != want) & ~(np.isnan(got) & np.isnan(want)) if floats else got != want
    mismatches = int(np.count_nonzero(wrong))
    error = np.abs(got[wrong].astype(np.float64) - want[wrong].astype(np.float64))
    max_error = float(error.max()) if mismatches else 0.0
    finite = np.abs(want.astype(np.float64))[np.isfinite(want)] if floats else np.abs(want.astype(np.float64))
    largest = float(finite.max()) if finite.size else 0.0
    relative = max_error / largest if largest else max_error
    passed = relative <= tolerance if floats else mismatches == 0
    ulp = _ulp(got[wrong], want[wrong]) if floats else None
    return OutputVerdict(
        name, str(got.dtype), passed, got.size, mismatches, max_error, relative, ulp, _first(got, want, wrong)
    )


def _finite(value: Any) -> Any:
    """JSON has no infinities and no NaN: null stands for them."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in cast(dict[str, Any], value).items()}
    if isinstance(value, tuple):
        return [_finite(entry) for entry in cast(tuple[Any, ...], value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _first(got: Array, want: Array, wrong: Array) -> dict[str, Any] | None:
    flat = np.flatnonzero(wrong)
    if not flat.size:
        return None
    sample, index = divmod(int(flat[0]), got[0].size)
    return {"sample": sample, "index": index, "value": got.flat[flat[0]].item(), "reference": want.flat[flat[0]].item()}


def _ulp(got: Array, want: Array) -> int:
    """Largest distance in the order of representable floats; 0 for empty arrays."""
    if not got.size:
        return 0
    integer = {4: np.int32, 8: np.int64}[got.dtype.itemsize]

    def ordered(values: Array) -> Array:
        bits = np.ascontiguousarray(values).view(integer).astype(object)
        minimum = int(np.iinfo(integer).min)
        return np.where(bits < 0, minimum - bits, bits)

    return int(np.abs(ordered(got) - ordered(want)).max())
