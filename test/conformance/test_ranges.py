"""What channels can be, of every kind of operator: no result of the reference interpreters lies outside of it.

Inputs keep to a small part of their type, which the analysis is told; the checker of channels computes the same.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sweeps
from case import Case
from kinds import KINDS
from numpy.typing import NDArray
from tflm_oracle import run_oracle
from varied import examples
from xdsl.dialects import func
from xdsl.ir import Block, SSAValue

from stillpool.dialects.nn.interfaces import channels_of
from stillpool.dialects.nn.ranges import Ranges
from stillpool.errors import StillpoolError
from stillpool.frontends.tflite import import_tflite
from stillpool.transforms.nn.channels.analysis import block_ranges
from stillpool.transforms.nn.check_channels.facts import Facts

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

EVERYDAY = (
    "ABS int8",
    "ADD_N int8",
    "CAST int32",
    "EXP int16",
    "GATHER int8",
    "GATHER_ND int8",
    "LEAKY_RELU int16",
    "MAXIMUM int8",
    "PRELU int8",
    "REDUCE_MIN int16",
    "RESIZE_BILINEAR int8",
    "SELECT_V2 int8",
    "SQUARED_DIFFERENCE int8",
)


def narrow(samples: NDArray[Any], seed: int) -> NDArray[Any]:
    """The same number of samples, folded into a random part of the range of their integers."""
    if samples.dtype.kind not in "iu" or not samples.size:
        return samples
    rng, limits = np.random.default_rng(seed), np.iinfo(samples.dtype)
    low, high = sorted(rng.integers(max(limits.min, -(2**20)), min(limits.max, 2**20), 2).tolist())
    return (low + samples.astype(np.int64) % (high - low + 1)).astype(samples.dtype)


def of_inputs(block: Block, inputs: Sequence[NDArray[Any]]) -> dict[SSAValue, Ranges]:
    """What each channel of integer inputs is."""
    found: dict[SSAValue, Ranges] = {}
    for value, samples in zip(block.args, inputs, strict=True):
        if samples.dtype.kind in "iu" and samples.size:
            flat = samples.reshape(-1, channels_of(value)).astype(np.int64)
            found[value] = Ranges(flat.min(axis=0), flat.max(axis=0))
    return found


def wrong(case: Case, outputs: Sequence[NDArray[Any]]) -> Iterator[str]:
    """What contradicts the analysis."""
    module = import_tflite(case.model, "m")
    (function,) = [op for op in module.ops if isinstance(op, func.FuncOp)]
    block = function.body.block
    given = of_inputs(block, case.inputs)
    ranges = block_ranges(block, given)
    each = {
        (value, n): (int(ends.least[n]), int(ends.most[n]))
        for value, ends in given.items()
        for n in range(ends.channels)
    }
    facts = Facts(each)
    for value, ends in ranges.items():
        for channel in range(min(ends.channels, 8)) if not ends.is_real else ():
            both = int(ends.least[channel]), int(ends.most[channel])
            if facts.range(value, channel) != both:
                yield f"{value.owner}: channel {channel}: {both}, the checker says {facts.range(value, channel)}"
    assert block.last_op is not None
    for value, samples in zip(block.last_op.operands, outputs, strict=True):
        if value not in ranges or not samples.size:
            continue
        flat = samples.reshape(-1, channels_of(value)).astype(np.float64)
        # What is not a number lies nowhere.
        if (flat < ranges[value].least).any() or (flat > ranges[value].most).any():
            yield f"{value.owner}: {flat.min(axis=0)} to {flat.max(axis=0)}, not in {ranges[value]}"


def _check(kind: str, count: int) -> None:
    found: list[str] = []
    for seed, spec in enumerate(examples(KINDS[kind], count, kind)):
        case = spec.case()
        narrowed = replace(case, inputs=tuple(narrow(one, seed + 9 * n) for n, one in enumerate(case.inputs)))
        for each in (narrowed, case):
            with suppress(StillpoolError, RuntimeError):
                # What one of both refuses, as indices that are none any more, says nothing.
                (outputs,) = run_oracle([each])
                found += wrong(each, outputs)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind", EVERYDAY)
def test_functions_of_elements_stay_in_their_ranges(kind: str) -> None:
    _check(kind, 2)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_every_operator_stays_in_its_ranges(kind: str) -> None:
    _check(kind, sweeps.size(6, long=60))
