"""Quantises the network to int8, weights per tensor, and writes it as a TFLite file.

A run takes one row of 8 pixels and gives 10 scores: UNIDIRECTIONAL_SEQUENCE_LSTM of one step, FULLY_CONNECTED, SOFTMAX.
What it has seen of a digit is in two variable tensors, the hidden state (int8) and the cell state (int16).
"""

from __future__ import annotations

import lstm
import numpy as np
from lstm import Array
from tflite_build import Operator, Tensor, constant, options, write_model


def quantised(real: Array) -> Tensor:
    """int8 weights [out, in] of [in, out], symmetric."""
    scale = float(np.float32(np.abs(real).max() / 127))
    return constant(np.round(real.T / scale).astype(np.int8), (scale,))


def bias(real: Array, *scales: float) -> Tensor:
    """int32 at the scale of the products to which it is added."""
    scale = float(np.float32(np.prod(scales)))
    return constant(np.round(real / scale).astype(np.int32), (scale,))


def model(weights: lstm.Parameters, low: float, high: float) -> bytes:
    """The TFLite file; the logits lie between `low` and `high`."""
    units = len(weights["recurrent"])
    row = Tensor((1, 1, 8), "int8", (float(np.float32(1 / 255)),), (-128,), name="row")
    state = Tensor((1, units), "int8", (1 / 128,), (0,), variable=True, name="hidden_state")
    cell = Tensor((1, units), "int16", (2.0**-11,), (0,), variable=True, name="cell_state")
    hidden = Tensor((1, 1, units), "int8", (1 / 128,), (0,), name="hidden")
    scale = float(np.float32((high - low) / 255))
    logits = Tensor((1, 10), "int8", (scale,), (int(np.round(-128 - low / scale)),), name="logits")
    scores = Tensor((1, 10), "int8", (1 / 256,), (-128,), name="scores")
    kernels = [quantised(part) for name in ("input", "recurrent") for part in np.split(weights[name], 4, axis=1)]
    biases = [
        bias(part, row.scales[0], kernel.scales[0])
        for part, kernel in zip(np.split(weights["bias"], 4), kernels[:4], strict=True)
    ]
    dense = quantised(weights["dense"])
    tensors = [row, *kernels, *biases, state, cell, hidden, dense]
    tensors += [bias(weights["dense_bias"], hidden.scales[0], dense.scales[0]), logits, scores]
    none = -1
    given = [*range(9), none, none, none, *range(9, 13), none, none, 13, 14, none, none, none, none]
    tanh = options("UnidirectionalSequenceLSTM", fusedActivationFunction=4)
    operators = [
        Operator("UNIDIRECTIONAL_SEQUENCE_LSTM", given, [15], tanh),
        Operator("FULLY_CONNECTED", [15, 16, 17], [18], options("FullyConnected")),
        Operator("SOFTMAX", [18], [19], options("Softmax", beta=1.0)),
    ]
    return write_model(tensors, operators, [0], [19], signature=(["row"], ["scores"]))
