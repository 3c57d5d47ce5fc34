"""A PyTorch network as a TOSA flatbuffer in 8 bits, by ExecuTorch's Arm backend.

    pip install executorch tosa-tools
    python executorch_tosa.py -o build/executorch

The folder gets a `.tosa` file for each part of the network that the backend takes; here it takes all of it. Its
rescales have the rounding SINGLE_ROUND. Then `stillpool verify build/executorch/*.tosa` compares with the TOSA
reference model, and `stillpool compile` writes the C.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from executorch.backends.arm.quantizer import TOSAQuantizer, get_symmetric_quantization_config
from executorch.backends.arm.tosa import TosaSpecification
from executorch.backends.arm.tosa.compile_spec import TosaCompileSpec
from executorch.backends.arm.tosa.partitioner import TOSAPartitioner
from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

SHAPE = (1, 3, 16, 16)
RUNS = 16
"""Runs whose ranges become the scales."""


def network() -> nn.Module:
    """A small one: put yours here."""
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, padding=1, groups=8),
        nn.ReLU(),
        nn.Conv2d(8, 16, 1),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(256, 10),
    ).eval()


def main() -> None:
    """Quantise and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    folder: Path = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    spec = TosaCompileSpec(TosaSpecification.create_from_string("TOSA-1.0+INT"))
    spec.dump_intermediate_artifacts_to(str(folder))
    sample = (torch.randn(SHAPE),)
    # Without guards, for the quantiser does not know their operators.
    graph = torch.export.export(network(), sample).module(check_guards=False)
    quantiser = TOSAQuantizer(spec).set_global(get_symmetric_quantization_config(is_per_channel=True))
    prepared = prepare_pt2e(graph, quantiser)
    for _ in range(RUNS):
        prepared(torch.randn(SHAPE))
    quantised = torch.export.export(convert_pt2e(prepared), sample)
    to_edge_transform_and_lower(
        quantised,
        partitioner=[TOSAPartitioner(spec)],
        compile_config=EdgeCompileConfig(_check_ir_validity=False),
    )


if __name__ == "__main__":
    main()
