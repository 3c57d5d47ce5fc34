"""Arrays to run models on: what users give, checked; and random ones, reproducible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..targets.interfaces.description import Description, Tensor

Array = NDArray[Any]


def random_inputs(model: Description, samples: int, seed: int) -> dict[str, Array]:
    """`samples` random arrays per input, stacked: {name: (samples, *shape)}.

    Integers cover the whole range of their type evenly, indices that of valid ones; floats are standard normal. The
    same seed gives the same arrays.
    """
    generator = np.random.default_rng(seed)
    return {tensor.name: _random(generator, tensor, samples) for tensor in model.inputs}


def ends(model: Description, seed: int) -> dict[str, Array]:
    """Two samples per input of the ends of what it may be, stacked as those of `random_inputs`.

    Each integer of the first is the least or the most by chance. All of the second are the least, or of every second
    input the most: sums of products are as large as they can be. Floats are as random ones.
    """
    generator = np.random.default_rng(seed)
    made: dict[str, Array] = {}
    for number, tensor in enumerate(model.inputs):
        random = _random(generator, tensor, 2)
        if random.dtype.kind not in "biu":
            made[tensor.name] = random
            continue
        least, most = _range(tensor)
        by_chance = generator.integers(0, 2, (1, *tensor.shape))
        is_most = np.concatenate([by_chance, np.full_like(by_chance, number % 2)])
        made[tensor.name] = np.where(is_most == 1, most, least).astype(random.dtype)
    return made


def _range(tensor: Tensor) -> tuple[int, int]:
    """The least and the most that an element of integers may be."""
    dtype = np.dtype(tensor.dtype)
    if dtype.kind == "b":
        return 0, 1
    limits = np.iinfo(dtype)
    least, most = tensor.limits or (int(limits.min), int(limits.max))
    return max(least, int(limits.min)), min(most, int(limits.max))


def _random(generator: np.random.Generator, tensor: Tensor, samples: int) -> Array:
    shape = (samples, *tensor.shape)
    dtype = np.dtype(tensor.dtype)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    if tensor.limits:
        least, most = tensor.limits
        if dtype.kind in "iu":
            most = min(most, int(np.iinfo(dtype).max))
        return generator.integers(least, most, shape, endpoint=True).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return generator.standard_normal(shape).astype(dtype)


def _sequence(state: int, count: int) -> NDArray[np.uint32]:
    """The next states of that generator: those at hand, that many steps further, give as many more."""
    words = np.empty(count, np.uint32)
    factor, summand, known = 1664525, 1013904223, min(1, count)
    words[:known] = (state * factor + summand) & 0xFFFFFFFF
    while known < count:
        more = min(known, count - known)
        words[known : known + more] = words[:more] * np.uint32(factor) + np.uint32(summand)
        factor, summand = factor * factor & 0xFFFFFFFF, (factor * summand + summand) & 0xFFFFFFFF
        known += more
    return words


def linear_congruential(tensor: Tensor, state: int) -> tuple[Array, int]:
    """One array from the generator `s = s * 1664525 + 1013904223 (mod 2**32)`, and the generator's next state.

    Integers take the top bits of `s`, floats are `((s >> 8) - 2**23) / 2**23` in [-1, 1): simple enough to repeat
    in C, so that tests need not carry their inputs. Shape and dtype are the tensor's.
    """
    words = _sequence(state, tensor.count)
    state = int(words[-1]) if len(words) else state
    dtype = np.dtype(tensor.dtype)
    if dtype.kind == "f":
        values = ((words >> 8).astype(np.int64) - (1 << 23)).astype(dtype) / dtype.type(1 << 23)
    elif dtype.kind == "b":
        values = (words >> 31).astype(dtype)
    else:
        values = (words.view(np.int32) >> (32 - 8 * min(dtype.itemsize, 4))).astype(dtype)
    return values.reshape(tensor.shape), state


def checked_inputs(model: Description, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The user's arrays in the model's order, by model names; C identifiers are accepted as names too.

    Raises:
        InputError: an array is missing, not an input, or of another dtype or shape.
    """
    given = _by_name(model, arrays)
    for tensor in model.inputs:
        array = given[tensor.name]
        if array.dtype != np.dtype(tensor.dtype) or array.shape != tensor.shape:
            raise _misfit(model, tensor, array, tensor.shape)
    return given


def checked_samples(model: Description, stacked: Mapping[str, Array]) -> dict[str, Array]:
    """Check arrays of samples stacked on the first axis; return them by name.

    Raises:
        InputError: as `checked_inputs`, or the inputs hold different numbers of samples.
    """
    given = _by_name(model, stacked)
    count: int | None = None
    for tensor in model.inputs:
        array = given[tensor.name]
        count = len(array) if count is None and array.ndim else count
        if array.dtype != np.dtype(tensor.dtype) or array.shape != (count, *tensor.shape):
            raise _misfit(model, tensor, array, ("samples" if count is None else count, *tensor.shape))
    return given


def one_or_more(model: Description, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The user's arrays as stacked samples: an array of an input's own shape is one sample, with one axis more several.

    Raises:
        InputError: an array is missing, not an input, of another dtype or shape, or of another number of samples.
    """
    given = _by_name(model, arrays)
    shapes = {tensor.name: tensor.shape for tensor in model.inputs}
    stacked = {name: array[np.newaxis] if array.shape == shapes[name] else array for name, array in given.items()}
    return checked_samples(model, stacked)


def _by_name(model: Description, arrays: Mapping[str, Array]) -> dict[str, Array]:
    known = {tensor.identifier: tensor.name for tensor in model.inputs} | {t.name: t.name for t in model.inputs}
    given: dict[str, Array] = {}
    for name, array in arrays.items():
        if name not in known:
            listed = ", ".join(f"'{tensor.name}'" for tensor in model.inputs) or "none"
            raise InputError(f"model '{model.name}' has no input '{name}'", remedy=f"its inputs are {listed}")
        if known[name] in given:
            raise InputError(f"model '{model.name}': input '{known[name]}' is given twice")
        given[known[name]] = np.asarray(array)
    for tensor in model.inputs:
        if tensor.name not in given:
            raise InputError(
                f"model '{model.name}': input '{tensor.name}' is missing",
                remedy=f"give {tensor.dtype} of shape {list(tensor.shape)}",
            )
    return {tensor.name: given[tensor.name] for tensor in model.inputs}


def _misfit(model: Description, tensor: Tensor, array: Array, shape: Sequence[int | str]) -> InputError:
    wanted = ", ".join(map(str, shape))
    return InputError(
        f"model '{model.name}', input '{tensor.name}': expected {tensor.dtype} of shape [{wanted}], "
        f"got {array.dtype} of shape {list(array.shape)}"
    )
