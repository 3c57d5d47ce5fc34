"""What public quantised models take on Cortex-M4 at -O2: the stack of any run, and code and tables beside the weights.

TFLite Micro with CMSIS-NN takes up to 1,340 bytes of stack; its code for a model's operators alone, release build at
its default flags, is what `PEERS` says.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import sweeps
from models import public

import stillpool
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.run.emulate.build import build
from stillpool.run.emulate.figures import measured_sizes, worst_case_stack

PEERS = {"ad01_int8": 27_272, "kws_int8": 52_872, "resnet8_int8": 53_204, "vww_int8": 55_400}
"""Bytes of code, without the model."""
STACK_BYTES = 600
QUANTISED = (
    *PEERS,
    "hello_world_int8",
    "keras_lstm_mnist_ptq",
    "keyword_scrambled_8bit",
    "micro_speech_quantized",
    "mobilenet_v1_0.25_128_uint8",
    *(["mobilenet_v2_quantized_1x3x224x224"] if sweeps.LONG else []),
    "person_detect",
    "simple_add_model",
    "split_concat",
    "strww_int8",
    "trained_lstm_int8",
)


@pytest.mark.parametrize("name", QUANTISED)
def test_stack_code_and_tables(name: str, tmp_path: Path) -> None:
    artifact = stillpool.compile([public(name)], target="cortex-m4", optimize="size", planner_seconds=0.05)
    try:
        firmware = build(artifact, get_cpu("cortex-m4"), tmp_path, opt="2")
    except UsageError as error:
        pytest.skip(str(error))
    stack = worst_case_stack(firmware)
    assert stack is not None
    assert stack <= STACK_BYTES
    if name in PEERS:
        sizes = measured_sizes(firmware)
        assert sizes.code + sizes.tables + sizes.padding <= PEERS[name] // 2
