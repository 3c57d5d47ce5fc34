"""Bytes of two points taken apart into words of lanes, side by side, in C: loops, and assembly for Armv7E-M.

Compilers store each word by itself, from a loop over the points; with both in one statement four words are one store.
"""

from __future__ import annotations

from collections.abc import Hashable
from textwrap import indent

from xdsl.dialects import scf
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import BYTES, UnpackPointsOp, function_of
from ...dialects.simd.unpack_points import FARTHEST_RUN
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.unpack_points import Unpacking, unpack_points
from .c_function import Function, Kernels, c_function, when
from .lowering import Lowering
from .numbering import number_of, number_variants

_MACRO = "STILLPOOL_NO_UNROLL"
_DEFINITION = f"""\
#ifdef __clang__
/* To clang assembly is short, however many lines it has. */
#define {_MACRO} _Pragma("clang loop unroll(disable)")
#else
#define {_MACRO}
#endif"""


class _Kernel(Function):
    """The function for two points."""

    def __init__(self, op: UnpackPointsOp):
        self._places, self._singles = op.places.get_values(), op.single_places
        self._passed, self._after, self._count = op.passed, op.after, op.count.value.data
        """Words in one pass of a loop, of which there is none without one; those after it, or all; those of a run."""
        self._unsigned = op.unsigned is not None
        farthest = 0 if op.passed else max(place + BYTES * self._count for place in (*self._places, *self._singles))
        apart = op.apart
        self.apart = None if apart is None or not 0 <= apart <= FARTHEST_RUN - farthest else apart
        """Bytes from one point to the other; None where there is a pointer to each."""
        self._pointers = ["bytes"] if self.apart is not None else ["bytes", "other"]
        parts = [function_of(op), *(["unsigned"] if self._unsigned else [])]
        parts += [str(op.passed), str(op.after)] if op.passed else [str(self._count)]
        parts += ["places", str(number_of(op))] if _has_places(op) else []
        parts += [] if self.apart is None else [f"at_{self.apart}"]
        points = op.accesses()[: len(self._pointers)]
        super().__init__("_".join(parts), self._definition, *points, op.count if op.passed else None, op.lanes)

    def _definition(self) -> str:
        parameters = [f"const int8_t *{name}" for name in self._pointers]
        parameters += ["int32_t count"] if self._passed else []
        instructions = ["LDR (unaligned)", "UXTB16" if self._unsigned else "SXTB16"] if self._places else []
        instructions += ["LDRB" if self._unsigned else "LDRSB", "PKHBT"] if self._singles else []
        head = f"STILLPOOL_TILE void {self.name}({', '.join(parameters)}, int32_t *lanes)"
        comment = (
            f"Tile: 2 points; {self._told}.\n"
            " * Layout: words of two lanes as [word][point]: of 4 bytes the first with the third, then the second with "
            "the fourth.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, {', '.join(instructions)}, STM."
        )
        return c_function(head, when("STILLPOOL_TILE_ASSEMBLY"), self._assembly(), self._in_c(), comment)

    @property
    def _told(self) -> str:
        """Return a comment's words on what is written out."""
        parts: list[str] = []
        if self._passed:
            parts.append(f"{self._passed} times 4 bytes are written out in a loop, {self._after or 'none'} after it")
        elif self._places:
            runs = f" in {len(self._places)} runs" if len(self._places) > 1 else ""
            parts.append(f"{self._after} times 4 bytes are written out{runs}")
        if self._singles:
            number = f"{len(self._singles)} bytes that lie" if len(self._singles) > 1 else "a byte that lies"
            parts.append(f"{number} apart")
        return ", then ".join(parts)

    def _assembly(self) -> str:
        words = (0,) * self._after
        inputs = [Variable("lanes"), *(Variable(name) for name in self._pointers)]
        if self._passed:
            after = f" - {self._after}" if self._after else ""
            inputs.append(Variable("end", "const int8_t *", f"bytes + {BYTES} * (count{after})"))
        else:
            words = tuple(place + BYTES * n for place in self._places for n in range(self._count))
        kernel = unpack_points(Unpacking(words, self._singles, self._passed, self.apart, self._unsigned))
        return statement(kernel, inputs)

    def _in_c(self) -> str:
        parts = [] if self.apart is None else [f"  const int8_t *other = bytes + {self.apart};"]
        count = "count" if self._passed else str(self._count)
        if len(self._places) == 1:
            place = f" + {self._places[0]}" if self._places[0] else ""
            parts.append(self._run_in_c(count, place, "n"))
        elif self._places:
            run = indent(self._run_in_c(count, " + places[r]", f"({count} * r + n)"), "  ")
            parts += [
                f"  static const int32_t places[{len(self._places)}] = {{{', '.join(map(str, self._places))}}};",
                f"  for (int32_t r = 0; r < {len(self._places)}; r++) {{\n{run}\n  }}",
            ]
        first, byte = 4 * self._count * len(self._places), "(uint8_t)" if self._unsigned else ""
        for n in range(0, len(self._singles), 2):
            for p, name in enumerate(("bytes", "other")):
                lanes = [f"{byte}{name}[{place}]" for place in self._singles[n : n + 2]]
                packed = f"simd_pack({', '.join(lanes)})" if len(lanes) > 1 else lanes[0]
                parts.append(f"  lanes[{first + n + p}] = {packed};")
        return "\n".join(parts)

    def _run_in_c(self, count: str, place: str, number: str) -> str:
        kind = "_unsigned" if self._unsigned else ""
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


def keep_rolled(loop: scf.ForOp, at: Lowering) -> None:
    """Say in front of a loop around both points of a tile that it stays one."""
    if any(all_of(loop.body, UnpackPointsOp)):
        at.build.add(emitc.VerbatimOp(_MACRO))


KERNELS = Kernels({UnpackPointsOp: _Kernel}, [_DEFINITION])
