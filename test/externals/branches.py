"""A model of two branches: a convolution, and pooling that can run beside it."""

# pyright: reportMissingImports=false
# Modules beside this folder are found at run time.

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
from tflite_build import RELU, SAME, Operator, Tensor, constant, options, write_model
from toolchain import build, unpack

import stillpool

EXAMPLES = Path(__file__).parents[2] / "examples"
ACCELERATOR = EXAMPLES / "accelerator" / "accelerator.c"
ASYNCHRONOUS = EXAMPLES / "accelerator" / "asynchronous.c"
DIGITS = EXAMPLES / "digits" / "digits.tflite"

IMAGE = (1, 6, 6, 4)


def two_branches() -> bytes:
    """`sum = conv(x) + mean(max(x))`, all of one shape; tensors `x`, `convolved`, `largest`, `mean`, `sum`."""
    rng = np.random.default_rng(7)
    filters = rng.integers(-127, 128, (4, 3, 3, 4)).astype(np.int8)
    bias = rng.integers(-500, 500, 4).astype(np.int32)
    tensors = [
        Tensor(IMAGE, "int8", (0.05,), (3,), name="x"),
        constant(filters, (0.01, 0.02, 0.015, 0.012), axis=0),
        constant(bias, (0.0005, 0.001, 0.00075, 0.0006), axis=0),
        Tensor(IMAGE, "int8", (0.1,), (-4,), name="convolved"),
        Tensor(IMAGE, "int8", (0.05,), (3,), name="largest"),
        Tensor(IMAGE, "int8", (0.05,), (3,), name="mean"),
        Tensor(IMAGE, "int8", (0.1,), (-4,), name="sum"),
    ]
    window = {"padding": SAME, "strideW": 1, "strideH": 1}
    pool = {**window, "filterWidth": 3, "filterHeight": 3}
    dilation = {"dilationWFactor": 1, "dilationHFactor": 1}
    operators = [
        Operator("CONV_2D", (0, 1, 2), (3,), options("Conv2D", **window, **dilation, fusedActivationFunction=RELU)),
        Operator("MAX_POOL_2D", (0,), (4,), options("Pool2D", **pool)),
        Operator("AVERAGE_POOL_2D", (4,), (5,), options("Pool2D", **pool)),
        Operator("ADD", (3, 5), (6,), options("Add")),
    ]
    return write_model(tensors, operators, [0], [6])


def images(count: int) -> list[dict[str, np.ndarray]]:
    """Inputs of that model."""
    rng = np.random.default_rng(11)
    return [{"x": rng.integers(-128, 128, IMAGE).astype(np.int8)} for _ in range(count)]


def status(
    made: stillpool.Artifact, folder: Path, compiler: str = "gcc", flags: tuple[str, ...] = ("-std=c99",)
) -> str:
    """What a run of the model returns."""
    unpack(made.files, folder)
    (folder / "main.c").write_text(
        '#include "branches.h"\n#include "branches_external.h"\n#include <stdio.h>\n\n'
        "STILLPOOL_ALIGNED(64) static uint8_t memory[4096];\n\n"
        "int main(void)\n{\n    branches_workspace_pools pools;\n    pools.workspace = memory;\n"
        '    printf("%d", (int)branches_run(&pools));\n    return 0;\n}\n'
    )
    sources = ["main.c", *(path for path in made.files if path.startswith("src/") and path.endswith(".c"))]
    program = build(folder, compiler, flags, sources)
    return subprocess.run([program], capture_output=True, text=True, check=True, timeout=600).stdout
