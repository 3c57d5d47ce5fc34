"""PyTorch networks of floats as TOSA text, by torch-mlir.

    pip install torch torch-mlir
    python torch_mlir_tosa.py -o build/torch-mlir

The folder gets `cnn.mlir` and `transformer.mlir`. Then `stillpool compile build/torch-mlir/cnn.mlir` writes the C.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn
from torch_mlir import fx


class Transformer(nn.Module):
    """One block: attention over rows, normalisation, two dense layers."""

    def __init__(self, width: int = 16, heads: int = 2):
        super().__init__()
        self.width, self.heads = width, heads
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.inner = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Rows of the same width."""
        batch, count, _ = rows.shape
        query, key, value = (
            of(rows).reshape(batch, count, self.heads, self.width // self.heads).transpose(1, 2)
            for of in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(2, 3) * (self.width // self.heads) ** -0.5
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, count, self.width)
        rows = self.first(rows + self.mix(mixed))
        return self.second(rows + self.inner(rows))


def cnn() -> nn.Module:
    """Convolutions, one with normalised channels, a pool and a dense layer."""
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, padding=1, groups=8),
        nn.ReLU6(),
        nn.Conv2d(8, 16, 1),
        nn.ReLU(),
        nn.AvgPool2d(8),
        nn.Flatten(),
        nn.Linear(16, 10),
    )


def main() -> None:
    """Export both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    folder: Path = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, network, shape in (("cnn", cnn(), (1, 3, 16, 16)), ("transformer", Transformer(), (1, 6, 16))):
        module = fx.export_and_import(network.eval(), torch.randn(shape), output_type=fx.OutputType.TOSA)
        (folder / f"{name}.mlir").write_text(str(module))


if __name__ == "__main__":
    main()
