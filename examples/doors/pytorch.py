"""A PyTorch network as an ONNX file in 8 bits: `torch.onnx`, then `quantise_onnx.py`.

    pip install torch onnx onnxruntime onnxscript
    python pytorch.py -o build/pytorch

The folder gets `model.onnx`, `model_int8.onnx` and `samples.npz`. Then `stillpool verify build/pytorch/model_int8.onnx`
compares, and `stillpool compile` writes the C.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch  # pyright: ignore[reportMissingImports]
from quantise_onnx import quantise
from torch import nn  # pyright: ignore[reportMissingImports]


def network() -> nn.Module:
    """A small one: put yours here."""
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1, groups=8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(128, 10),
    ).eval()


def main() -> None:
    """Export and quantise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    folder: Path = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    samples = np.random.default_rng(0).normal(size=(16, 1, 1, 8, 8)).astype(np.float32)
    np.savez(folder / "samples.npz", image=samples)
    torch.onnx.export(
        network(),
        (torch.from_numpy(samples[0]),),
        folder / "model.onnx",
        input_names=["image"],
        output_names=["scores"],
        dynamo=True,
        external_data=False,
    )
    quantise(folder / "model.onnx", folder / "model_int8.onnx", {"image": samples})


if __name__ == "__main__":
    main()
