"""Networks with bounds, choices and table entries that no run meets: without them they agree with the interpreters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
import sweeps
from case import Case, agree, samples_of
from host_batch import run_batch
from tflite_build import NONE, RELU6, VALID, Operator, Tensor, options, write_model
from tflm_oracle import run_oracle
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from stillpool.dialects.nn import ClampOp, TableOp
from stillpool.dialects.nn.attributes import ClampAttr
from stillpool.dialects.nn.element_functions import BinaryOp
from stillpool.dialects.nn.quantise import RescaleOp
from stillpool.frontends.tflite import import_tflite
from stillpool.transforms.nn.check_channels import Refuted, check_channels
from stillpool.transforms.nn.clean_up import NnCleanUpPass

pytest.importorskip("tflite_micro", reason="TFLite Micro's wheel is not installed")

EVERYDAY = 8
SHAPE = (1, 3, 3, 4)
SCALE = 0.05


def _network(seed: int) -> Case:
    """Bounded images of one scale, in each other's bounds now and then."""
    rng = np.random.default_rng(seed)
    dtype = str(rng.choice(["int8", "int8", "uint8"]))
    zero = int(rng.integers(-60, 60)) + (128 if dtype == "uint8" else 0)
    tensors = [Tensor(SHAPE, dtype, (SCALE,), (zero,))]
    operators: list[Operator] = []
    images = [0]

    def add(opcode: str, inputs: list[int], made: object = None, scale: float = SCALE) -> int:
        tensors.append(Tensor(SHAPE, dtype, (scale,), (zero,)))
        operators.append(Operator(opcode, inputs, [len(tensors) - 1], made))
        return len(tensors) - 1

    for _ in range(int(rng.integers(5, 11))):
        given = int(rng.choice(images[-4:]))
        match rng.integers(6):
            case 0:
                made = add(str(rng.choice(["RELU", "RELU6"])), [given])
            case 1 | 2:
                other = int(rng.choice(images))
                if rng.random() < 0.5:
                    limits = np.iinfo(dtype)
                    width = SHAPE[-1] if rng.random() < 0.5 else 1
                    numbers = np.clip(zero + rng.integers(-40, 41, (1, 1, 1, width)), limits.min, limits.max)
                    tensors.append(Tensor((1, 1, 1, width), dtype, (SCALE,), (zero,), 0, numbers.astype(dtype)))
                    other = len(tensors) - 1
                made = add(str(rng.choice(["MAXIMUM", "MINIMUM"])), [given, other], options("MaximumMinimum"))
            case 3:
                window = {"strideW": 1, "strideH": 1, "filterWidth": 1, "filterHeight": 1, "padding": VALID}
                pool = options("Pool2D", fusedActivationFunction=int(rng.choice([NONE, RELU6])), **window)
                made = add(str(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"])), [given], pool)
            case 4:
                other = int(rng.choice(images))
                activation = int(rng.choice([NONE, RELU6]))
                made = add("ADD", [given, other], options("Add", fusedActivationFunction=activation))
            case _:
                made = add("HARD_SWISH", [given])
        images.append(made)
    outputs = [images[-1], *({int(one) for one in rng.choice(images[1:], 2)} - {images[-1]})]
    oracle = "litert" if dtype == "uint8" else "tflm"
    data = write_model(tensors, operators, [0], outputs)
    return Case(data, (samples_of(dtype, rng, SHAPE),), 0.0, oracle, len(outputs))


def _wrong(seeds: Sequence[int]) -> list[str]:
    cases = [_network(seed) for seed in seeds]
    results = zip(seeds, cases, run_batch(cases, poison=True), run_oracle(cases), strict=True)
    return [f"{seed}: {why}" for seed, case, *both in results if (why := agree(case, *both))]


@cache
def _judged(seed: int) -> tuple[ModuleOp, ModuleOp]:
    """The network without the passes and with them."""
    before = import_tflite(_network(seed).model, "m")
    after = before.clone()
    NnCleanUpPass(("channels", "ranges")).apply(Context(), before)
    NnCleanUpPass().apply(Context(), after)
    return before, after


def test_results_stay_the_same() -> None:
    assert not _wrong(range(EVERYDAY))


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(4, long=100)))
def test_results_stay_the_same_in_many(block: int) -> None:
    assert not _wrong(range(1000 + 20 * block, 1000 + 20 * block + sweeps.size(8, long=20)))


def _bounds(module: ModuleOp) -> int:
    """Operations and entries that bound something."""
    tables = sum(len(op.values) for op in module.walk() if isinstance(op, TableOp))
    return tables + sum(isinstance(op, ClampOp | BinaryOp) for op in module.walk())


def test_what_goes_is_judged_again() -> None:
    fewer = 0
    for seed in range(10 * EVERYDAY):
        before, after = _judged(seed)
        check_channels(before, after)
        fewer += _bounds(after) < _bounds(before)
    assert fewer > EVERYDAY


def _shortened(op: TableOp) -> bool:
    """Leave out an entry that is used."""
    if op.first is None:
        return False
    made = TableOp(op.input, op.array[1:].tolist(), op.output.type)  # type: ignore[arg-type]
    op.values = made.values
    return True


def _widened(op: ClampOp | RescaleOp) -> bool:
    """Give bounds that act up."""
    if op.clamp == ClampAttr.get(-128, 127):
        return False
    op.clamp = ClampAttr.get(-128, 127)
    return True


@pytest.mark.parametrize("kind", [ClampOp, TableOp])
def test_what_is_met_must_stay(kind: type[ClampOp] | type[TableOp]) -> None:
    tried = 0
    for seed in range(10 * EVERYDAY):
        before, after = _judged(seed)
        after = after.clone()
        changes = {ClampOp: _widened, TableOp: _shortened}
        if any(isinstance(op, kind) and changes[kind](op) for op in after.walk()):
            tried += 1
            with pytest.raises(Refuted):
                check_channels(before, after)
    assert tried
