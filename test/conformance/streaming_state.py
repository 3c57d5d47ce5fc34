"""A wake-word network that hears a moment at a time: each layer keeps the moments before in a variable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from case import Case, activation, samples_of
from tflite_build import Graph, Operator, Tensor, constant, options, write_graphs


def streaming_network(
    layers: Sequence[tuple[int, int]],
    features: int,
    *,
    dtype: str = "int8",
    stale: bool = False,
    whole: bool = False,
    seed: int = 0,
) -> Case:
    """All variables are read first and assigned last, as converters write them.

    Args:
        layers: moments that each takes, the newest included, and channels that it makes.
        features: channels of the input.
        dtype: of activations: `int8` or `float32`.
        stale: whether what a variable held is used once more after what replaces it is there.
        whole: whether a variable holds all moments, the oldest of which is cut off before the newest comes behind.
        seed: of the weights and samples.
    """
    rng = np.random.default_rng(seed)
    tensors: list[Tensor] = [activation(dtype, (1, features), 0.05)]
    begin: list[Operator] = []
    middle: list[Operator] = []
    end: list[Operator] = []

    def add(tensor: Tensor) -> int:
        tensors.append(tensor)
        return len(tensors) - 1

    def made(width: int) -> int:
        return add(activation(dtype, (1, width), 0.05))

    def numbers(*values: int) -> int:
        return add(constant(np.array(values, np.int32)))

    newest, width = 0, features
    for number, (moments, channels) in enumerate(layers):
        held, all_of_them = (moments if whole else moments - 1) * width, moments * width
        handle = add(Tensor((), "resource"))
        before, window, after, product = made(held), made(all_of_them), made((moments - 1) * width), made(channels)
        name = f"layer_{number}/state"
        begin += [
            Operator("VAR_HANDLE", (), (handle,), options("VarHandle", container="", sharedName=name)),
            Operator("READ_VARIABLE", (handle,), (before,), options("ReadVariable")),
        ]
        if dtype == "int8":
            kernel = constant(rng.integers(-127, 128, (channels, all_of_them)).astype(np.int8), (0.01,))
            bias = constant(rng.integers(-500, 500, channels).astype(np.int32), (0.05 * 0.01,))
        else:
            kernel = constant(rng.normal(0, 0.1, (channels, all_of_them)).astype(np.float32))
            bias = constant(rng.normal(0, 0.1, channels).astype(np.float32))
        places = numbers(0, width), numbers(1, all_of_them), numbers(1, 1)
        joined = after if whole else before
        cut = Operator("STRIDED_SLICE", (before if whole else window, *places), (after,), options("StridedSlice"))
        join = Operator("CONCATENATION", (joined, newest), (window,), options("Concatenation", axis=1))
        middle += [
            *((cut, join) if whole else (join, cut)),
            Operator("FULLY_CONNECTED", (window, add(kernel), add(bias)), (product,), options("FullyConnected")),
        ]
        after = window if whole else after
        if stale:
            kept = made(held)
            middle.append(Operator("MAXIMUM", (before, after), (kept,), options("MaximumMinimum")))
            after = kept
        end.append(Operator("ASSIGN_VARIABLE", (handle, after), (), options("AssignVariable")))
        newest, width = product, channels
    model = write_graphs([Graph(tensors, [*begin, *middle, *end], (0,), (newest,))])
    return Case(model, (samples_of(dtype, rng, (1, features)),), 1e-5 if dtype == "float32" else 0.0)
