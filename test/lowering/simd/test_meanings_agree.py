"""What `lower-simd` makes of operations of `simd`, run by MLIR's own code, is what C's functions for them compute.

Words are compared with numpy, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from stillpool.dialects.simd import lanes, words
from stillpool.lowering.kernels.armv7em import instructions as armv7em
from stillpool.lowering.kernels.thumb import KernelOp
from stillpool.lowering.kernels.thumb.control import YieldOp
from stillpool.lowering.kernels.thumb.instruction import Simple
from stillpool.lowering.kernels.thumb.interpreter import interpret
from stillpool.lowering.kernels.thumb.machine import Machine

Agree = Callable[..., str]

COUNT = 64
WORDS = [kind for kind in words.__dict__.values() if isinstance(kind, type) and kind.__name__.endswith("Op")]
RNG = np.random.default_rng(7)


def lanes_of(word: np.ndarray) -> np.ndarray:
    return word.astype("<i4").view("<i2").reshape(-1, 2).astype(np.int64)


def bytes_of(word: np.ndarray, kind: str = "i1") -> np.ndarray:
    return word.astype("<i4").view(kind).reshape(-1, 4).astype(np.int64)


def of_lanes(parts: np.ndarray) -> np.ndarray:
    return parts.astype("<i2").reshape(-1).view("<i4")


def of_bytes(parts: np.ndarray) -> np.ndarray:
    return parts.astype("<i1").reshape(-1).view("<i4")


def wide(*values: np.ndarray) -> list[np.ndarray]:
    return [value.astype(np.int64) for value in values]


EXPECTED: dict[str, Callable[..., np.ndarray]] = {
    "pack": lambda a, b: of_lanes(np.stack([lanes_of(a)[:, 0], lanes_of(b)[:, 0]], -1)),
    "pack_high": lambda a, b: of_lanes(np.stack([lanes_of(a)[:, 1], lanes_of(b)[:, 1]], -1)),
    "unpack_even": lambda a: of_lanes(bytes_of(a)[:, 0::2]),
    "unpack_odd": lambda a: of_lanes(bytes_of(a)[:, 1::2]),
    "unpack_next": lambda a: of_lanes(bytes_of(a)[:, 1::2]),
    "unpack_even_unsigned": lambda a: of_lanes(bytes_of(a, "u1")[:, 0::2]),
    "unpack_odd_unsigned": lambda a: of_lanes(bytes_of(a, "u1")[:, 1::2]),
    "unpack_even_add": lambda a, b: of_lanes(bytes_of(a)[:, 0::2] + lanes_of(b)),
    "unpack_odd_add": lambda a, b: of_lanes(bytes_of(a)[:, 1::2] + lanes_of(b)),
    "dual_add": lambda a, b: of_lanes(lanes_of(a) + lanes_of(b)),
    "dual_subtract": lambda a, b: of_lanes(lanes_of(a) - lanes_of(b)),
    "dual_multiply_add": lambda a, b, c: c + (lanes_of(a) * lanes_of(b)).sum(1),
    "multiply_high_add": lambda a, b, c: c + (np.multiply(*wide(a, b)) + (1 << 31) >> 32),
    "multiply_high_floor_add": lambda a, b, c: c + (np.multiply(*wide(a, b)) >> 32),
    "scale_narrow_add": lambda a, b, c: c + (np.multiply(*wide(a, b)) + (1 << 30) >> 31),
    "scale_byte_add": lambda a, b, c: c + (np.multiply(*wide(a, b)) >> 8),
    "scale_low_add": lambda a, b, c: c + (lanes_of(a)[:, 0] * b >> 16),
    "scale_high_add": lambda a, b, c: c + (lanes_of(a)[:, 1] * b >> 16),
    "scale_real": lambda a, b: np.rint(a.astype(np.float32) * b.view(np.float32)),
    "maximum_bytes": lambda a, b: of_bytes(np.maximum(bytes_of(a), bytes_of(b))),
    "minimum_bytes": lambda a, b: of_bytes(np.minimum(bytes_of(a), bytes_of(b))),
    "maximum_unsigned_bytes": lambda a, b: of_bytes(np.maximum(bytes_of(a, "u1"), bytes_of(b, "u1"))),
    "minimum_unsigned_bytes": lambda a, b: of_bytes(np.minimum(bytes_of(a, "u1"), bytes_of(b, "u1"))),
    "saturate": lambda a, bits: np.clip(a, -(1 << bits - 1), (1 << bits - 1) - 1),
    "saturate_unsigned": lambda a, bits: np.clip(a, 0, (1 << bits) - 1),
    "shift_saturate": lambda a, right, bits: np.clip(a >> right, -(1 << bits - 1), (1 << bits - 1) - 1),
    "unpack_nibbles": lambda a, place: (lanes_of(a) << 12 - 4 * place & 0xF000) @ np.array([1, 1 << 16]),
}
FEW = {"bits": (1, 8, 16, 31), "right": (1, 20, 31), "place": range(4)}
"""Numbers of instructions that are tried."""


def arguments_of(name: str) -> list[np.ndarray]:
    """Three words for each place, as the instruction takes them."""
    extremes = np.array([0, 1, -1, 127, -128, 32767, -32768, 2**31 - 1, -(2**31)], np.int32)
    values = [RNG.integers(-(2**31), 2**31, COUNT).astype(np.int32) for _ in range(3)]
    for value in values:
        value[: extremes.size] = RNG.permutation(extremes)
    if name == "scale_narrow_add":
        values[:2] = RNG.integers(-(2**20) + 1, 2**20, COUNT).astype(np.int32), values[1] & 0x7FFFFFFF
    if name == "scale_byte_add":
        values[0] = RNG.integers(-128, 128, COUNT).astype(np.int32)
    if name == "scale_real":
        # Many products lie at halves.
        values[0] = RNG.integers(-999, 999, COUNT).astype(np.int32)
        values[1] = RNG.choice(np.array([0.5, 0.25, 1.5, 0.01], np.float32), COUNT).view(np.int32)
    return values


def test_words(agree: Agree) -> None:
    """All instructions at all places, each with words that it takes."""
    body, given, expected = list[str](), list[np.ndarray](), list[np.ndarray]()
    for kind in WORDS:
        name, numbers = kind.name.partition(".")[2], kind.NUMBERS
        count = len(kind.get_irdl_definition().operands)
        first = len(given)
        given += arguments_of(name)[:count]
        operands = [loaded(body, number) for number in range(first, len(given))]
        for way in product(*([one for one in FEW[each] if one in numbers[each]] for each in numbers)):
            row = len(expected)
            body += [
                f"%row{row} = arith.constant {row} : index",
                f"%result{row} = {kind.name} {', '.join(operands)} {' '.join(map(str, way))}",
                f"memref.store %result{row}, %y[%row{row}, %i] : TYPE_Y",
            ]
            made = EXPECTED[name](*given[first:], *way)
            expected.append(made.astype(np.int64).astype(np.int32))
    lines = "\n".join(body).replace("TYPE_X", f"memref<{len(given)}x{COUNT}xi32>")
    text = f"""func.func @f(%x: TYPE_X, %y: TYPE_Y) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant {COUNT} : index
  scf.for %i = %c0 to %end step %c1 {{
    {lines}
  }}
  func.return
}}"""
    text = text.replace("TYPE_X", f"memref<{len(given)}x{COUNT}xi32>").replace(
        "TYPE_Y", f"memref<{len(expected)}x{COUNT}xi32>"
    )
    x, y = np.stack(given), np.stack(expected)
    agree(text, "", [x, np.full_like(y, 99)], own="lower-simd", known=[x, y])


ROWS: dict[str, tuple[type[Simple], tuple[int, ...], int | None]] = {
    "pack": (armv7em.pkhbt, (0, 1), 16),
    "pack_high": (armv7em.pkhtb, (1, 0), 16),
    "unpack_even": (armv7em.sxtb16, (0,), 0),
    "unpack_odd": (armv7em.sxtb16, (0,), 8),
    "unpack_next": (armv7em.sxtb16, (0,), 8),
    "unpack_even_unsigned": (armv7em.uxtb16, (0,), 0),
    "unpack_odd_unsigned": (armv7em.uxtb16, (0,), 8),
    "unpack_even_add": (armv7em.sxtab16, (1, 0), 0),
    "unpack_odd_add": (armv7em.sxtab16, (1, 0), 8),
    "dual_add": (armv7em.sadd16, (0, 1), None),
    "dual_subtract": (armv7em.ssub16, (0, 1), None),
    "dual_multiply_add": (armv7em.smlad, (2, 0, 1), None),
    "multiply_high_add": (armv7em.smmlar, (0, 1, 2), None),
    "multiply_high_floor_add": (armv7em.smmla, (0, 1, 2), None),
    "maximum_bytes": (armv7em.ssub8_sel, (0, 1), None),
    "minimum_bytes": (armv7em.ssub8_sel_least, (0, 1), None),
    "maximum_unsigned_bytes": (armv7em.usub8_sel, (0, 1), None),
    "minimum_unsigned_bytes": (armv7em.usub8_sel_least, (0, 1), None),
    "scale_low_add": (armv7em.smlawb, (1, 0, 2), None),
    "scale_high_add": (armv7em.smlawt, (1, 0, 2), None),
}
"""Arm's instruction, the operands in its order, and the constant in it."""


def run(row: type[Simple], *values: np.ndarray, by: int | None) -> np.ndarray:
    """What an instruction gives, interpreted, for each place."""
    kernel = KernelOp(*(f"r{n}" for n in range(len(values))))
    with kernel.filled() as inputs:
        YieldOp(*row(*inputs, by=by).results)
    machine = Machine(bytearray())
    return np.array([interpret(kernel, machine, [*map(int, each)])[0] for each in zip(*values, strict=True)])


@pytest.mark.parametrize("name", ROWS)
def test_instructions(name: str) -> None:
    """Those of kernels, which C's functions of one instruction are printed of, compute what these mean."""
    row, order, by = ROWS[name]
    values = arguments_of(name)[: len(order)]
    expected = EXPECTED[name](*values).astype(np.int64).astype(np.int32)
    np.testing.assert_array_equal(run(row, *(values[n] for n in order), by=by), expected)


@pytest.mark.parametrize("by", [1, 20, 31])
def test_shifted_instructions(by: int) -> None:
    (a, *_), nibbles = arguments_of(""), np.full(COUNT, -0x0FFF1000, np.int32)
    for bits, row in ((8, armv7em.ssat), (16, armv7em.ssat_half)):
        np.testing.assert_array_equal(run(row, a, by=by), EXPECTED["shift_saturate"](a, by, bits))
    for place in range(4):
        found = run(armv7em.and_lsl, a, nibbles, by=12 - 4 * place)
        np.testing.assert_array_equal(found, EXPECTED["unpack_nibbles"](a, place).astype(np.int64).astype(np.int32))


def test_rounding_instruction() -> None:
    values = np.array([0.5, 1.5, -0.5, -2.5, 0.49999997, 3e9, -3e9], np.float32)
    found = run(armv7em.vcvtr, values.view(np.int32), by=None)
    assert list(found) == [0, 2, 0, -2, 0, 2**31 - 1, -(2**31)]


def loaded(body: list[str], number: int) -> str:
    """Load the word of a row, by its name."""
    body += [
        f"%given{number} = arith.constant {number} : index",
        f"%word{number} = memref.load %x[%given{number}, %i] : TYPE_X",
    ]
    return f"%word{number}"


BODIES = {
    "products": """
simd.dual_products %x[%c2] 12 unroll 4, %w[%c8], %s[%c1], %t
simd.dual_products %x[%c2] 12 unroll 4, %w[%c8], %s[%c1], %u
simd.dual_products %w[%c8] 12 unroll 4, %w[%c2], %w[%c1], %u
simd.dual_products %x[%c2] 12 unroll 12 bytes, %w[%c8], %s[%c1], %u
simd.swar_products %small[%c2] 6, %shared[%c4], %t
simd.tile_bytes %x[%c2] 8 unroll 8, %w[%c1] 3, %y[%c0, %c1, %c0] along 1
simd.tile_bytes signed unsigned %x[%c2] 7 unroll 5, %w[%c1] 2, %y[%c1, %c1, %c4]
simd.tile_bytes bytes floor shift 9 %x[%c2] 8 unroll 8, %w[%c1] 4, %y[%c0, %c2, %c0] along 0
simd.tile_bytes held shift 3 %x[%c2] 3 unroll 3, %w[%c1] 4, %y[%c1, %c2, %c0] along 1
simd.add_dot_products %line[%c1] [2, 3] by [20, 6] of 6, %weights[%c1], %sums""",
    "windows": """
simd.sum_taps %bytes[%c1, %c4] [0, -1, 16, 20, 7] 5 [2, 11], %w[%c2], %t
simd.scale_bytes %t, %w[%c2] 12, %y[%c0, %c1, %c4]
simd.sum_taps unsigned %bytes[%c1, %c4] [-1, -1, 16, 0] 200 [2, 4], %w[%c2], %t
simd.scale_bytes unsigned floor shift 7 %t, %w[%c2] 0, %y[%c0, %c2, %c4]
simd.sum_taps %line[%c4] [0, 8, 3] -7 [12], %w[%c2], %t beside %other of [0, 1, 1]
simd.scale_bytes signed %t, %w[%c4] 1, %y[%c1, %c0, %c4]
simd.scale_bytes zero_point -3 %few, %real[%c2] 4, %y[%c1, %c1, %c4]""",
    "moves": """
simd.unpack_points %bytes[%c1, %c1], %bytes[%c2, %c1] [0, 20] 2 unroll 2 singles [8, 33, 2] [3, 12], %x[%c1]
simd.unpack_points unsigned %line[%c1], %other[%c4] [0] 9 unroll 4 [36], %x[%c32]
simd.slide_bytes %line
simd.slide_bytes %bytes by 33
%word = simd.load_bytes %bytes[%c1, %c2]
simd.store_bytes %word, %y[%c1, %c2, %c4]""",
    "lanes": """
%a = simd.load_lanes %x[%c4] 3
%b = simd.load_lanes %bytes[%c1, %c2] 4 unsigned
%c = simd.load_lanes %x[%c8] 4
%d = simd.load_lanes %u[%c4] 4
simd.store_lanes %a, %x[%c32] 4
simd.store_lanes %b, %t[%c0] 2
simd.store_lanes %c, %bytes[%c4, %c2] 3
%e = simd.load_sixteen %line[%c2] 9
simd.store_sixteen %e, %other[%c1] 16
%f = simd.sixteen_of -5
simd.store_sixteen %f, %other[%c8] 7
%g = memref.load %x[%c4]
%h = simd.lanes_of %g
simd.store_lanes %h, %sums[%c8] 4
%j = simd.sum_products %line[%c1] 37, %weights[%c2], %g, %g, %g, %g
simd.store_lanes %j, %sums[%c0] 4
%k = simd.sum_products %weights[%c1] 20, %weights[%c32], %g, %g, %g, %g
simd.store_lanes %k, %s[%c0] 4
%l = simd.sum_window %y[%c0, %c1, %c2] [2, 3] [64, 16] [2, 3, 4], %weights[%c2], %c
simd.store_lanes %l, %sums[%c4] 4""",
}
LANEWISE = [
    kind.name
    for kind in vars(lanes).values()
    if isinstance(kind, type) and issubclass(kind, lanes.LanewiseOp) and kind is not lanes.LanewiseOp
]
for number, name in enumerate(LANEWISE):
    # Distances of shifts are from 0 to 31.
    BODIES["lanes"] += f"\n%lanes{number} = {name} %c, {'%d' if 'shift' in name else '%h'}"
    BODIES["lanes"] += f"\nsimd.store_lanes %lanes{number}, %all{number}[%c0] 4"


def memories() -> dict[str, np.ndarray]:
    """Memories by name."""
    rng = np.random.default_rng(9)
    small, upper = rng.integers(-127, 128, (2, 32))
    made = {
        "x": rng.integers(-(2**31), 2**31, 96),
        "w": rng.integers(-(2**15), 2**15, 256),
        "s": rng.integers(-9999, 9999, 16),
        "t": rng.integers(-(2**30), 2**30, 4),
        "u": rng.integers(0, 32, 8),
        "small": small[:16],
        # Two products fit 16 bits each.
        "shared": small + 65536 * upper,
        "few": rng.integers(-300, 300, 4),
        "real": rng.choice(np.array([0.25, 0.5, 0.01], np.float32), 16).view(np.int32),
        "sums": rng.integers(-9999, 9999, 32),
        **{f"all{n}": np.zeros(4) for n in range(len(LANEWISE))},
    }
    bytes = {"y": (2, 4, 16), "bytes": (8, 16), "line": (64,), "other": (64,), "weights": (2048,)}
    return {name: array.astype(np.int32) for name, array in made.items()} | {
        name: rng.integers(-128, 128, shape).astype(np.int8) for name, shape in bytes.items()
    }


@pytest.mark.parametrize("kind", BODIES)
def test_memory(kind: str, agree: Agree) -> None:
    arrays = memories()
    types = {
        name: f"memref<{'x'.join(map(str, array.shape))}x{'i8' if array.dtype == np.int8 else 'i32'}>"
        for name, array in arrays.items()
    }

    def typed(text: str) -> str:
        found = [types[name] for name in re.findall(r"%(\w+)", text) if name in types]
        return f"{text} : {', '.join(found)}" if found else text

    lines = [" beside ".join(map(typed, line.split(" beside "))) for line in BODIES[kind].strip().splitlines()]
    constants = [f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 4, 8, 32)]
    named = ", ".join(f"%{name}: {type}" for name, type in types.items())
    body = "\n".join([*constants, *lines])
    agree(f"func.func @f({named}) {{\n{body}\nfunc.return\n}}", "", list(arrays.values()), own="lower-simd")


def test_windows(agree: Agree) -> None:
    """A loop of windows is one function in C, and a loop again here."""
    text = """
func.func @f(%x: memref<9x16xi8>, %w: memref<128xi32>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  simd.windows %c = %c0 to %c16 step %c4 {
    %sums = memref.alloca() : memref<4xi32>
    %k = arith.muli %c, %c5 : index
    simd.sum_taps %x[%c1, %c] [0, 16, 33] 5 [3, 5], %w[%k], %sums : memref<9x16xi8>, memref<128xi32>, memref<4xi32>
    simd.scale_bytes shift 8 %sums, %w[%k] 12, %y[%c] : memref<4xi32>, memref<128xi32>, memref<16xi8>
  }
  func.return
}"""
    rng = np.random.default_rng(11)
    bytes, words = rng.integers(-128, 128, (9, 16)).astype(np.int8), rng.integers(-(2**31), 2**31, 128).astype(np.int32)
    agree(text, "", [bytes, words, np.zeros(16, np.int8)], own="lower-simd")
