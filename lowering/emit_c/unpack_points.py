"""Bytes of two points taken apart into words of lanes, side by side, in C: loops, and assembly for Armv7E-M.

Compilers store each word by itself, from a loop over the points; with both in one statement four words are one store.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.simd import BYTES, UnpackPointsOp
from ...dialects.simd.unpack_points import FARTHEST_RUN
from .lanes import pointer
from .lowering import Lowering, Patterns

_TAKEN = ("r2", "r3", "r4", "r5")
"""What a store of several registers takes, in the order in which it stores them."""


@dataclass(frozen=True)
class _Kernel:
    """What stands in the text of a function."""

    places: tuple[int, ...]
    count: int
    """Words of a run; none of one that is a loop."""
    passed: int
    """Words in one pass of a loop; none without one."""
    after: int
    """Words after it, or all."""
    apart: int | None
    """Bytes from one point to the other; None where there is a pointer to each."""
    unsigned: bool

    @staticmethod
    def of(op: UnpackPointsOp) -> _Kernel:
        places, count, apart = op.places.get_values(), op.count.value.data, op.apart
        farthest = max(places) + (0 if op.passed else BYTES * (count - 1))
        if apart is not None and not 0 <= apart <= FARTHEST_RUN - farthest:
            apart = None
        return _Kernel(places, 0 if op.passed else count, op.passed, op.after, apart, op.unsigned is not None)

    @property
    def name(self) -> str:
        """Of the function."""
        parts = ["simd_unpack_points", *(["unsigned"] if self.unsigned else [])]
        if len(self.places) > 1:
            # A name for all places, the same in whichever module they stand.
            digits = zlib.crc32(",".join(map(str, self.places)).encode())
            parts += [str(len(self.places)), f"{digits:08x}"]
        parts += [str(self.passed), str(self.after)] if self.passed else [str(self.count)]
        parts += [] if self.apart is None else [f"at_{self.apart}"]
        return "_".join(parts)

    @property
    def _pointers(self) -> list[str]:
        return ["bytes"] if self.apart is not None else ["bytes", "other"]

    @property
    def definition(self) -> str:
        """The function in C."""
        take = "uxtb16" if self.unsigned else "sxtb16"
        parameters = [f"const int8_t *{name}" for name in self._pointers]
        parameters += ["int32_t count"] if self.passed else []
        written = f"{self.after} words are written out"
        if self.passed:
            written = f"{self.passed} words are written out in a loop, {self.after or 'none'} after it"
        runs = f", {len(self.places)} runs" if len(self.places) > 1 else ""
        return f"""\
/* Tile: 4 bytes of 2 points{runs}; {written}.
 * Layout: words of two lanes as [word][point]: of 4 bytes the first with the third, then the second with the fourth.
 * Source: Arm v7-M Architecture Reference Manual, LDR (unaligned), {take.upper()}, STM. */
STILLPOOL_TILE void {self.name}({", ".join(parameters)}, int32_t *lanes) {{
#if defined(STILLPOOL_TILE_ASSEMBLY) && defined(__ARM_FEATURE_UNALIGNED)
{self._statement(take)}
#else
{self._in_c()}
#endif
}}"""

    def _word(self, take: str, place: int | None) -> str:
        """One word of each point; without a place pointers move on."""
        first, second, third, fourth = _TAKEN
        if place is None:
            if self.apart is None:
                loads = f"ldr {third},[%[bytes]],#4\nldr {fourth},[%[other]],#4\n"
            else:
                loads = f"ldr {fourth},[%[bytes],#{self.apart}]\nldr {third},[%[bytes]],#4\n"
        else:
            other = f"[%[other],#{place}]" if self.apart is None else f"[%[bytes],#{place + self.apart}]"
            loads = f"ldr {third},[%[bytes],#{place}]\nldr {fourth},{other}\n"
        return (
            f"{loads}{take} {first},{third}\n{take} {second},{fourth}\n"
            f"{take} {third},{third},ror #8\n{take} {fourth},{fourth},ror #8\n"
            f"stm %[lanes]!,{{{','.join(_TAKEN)}}}\n"
        )

    def _statement(self, take: str) -> str:
        names, declared = self._pointers, ""
        if self.passed:
            after = f" - {self.after}" if self.after else ""
            declared = f"  const int8_t *end = bytes + {BYTES} * (count{after});\n"
            text = f"1:\n{self.passed * self._word(take, None)}cmp %[bytes],%[end]\nbne 1b\n"
            text += self.after * self._word(take, None)
        else:
            text = "".join(self._word(take, place + BYTES * n) for place in self.places for n in range(self.count))
        lines = "\n".join(f'    "{line}\\n"' for line in [".syntax unified", *text.splitlines()])
        changed = ", ".join(f'"{name}"' for name in _TAKEN)
        moved = names if self.passed else []
        outputs = ", ".join(f'[{name}]"+r"({name})' for name in ["lanes", *moved])
        inputs = ", ".join(f'[{name}]"r"({name})' for name in [*(["end"] if self.passed else names)])
        return f"""\
{declared}  __asm__ volatile(
{lines}
    : {outputs}
    : {inputs}
    : {changed}, "cc", "memory");"""

    def _in_c(self) -> str:
        kind = "_unsigned" if self.unsigned else ""
        where = "p == 0 ? bytes : other" if self.apart is None else f"bytes + p * {self.apart}"
        count = "count" if self.passed else str(self.count)
        run = f"""\
  for (int32_t n = 0; n < {count}; n++) {{
    for (int32_t p = 0; p < 2; p++) {{
      int32_t word = simd_load_bytes(({where}) + %s4 * n);
      lanes[4 * %sn%s + p] = simd_unpack_even{kind}(word);
      lanes[4 * %sn%s + 2 + p] = simd_unpack_odd{kind}(word);
    }}
  }}"""
        if len(self.places) == 1:
            return run % ("", "", "", "", "")
        within = f"({count} * r + ", ")"
        inside = (run % ("places[r] + ", *within, *within)).replace("\n", "\n  ")
        return f"""\
  static const int32_t places[{len(self.places)}] = {{{", ".join(map(str, self.places))}}};
  for (int32_t r = 0; r < {len(self.places)}; r++) {{
  {inside}
  }}"""


def _kernels(module: Operation) -> list[_Kernel]:
    return list(dict.fromkeys(_Kernel.of(op) for op in module.walk() if isinstance(op, UnpackPointsOp)))


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's operations need."""
    return [kernel.name for kernel in _kernels(module)]


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions that the module's operations need; they stand before all others."""
    found = [kernel.definition for kernel in _kernels(module)]
    return [emitc.VerbatimOp(text) for text in found]


def _unpack(op: UnpackPointsOp, at: Lowering) -> None:
    kernel = _Kernel.of(op)
    operands = [pointer(op.memref, list(op.indices), at, const=True)]
    if kernel.apart is None:
        operands.append(pointer(op.other, list(op.other_indices), at, const=True))
    if kernel.passed:
        operands.append(at.build.constant(op.count.value.data, i32))
    operands.append(pointer(op.lanes, [op.first], at, const=False))
    at.build.add(EmitC_CallOpaqueOp(kernel.name, operands, []))


PATTERNS: Patterns = {UnpackPointsOp: _unpack}
