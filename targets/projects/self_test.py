"""The self-test of a compiled model: a C program that anyone can build, with golden outputs when there are any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..c.literals import floating
from ..interfaces.caller import Caller, Watched
from ..interfaces.description import Description, Tensor
from ..interfaces.interface import Interface
from ..interfaces.native import comment_text
from .operator_sums import DECLARED, HOOK, OperatorSum, operator_code

FLOAT_TOLERANCE = 1e-5
"""Accepted error of a float output relative to the largest golden value of that output."""


@dataclass(frozen=True)
class Golden:
    """Expected outputs of the samples that the generator makes from `SEED`."""

    source: str
    """Who computed them, in words."""
    samples: int
    outputs: tuple[NDArray[Any], ...]
    """Per output: (samples, *shape)."""
    operators: tuple[OperatorSum, ...] = ()
    """Bytes that operators must leave in the pools, where a run tells of them."""


SEED = 1
SAMPLES = 3
MOST_VALUES = 1 << 22
"""Elements of inputs and outputs, of all samples, beyond which nobody is asked for expected outputs."""

_COMMON = """\
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t state = {seed}u;

static uint32_t next(void)
{{
    state = state * 1664525u + 1013904223u;
    return state;
}}

"""

_GUARDS = """\
static int intact(const uint8_t *bytes, int count)
{
    int i;
    for (i = 0; i < count; ++i) {
        if (bytes[i] != 0xA5) {
            return 0;
        }
    }
    return 1;
}

"""


def self_test(interface: Interface, golden: Golden | None) -> str:
    """C99 text of `test/test_<m>.c`: exit 0 when right, 1 when wrong, one line of prose each.

    It also watches that `run` writes nothing beside its pools, and that null and misaligned pools are refused.
    """
    model, caller = interface.model, interface.caller
    watched = caller.watched()
    head = f"/* Self-test of {comment_text(model.name)}. {_provenance(golden)} */\n"
    starts = {pool.name: f"{pool.array} + {pool.margin}" for pool in watched}
    sums = [sum for sum in golden.operators if sum.pool in starts] if golden is not None else []
    parts = [
        head,
        f'#include "{caller.include}"\n\n',
        _COMMON.format(seed=SEED),
        DECLARED if sums else "",
        # Interfaces of other packages need not know of hooks.
        caller.storage(guarded=bool(watched), hook=HOOK) if sums else caller.storage(guarded=bool(watched)),
        "\n",
        operator_code(sums, starts, len(model.operators), SAMPLES) if sums else "",
        _GUARDS if watched else "",
        *(_golden_array(tensor, values) for tensor, values in _pairs(model, golden)),
        _main(interface, golden, watched, sums=bool(sums)),
    ]
    return "".join(parts)


def _provenance(golden: Golden | None) -> str:
    if golden is None:
        return (
            "No reference interpreter was at hand when it was written, or its arrays would have been too large,\n"
            " * so it knows no expected outputs and checks only return codes and the bounds of the pools."
        )
    return f"Expected outputs: {comment_text(golden.source)}."


def _pairs(model: Description, golden: Golden | None) -> list[tuple[Tensor, NDArray[Any]]]:
    return [] if golden is None else list(zip(model.outputs, golden.outputs, strict=True))


def _literal(value: Any, dtype: np.dtype[Any]) -> str:
    if dtype.kind != "f":
        return f"(-{2**31 - 1} - 1)" if int(value) == -(2**31) else str(int(value))
    if np.isnan(value):
        return "NAN"
    return floating(float(value), "f") if np.isfinite(value) else ("INFINITY" if value > 0 else "-INFINITY")


def _golden_array(tensor: Tensor, values: NDArray[Any]) -> str:
    literals = [_literal(value, values.dtype) for value in values.reshape(-1)]
    rows = [", ".join(literals[start : start + 16]) for start in range(0, len(literals), 16)]
    body = "".join(f"    {row},\n" for row in rows)
    return f"static const {tensor.c_type} golden_{tensor.identifier}[] = {{\n{body}}};\n\n"


def _fill(caller: Caller, tensor: Tensor) -> list[str]:
    dtype = np.dtype(tensor.dtype)
    if dtype.kind == "f":
        scale = "8388608.0f" if tensor.dtype == "float32" else "8388608.0"
        value = f"({tensor.c_type})((int32_t)(next() >> 8) - 8388608) / {scale}"
    elif dtype.kind == "b":
        value = "(next() >> 31) != 0u"
    else:
        bits = 8 * min(dtype.itemsize, 4)
        value = f"({tensor.c_type})(int32_t)(next() >> {32 - bits})"
        if dtype.kind == "i" and bits < 32:
            # The top bits as a signed number, without leaning on a conversion that C leaves to the compiler.
            half = 1 << (bits - 1)
            value = f"({tensor.c_type})((int32_t)((next() >> {32 - bits}) ^ {half}u) - {half})"
    return [
        f"        for (i = 0; i < {caller.count('input', tensor)}; ++i) {{",
        f"            {caller.elements('input', tensor)}[i] = {value};",
        "        }",
    ]


def _compare(caller: Caller, tensor: Tensor, values: NDArray[Any], *, sums: bool) -> list[str]:
    count = caller.count("output", tensor)
    got, want = f"{caller.elements('output', tensor)}[i]", f"golden_{tensor.identifier}[sample * {count} + i]"
    condition = f"{got} != {want}"
    if values.dtype.kind == "f":
        finite = np.abs(values[np.isfinite(values)])
        bound = FLOAT_TOLERANCE * (float(finite.max()) if finite.size and finite.max() else 1.0)
        condition = f"!(fabs((double){got} - (double){want}) <= {bound:.9g}) && {got} != {want}"
    return [
        f"        for (i = 0; i < {count}; ++i) {{",
        f"            if ({condition}) {{",
        f'                printf("FAIL: sample %d, output {tensor.identifier}[%d]: %.9g, expected %.9g\\n",',
        f"                       sample, i, (double){got}, (double){want});",
        *(["                name_operator();"] if sums else []),
        "                return 1;",
        "            }",
        "        }",
    ]


def _main(interface: Interface, golden: Golden | None, watched: Sequence[Watched], *, sums: bool) -> str:
    model, caller = interface.model, interface.caller
    statements = caller.setup(guarded=bool(watched))
    if golden is None:
        statements += caller.unused()
    statements += [f"memset({pool.array}, 0xA5, sizeof {pool.array});" for pool in watched]
    lines = ["int main(void)", "{", "    int sample, i;"]
    lines += [f"    {statement}" for statement in [*statements, *caller.reset()]]
    lines.append(f"    for (sample = 0; sample < {SAMPLES}; ++sample) {{")
    lines += [f"        {statement}" for statement in caller.other_slot()]
    for tensor in model.inputs:
        lines += _fill(caller, tensor)
    lines += ["        current_sample = sample;"] if sums else []
    lines += [f"        i = (int){caller.call()};", "        if (i != 0) {"]
    lines += [
        f'            printf("FAIL: {interface.run_function} returned %d\\n", i);',
        "            return 1;",
        "        }",
    ]
    for tensor, values in _pairs(model, golden):
        lines += _compare(caller, tensor, values, sums=sums)
    lines.append("    }")
    for pool in watched:
        lines += [
            f"    if (!intact({pool.array}, {pool.margin})"
            f" || !intact({pool.array} + {pool.margin} + {pool.size}, {pool.margin})) {{",
            f'        printf("FAIL: bytes beside pool {pool.name} were written\\n");',
            "        return 1;",
            "    }",
            *_refusals(pool),
        ]
    said = f"{SAMPLES} samples equal the golden outputs" if golden else f"{SAMPLES} samples ran; no golden outputs"
    lines += [f'    printf("PASS: {said}\\n");', "    return 0;", "}", ""]
    return "\n".join(lines)


def _refusals(pool: Watched) -> list[str]:
    lines: list[str] = []
    for refusal in pool.refusals:
        lines += [
            *(f"    {statement}" for statement in refusal.before),
            f"    if ({refusal.call} != {refusal.code}) {{",
            f'        printf("FAIL: {refusal.what} was not refused\\n");',
            "        return 1;",
            "    }",
        ]
    return [*lines, *(f"    {statement}" for statement in pool.restore)]
