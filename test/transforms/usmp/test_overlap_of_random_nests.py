"""Random loop nests: the distances that the analysis finds, and what `usmp-check` accepts, against execution."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from random_nests import SIZES, Nest, is_sound, nests
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from stillpool.driver import pipeline
from stillpool.errors import StillpoolError
from stillpool.transforms.usmp.overlap_distance import distance
from stillpool.transforms.usmp.structure import functions
from stillpool.transforms.usmp.turning import turned

CASES = settings(max_examples=150)


def parsed(text: str) -> ModuleOp:
    return Parser(pipeline.context(), text).parse_module()


def operator(nest: Nest) -> func.FuncOp:
    return functions(parsed(nest.mlir()))["nest"]


def found(function: func.FuncOp, *, above: bool) -> int | None:
    given, output = function.body.block.args
    return distance(function, given, output, above=above)


@CASES
@given(nest=nests())
def test_the_distance_below_is_the_least_sound_one(nest: Nest) -> None:
    function = operator(nest)
    ahead = found(function, above=False)
    assert ahead is not None
    assert all(is_sound(function, d) for d in range(ahead, nest.output_bytes + 1))
    assert ahead == 0 or not is_sound(function, ahead - 1)


@CASES
@given(nest=nests())
def test_turned_the_distance_above_is_the_least_sound_one(nest: Nest) -> None:
    function = operator(nest)
    copy = turned(function)
    assert (copy is None) == nest.twice
    if copy is None:
        return
    above = found(copy, above=True)
    assert above is not None
    assert all(is_sound(copy, -d) for d in range(above, nest.input_bytes + 1))
    assert above == 0 or not is_sound(copy, 1 - above)


def offsets(nest: Nest) -> Iterator[tuple[int, int]]:
    """Offsets of input and output at which the two overlap in all ways that their alignments allow."""
    whole = nest.input_bytes + nest.output_bytes
    a, b = SIZES[nest.source], SIZES[nest.target]
    for y, x in product(range(0, whole, max(1, whole // 12)), (0, nest.output_bytes // 2)):
        yield x // a * a, y // b * b


@settings(max_examples=25)
@given(nest=nests())
def test_the_check_accepts_what_is_sound_and_nothing_else(nest: Nest) -> None:
    function = operator(nest)
    for at in offsets(nest):
        module = parsed(nest.mlir(at=at, size=2 * (nest.input_bytes + nest.output_bytes)))
        if is_sound(function, at[0] - at[1]):
            pipeline.apply(module, "usmp-check", where="nest")
        else:
            with pytest.raises(StillpoolError, match="written over it"):
                pipeline.apply(module, "usmp-check", where="nest")
