"""A float ONNX file in 8 bits, by onnxruntime's own `quantize_static`.

    python quantise_onnx.py model.onnx samples.npz -o model_int8.onnx [--per-tensor] [--unsigned]

`samples.npz` has an array for each input, by name: runs along its first dimension. Their ranges become the scales, so
that they should be such inputs as the application has.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static


class Samples(CalibrationDataReader):
    """Runs of arrays, one after the other."""

    def __init__(self, arrays: Mapping[str, np.ndarray[Any, Any]]):
        count = len(next(iter(arrays.values())))
        self._runs: Iterator[dict[str, Any]] = (
            {name: array[number] for name, array in arrays.items()} for number in range(count)
        )

    def get_next(self) -> Any:
        """The inputs of the next run; None at the end."""
        return next(self._runs, None)


def quantise(
    source: Path,
    target: Path,
    arrays: Mapping[str, np.ndarray[Any, Any]],
    *,
    per_channel: bool = True,
    unsigned: bool = False,
) -> None:
    """Write the quantised file.

    Args:
        source: a float ONNX file.
        target: where the quantised one goes.
        arrays: inputs by name, of all runs.
        per_channel: whether each channel of weights has a scale of its own.
        unsigned: whether activations are uint8; int8 otherwise.
    """
    quantize_static(
        source,
        target,
        Samples(arrays),
        quant_format=QuantFormat.QDQ,
        per_channel=per_channel,
        activation_type=QuantType.QUInt8 if unsigned else QuantType.QInt8,
        weight_type=QuantType.QInt8,
    )


def main() -> None:
    """Read the arguments, and quantise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("samples", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--per-tensor", action="store_true")
    parser.add_argument("--unsigned", action="store_true")
    given = parser.parse_args()
    with np.load(given.samples) as arrays:
        quantise(given.model, given.output, dict(arrays), per_channel=not given.per_tensor, unsigned=given.unsigned)


if __name__ == "__main__":
    main()
