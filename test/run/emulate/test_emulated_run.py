"""The shipped example on emulated processors: the same bits as on this machine, counted exactly, fenced in."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from models import example

import stillpool
from stillpool.errors import UsageError, VerificationError
from stillpool.machines.cpus import cpu_names, get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.build import build
from stillpool.run.emulate.emulator import emulate
from stillpool.run.emulate.linker_script import GUARD_BYTES

CPUS = [name for name in cpu_names() if get_cpu(name).unicorn_model is not None]


@pytest.mark.parametrize("name", CPUS)
def test_same_bits_as_the_host(name: str, digits: Artifact, images: np.ndarray) -> None:
    try:
        result = emulate(digits, get_cpu(name), {"image": images})
    except UsageError as error:
        pytest.skip(str(error))
    np.testing.assert_array_equal(result.outputs["scores"], digits.execute({"image": images}).outputs["scores"])
    macs = sum(operator.macs for operator in digits.description.operators)
    assert macs < result.instructions < 60 * macs
    assert 0 < result.stack_bytes < 1024


def test_a_pool_too_small_is_caught(digits: Artifact, images: np.ndarray, arm_compiler: str) -> None:
    """The firmware gives the model 16 bytes less than it was planned for; the message finds the place."""
    model = digits.description
    (pool,) = model.pools
    smaller = replace(digits.interface, model=replace(model, pools=(replace(pool, bytes=pool.bytes - 16),)))
    broken = replace(
        digits,
        interface=smaller,
        # The array shrinks with the macro that the application declares it by.
        sources=replace(
            digits.sources,
            header=digits.sources.header.replace(f"POOL_SIZE {pool.bytes}\n", f"POOL_SIZE {pool.bytes - 16}\n"),
        ),
    )
    with pytest.raises(VerificationError) as caught:
        emulate(broken, get_cpu("cortex-m4"), {"image": images}, cc=arm_compiler)
    message = str(caught.value)
    assert "model 'digits' on cortex-m4: position 1 (DEPTHWISE_CONV_2D, index 2) " in message
    assert "bytes behind the end of pool 'workspace'" in message
    assert " at digits.c:" in message


def test_misaligned_pools_are_caught_where_the_processor_faults(digits: Artifact, images: np.ndarray) -> None:
    """A Cortex-M0+ cannot load a word from an odd address; the emulator itself would."""
    source = digits.sources.source.replace(
        "_network((int8_t *)pools->workspace);",
        "_network((int8_t *)pools->workspace);\n    *(volatile int32_t *)(void *)(pools->workspace + 1) = 1;",
    )
    assert source != digits.sources.source
    broken = replace(digits, sources=replace(digits.sources, source=source))
    try:
        emulate(broken, get_cpu("cortex-m4"), {"image": images})
        with pytest.raises(VerificationError, match="misaligned write of 4 bytes"):
            emulate(broken, get_cpu("cortex-m0plus"), {"image": images})
    except UsageError as error:
        pytest.skip(str(error))


def test_unknown_emulators_and_missing_processors_are_refused(digits: Artifact, images: np.ndarray) -> None:
    with pytest.raises(UsageError, match="unknown emulator 'simics'"):
        emulate(digits, get_cpu("cortex-m4"), {"image": images}, emulator="simics")
    try:
        with pytest.raises(UsageError, match="unicorn cannot emulate cortex-m55"):
            emulate(digits, get_cpu("cortex-m55"), {"image": images}, emulator="unicorn")
        with pytest.raises(UsageError, match="QEMU has no machine with rv32imc"):
            emulate(digits, get_cpu("rv32imc"), {"image": images}, emulator="qemu", cc="zig")
    except UsageError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def separate() -> Artifact:
    """Inputs and outputs are arrays of the application."""
    return stillpool.compile(example(), workspace_io="none")


@pytest.mark.parametrize("cc", ["gcc", "zig"])
@pytest.mark.parametrize("name", cpu_names())
def test_arrays_of_the_application_lie_apart(name: str, cc: str, separate: Artifact, tmp_path: Path) -> None:
    try:
        firmware = build(separate, get_cpu(name), tmp_path, cc=cc)
    except UsageError as error:
        pytest.skip(str(error))
    arrays = [firmware.image.by_name[array.symbol] for array in firmware.interface.caller.memories()]
    assert len(arrays) == 3
    assert {array.section for array in arrays} == {".stillpool_owned"}
    arrays.sort(key=lambda array: array.address)
    for before, behind in pairwise(arrays):
        assert behind.address - (before.address + before.bytes) >= GUARD_BYTES
