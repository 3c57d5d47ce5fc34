"""A layer of LSTM cells and a classifier behind it, in numpy: probabilities and gradients.

S. Hochreiter and J. Schmidhuber, "Long Short-Term Memory", 1997, with the forget gate of Gers et al., 2000; the
gradient is carried back through all steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Parameters = dict[str, Array]

GATES = "input", "forget", "cell", "output"


def parameters(rng: np.random.Generator, depth: int, units: int, classes: int) -> Parameters:
    """Initial values; `input`, `recurrent` and `bias` hold the four gates one behind the other in their columns."""
    bias = np.zeros(4 * units)
    bias[units : 2 * units] = 1.0  # Cells remember until they have learnt to forget.
    return {
        "input": rng.normal(0, depth**-0.5, (depth, 4 * units)),
        "recurrent": rng.normal(0, units**-0.5, (units, 4 * units)),
        "bias": bias,
        "dense": rng.normal(0, units**-0.5, (units, classes)),
        "dense_bias": np.zeros(classes),
    }


def forward(weights: Parameters, steps: Array) -> tuple[Array, list[tuple[Array, ...]]]:
    """Logits [time, batch, class] for `steps` [time, batch, depth], and what the gradient needs of each step."""
    units = len(weights["recurrent"])
    hidden = cell = np.zeros((steps.shape[1], units))
    logits, tape = [], []
    for step in steps:
        before = hidden, cell
        sums = step @ weights["input"] + hidden @ weights["recurrent"] + weights["bias"]
        write, keep, new, show = np.split(sums, 4, axis=1)
        write, keep, show = (1 / (1 + np.exp(-gate)) for gate in (write, keep, show))
        new = np.tanh(new)
        cell = keep * cell + write * new
        hidden = show * np.tanh(cell)
        tape.append((step, *before, write, keep, new, show, cell, hidden))
        logits.append(hidden @ weights["dense"] + weights["dense_bias"])
    return np.stack(logits), tape


def gradients(weights: Parameters, steps: Array, labels: NDArray[np.int64], shares: Array) -> Parameters:
    """Of the mean cross entropy, to which each step's answer counts by its share."""
    logits, tape = forward(weights, steps)
    odds = np.exp(logits - logits.max(axis=2, keepdims=True))
    wrong = odds / odds.sum(axis=2, keepdims=True) - np.eye(logits.shape[2])[labels]
    wrong *= shares[:, np.newaxis, np.newaxis] / len(labels)
    found = {name: np.zeros_like(value) for name, value in weights.items()}
    to_hidden = to_cell = np.zeros_like(tape[0][1])
    for error, (step, old_hidden, old_cell, write, keep, new, show, cell, hidden) in zip(
        wrong[::-1], reversed(tape), strict=True
    ):
        found["dense"] += hidden.T @ error
        found["dense_bias"] += error.sum(axis=0)
        to_hidden = to_hidden + error @ weights["dense"].T
        seen = np.tanh(cell)
        to_cell = to_cell + to_hidden * show * (1 - seen**2)
        to_sums = np.concatenate(
            [
                to_cell * new * write * (1 - write),
                to_cell * old_cell * keep * (1 - keep),
                to_cell * write * (1 - new**2),
                to_hidden * seen * show * (1 - show),
            ],
            axis=1,
        )
        found["input"] += step.T @ to_sums
        found["recurrent"] += old_hidden.T @ to_sums
        found["bias"] += to_sums.sum(axis=0)
        to_hidden, to_cell = to_sums @ weights["recurrent"].T, to_cell * keep
    return found
