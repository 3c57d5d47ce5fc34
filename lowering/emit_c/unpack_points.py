"""Bytes of two points taken apart into words of lanes, side by side, in C: loops, and assembly for Armv7E-M.

Compilers store each word by itself, from a loop over the points; with both in one statement four words are one store.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import BYTES, UnpackPointsOp
from ...dialects.simd.unpack_points import FARTHEST_RUN
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.unpack_points import Unpacking, unpack_points
from .lanes import pointer
from .lowering import Lowering, Patterns
from .numbering import number_of, number_variants

_MACRO = "STILLPOOL_NO_UNROLL"
_DEFINITION = f"""\
#ifdef __clang__
/* To clang assembly is short, however many lines it has. */
#define {_MACRO} _Pragma("clang loop unroll(disable)")
#else
#define {_MACRO}
#endif"""


@dataclass(frozen=True)
class _Kernel:
    """Parts of the text of a function."""

    places: tuple[int, ...]
    count: int
    """Words of a run; none of one that is a loop."""
    passed: int
    """Words in one pass of a loop; none without one."""
    after: int
    """Words after it, or all."""
    singles: tuple[int, ...]
    """Places of the bytes whose words follow."""
    apart: int | None
    """Bytes from one point to the other; None where there is a pointer to each."""
    unsigned: bool
    number: int
    """Number of the places, if these are several; else 0."""

    @staticmethod
    def of(op: UnpackPointsOp) -> _Kernel:
        places, count, apart, singles = op.places.get_values(), op.count.value.data, op.apart, op.single_places
        farthest = 0 if op.passed else max(place + BYTES * count for place in (*places, *singles))
        if apart is not None and not 0 <= apart <= FARTHEST_RUN - farthest:
            apart = None
        number = number_of(op) if _has_places(op) else 0
        unsigned = op.unsigned is not None
        return _Kernel(places, 0 if op.passed else count, op.passed, op.after, singles, apart, unsigned, number)

    @property
    def name(self) -> str:
        """Return the name of the function."""
        parts = ["simd_unpack_points", *(["unsigned"] if self.unsigned else [])]
        parts += [str(self.passed), str(self.after)] if self.passed else [str(self.count)]
        if self.number:
            parts += ["places", str(self.number)]
        parts += [] if self.apart is None else [f"at_{self.apart}"]
        return "_".join(parts)

    @property
    def _pointers(self) -> list[str]:
        return ["bytes"] if self.apart is not None else ["bytes", "other"]

    @property
    def definition(self) -> str:
        """The function in C."""
        parameters = [f"const int8_t *{name}" for name in self._pointers]
        parameters += ["int32_t count"] if self.passed else []
        instructions = ["LDR (unaligned)", "UXTB16" if self.unsigned else "SXTB16"] if self.places else []
        instructions += ["LDRB" if self.unsigned else "LDRSB", "PKHBT"] if self.singles else []
        return f"""\
/* Tile: 2 points; {self._told}.
 * Layout: words of two lanes as [word][point]: of 4 bytes the first with the third, then the second with the fourth.
 * Source: Arm v7-M Architecture Reference Manual, {", ".join(instructions)}, STM. */
STILLPOOL_TILE void {self.name}({", ".join(parameters)}, int32_t *lanes) {{
#ifdef STILLPOOL_TILE_ASSEMBLY
{self._statement()}
#else
{self._in_c()}
#endif
}}"""

    @property
    def _told(self) -> str:
        """Return a comment's words on what is written out."""
        parts: list[str] = []
        if self.passed:
            parts.append(f"{self.passed} times 4 bytes are written out in a loop, {self.after or 'none'} after it")
        elif self.places:
            runs = f" in {len(self.places)} runs" if len(self.places) > 1 else ""
            parts.append(f"{self.after} times 4 bytes are written out{runs}")
        if self.singles:
            number = f"{len(self.singles)} bytes that lie" if len(self.singles) > 1 else "a byte that lies"
            parts.append(f"{number} apart")
        return ", then ".join(parts)

    def _statement(self) -> str:
        words = (0,) * self.after
        if not self.passed:
            words = tuple(place + BYTES * n for place in self.places for n in range(self.count))
        inputs = [Variable("lanes"), *(Variable(name) for name in self._pointers)]
        if self.passed:
            after = f" - {self.after}" if self.after else ""
            inputs.append(Variable("end", "const int8_t *", f"bytes + {BYTES} * (count{after})"))
        kernel = unpack_points(Unpacking(words, self.singles, self.passed, self.apart, self.unsigned))
        return statement(kernel, inputs)

    def _in_c(self) -> str:
        parts = [] if self.apart is None else [f"  const int8_t *other = bytes + {self.apart};"]
        if self.passed:
            parts.append(self._run_in_c("count", "", "n"))
        elif len(self.places) == 1:
            place = f" + {self.places[0]}" if self.places[0] else ""
            parts.append(self._run_in_c(str(self.count), place, "n"))
        elif self.places:
            run = self._run_in_c(str(self.count), " + places[r]", f"({self.count} * r + n)").replace("\n", "\n  ")
            parts += [
                f"  static const int32_t places[{len(self.places)}] = {{{', '.join(map(str, self.places))}}};",
                f"  for (int32_t r = 0; r < {len(self.places)}; r++) {{\n  {run}\n  }}",
            ]
        first, byte = 4 * self.count * len(self.places), "(uint8_t)" if self.unsigned else ""
        for n in range(0, len(self.singles), 2):
            for p, name in enumerate(("bytes", "other")):
                lanes = [f"{byte}{name}[{place}]" for place in self.singles[n : n + 2]]
                packed = f"simd_pack({', '.join(lanes)})" if len(lanes) > 1 else lanes[0]
                parts.append(f"  lanes[{first + n + p}] = {packed};")
        return "\n".join(parts)

    def _run_in_c(self, count: str, place: str, number: str) -> str:
        kind = "_unsigned" if self.unsigned else ""
        return f"""\
  for (int32_t n = 0; n < {count}; n++) {{
    for (int32_t p = 0; p < 2; p++) {{
      int32_t word = simd_load_bytes((p == 0 ? bytes : other){place} + 4 * n);
      lanes[4 * {number} + p] = simd_unpack_even{kind}(word);
      lanes[4 * {number} + 2 + p] = simd_unpack_odd{kind}(word);
    }}
  }}"""


def _has_places(op: UnpackPointsOp) -> bool:
    """Whether a name cannot say which bytes are taken."""
    return len(op.places) > 1 or bool(op.single_places)


def _variant(op: UnpackPointsOp) -> tuple[str, Hashable] | None:
    return (op.name, (op.places.get_values(), op.single_places)) if _has_places(op) else None


def prepare(module: Operation) -> None:
    """Number the places of a module."""
    number_variants(module, UnpackPointsOp, _variant)


def _kernels(module: Operation) -> list[_Kernel]:
    return list(dict.fromkeys(_Kernel.of(op) for op in all_of(module, UnpackPointsOp)))


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's operations need."""
    return [kernel.name for kernel in _kernels(module)]


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions that the module's operations need; they stand before all others."""
    found = [kernel.definition for kernel in _kernels(module)]
    return [emitc.VerbatimOp(text) for text in ([_DEFINITION, *found] if found else [])]


def keep_rolled(loop: scf.ForOp, at: Lowering) -> None:
    """Say in front of a loop around both points of a tile that it stays one."""
    if any(all_of(loop.body, UnpackPointsOp)):
        at.build.add(emitc.VerbatimOp(_MACRO))


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
