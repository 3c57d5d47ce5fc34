"""Prints samples.npz as a C header for main.c.

Usage: python examples/digits/samples_header.py > samples.h
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

SAMPLES = Path(__file__).resolve().parent / "samples.npz"


def header(pixels: np.ndarray, labels: np.ndarray) -> str:
    """The C text for uint8 pixels [sample, 8, 8] of 0 to 16 and uint8 labels [sample]."""
    rows = [", ".join(map(str, image.reshape(-1))) for image in pixels]
    return "\n".join(
        [
            "/* Held-out images of scikit-learn's handwritten digits: 8x8 pixels of 0 to 16, row by row. */",
            "#ifndef SAMPLES_H",
            "#define SAMPLES_H",
            "#include <stdint.h>",
            f"#define SAMPLES_COUNT {len(labels)}",
            "static const uint8_t samples_pixels[SAMPLES_COUNT][64] = {",
            *(f"    {{{row}}}," for row in rows),
            "};",
            f"static const uint8_t samples_labels[SAMPLES_COUNT] = {{{', '.join(map(str, labels))}}};",
            "#endif",
            "",
        ]
    )


if __name__ == "__main__":
    with np.load(SAMPLES) as samples:
        print(header(samples["pixels"], samples["labels"]), end="")
