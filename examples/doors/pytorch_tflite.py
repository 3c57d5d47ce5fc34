"""A PyTorch network as .tflite files: litert-torch in floats, then ai-edge-quantizer in 8 bits.

    pip install litert-torch ai-edge-quantizer
    python pytorch_tflite.py -o build/litert

The folder gets `model.tflite`, `model_int8.tflite` and `samples.npz`. `stillpool verify` compares each model with
TensorFlow Lite's reference, `stillpool compile` writes the C. Without the packages the script says which are missing.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

import numpy as np

PACKAGES = {"torch": "torch", "litert_torch": "litert-torch", "ai_edge_quantizer": "ai-edge-quantizer"}
"""Modules, and what installs them."""


def main() -> None:
    """Export and quantise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    folder: Path = parser.parse_args().output
    missing = [package for module, package in PACKAGES.items() if importlib.util.find_spec(module) is None]
    if missing:
        sys.exit(f"error: not installed: {', '.join(missing)}; pip install {' '.join(missing)}")
    folder.mkdir(parents=True, exist_ok=True)
    samples = np.random.default_rng(0).normal(size=(16, 1, 1, 8, 8)).astype(np.float32)
    np.savez(folder / "samples.npz", image=samples)
    export(folder / "model.tflite", samples[0])
    quantise(folder / "model.tflite", folder / "model_int8.tflite", samples)


def export(file: Path, sample: np.ndarray) -> None:
    """Write a small network in floats: put yours here."""
    import litert_torch
    import torch
    from torch import nn

    torch.manual_seed(0)
    network = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1, groups=8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(128, 10),
    ).eval()
    litert_torch.convert(network, (torch.from_numpy(sample),)).export(str(file))


def quantise(file: Path, target: Path, samples: np.ndarray) -> None:
    """Write the network with weights and activations of 8 bits, whose ranges come from samples."""
    from ai_edge_quantizer import quantizer, recipe

    made = quantizer.Quantizer(str(file), recipe.static_wi8_ai8())
    ranges = made.calibrate({"serving_default": [{"args_0": sample} for sample in samples]})
    made.quantize(ranges).export_model(str(target), overwrite=True)


if __name__ == "__main__":
    main()
