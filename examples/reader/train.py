"""Trains a network that reads a digit row by row, quantises it and writes `reader.tflite`.

Images and held-out images are those of `../digits/train.py`. Needs scikit-learn for them and what the tests need (`make
setup`), but no TensorFlow; the test suite's writer of TFLite files is found by

    PYTHONPATH=test/conformance python examples/reader/train.py
"""

from __future__ import annotations

from pathlib import Path

import lstm
import numpy as np
from lstm import Array
from numpy.typing import NDArray
from quantise import model
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from stillpool.run.oracles.worker import tflm

HERE = Path(__file__).resolve().parent

SEED = 1
EPOCHS = 60
BATCH = 32
RATE = 8e-3
UNITS = 32
SHARES = np.linspace(0, 1, 8) ** 2
"""How much the answer after each row counts: before the last row it is a guess."""


def shifted(images: Array, rng: np.random.Generator) -> Array:
    """[batch, 8, 8], each moved by up to one pixel at random; what is uncovered is blank."""
    wide = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    row, column = (np.arange(8) + rng.integers(0, 3, (len(images), 1)) for _ in range(2))
    return wide[np.arange(len(images))[:, None, None], row[:, :, None], column[:, None, :]]


def train(images: Array, labels: NDArray[np.int64]) -> lstm.Parameters:
    """Adam (Kingma and Ba, 2015) with a rate that falls like a cosine."""
    rng = np.random.default_rng(SEED)
    weights = lstm.parameters(rng, 8, UNITS, 10)
    means, squares = ({name: np.zeros_like(value) for name, value in weights.items()} for _ in range(2))
    cuts = range(BATCH, len(images), BATCH)
    order = [chunk for _ in range(EPOCHS) for chunk in np.split(rng.permutation(len(images)), cuts)]
    for count, chosen in enumerate(order, 1):
        rate = RATE * (1 + np.cos(np.pi * count / len(order))) / 2
        steps = shifted(images[chosen], rng).swapaxes(0, 1)
        for name, slope in lstm.gradients(weights, steps, labels[chosen], SHARES).items():
            means[name] += 0.1 * (slope - means[name])
            squares[name] += 0.001 * (slope**2 - squares[name])
            size = np.sqrt(squares[name] / (1 - 0.999**count)) + 1e-8
            weights[name] -= rate * means[name] / (1 - 0.9**count) / size
    return weights


def guesses(content: bytes, image: Array) -> list[int]:
    """What TFLite Micro's kernels see after each row."""
    run = tflm(content, 1)
    rows = (np.floor(image * 255 + 0.5) - 128).astype(np.int8)
    return [int(run([row[np.newaxis, np.newaxis]])[0].argmax()) for row in rows]


def main() -> None:
    """Train, quantise, write, and say how often it is right after each row."""
    data = load_digits()
    images, held_out, labels, expected = train_test_split(
        data.images / 16, data.target, test_size=0.25, random_state=SEED, stratify=data.target
    )
    weights = train(images, labels)
    logits, tape = lstm.forward(weights, images.swapaxes(0, 1))
    assert max(np.abs(step[-2]).max() for step in tape) < 16, "the int16 cell state holds -16 to 16"
    content = model(weights, logits.min(), logits.max())
    (HERE / "reader.tflite").write_bytes(content)
    answers = {
        "float": lstm.forward(weights, held_out.swapaxes(0, 1))[0].argmax(2).T,
        "int8": np.array([guesses(content, image) for image in held_out]),
    }
    for name, answer in answers.items():
        print(f"{name}: {(answer == expected[:, np.newaxis]).sum(axis=0)} of {len(expected)} right after each row")
    print(f"{len(content)} bytes")


if __name__ == "__main__":
    main()
