"""Bytes of two points taken apart into words of lanes, side by side, in C: loops, and assembly for Armv7E-M.

Compilers store each word by itself, from a loop over the points; with both in one statement four words are one store.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from textwrap import indent

from xdsl.dialects import scf
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd.instruction import function_of
from ...dialects.simd.unpack_points import UnpackPointsOp
from ...dialects.simd.words import BYTES
from ..kernels.armv7em.operations import kernel_of
from ..kernels.armv7em.unpack_points import unpacking_of
from ..kernels.thumb import Variable, statement
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


def _kernel(op: UnpackPointsOp) -> Function:
    """The function for two points."""
    places, singles, count = op.places.get_values(), op.single_places, op.count.value.data
    apart = unpacking_of(op).apart
    pointers = ["bytes"] if apart is not None else ["bytes", "other"]
    kind = "_unsigned" if op.unsigned is not None else ""
    name = f"{function_of(op)}{kind}_{f'{op.passed}_{op.after}' if op.passed else count}"
    name += f"_places_{number_of(op)}" if _has_places(op) else ""
    name += "" if apart is None else f"_at_{apart}"

    def definition() -> str:
        parameters = [f"const int8_t *{one}" for one in pointers] + (["int32_t count"] if op.passed else [])
        instructions = ["LDR (unaligned)", "UXTB16" if kind else "SXTB16"] if places else []
        instructions += ["LDRB" if kind else "LDRSB", "PKHBT"] if singles else []
        head = f"STILLPOOL_TILE void {name}({', '.join(parameters)}, int32_t *lanes)"
        comment = (
            f"Tile: 2 points; {_told(op)}.\n"
            " * Layout: words of two lanes as [word][point]: of 4 bytes the first with the third, then the second with "
            "the fourth.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, {', '.join(instructions)}, STM."
        )
        return c_function(head, when("STILLPOOL_TILE_ASSEMBLY"), assembly(), "\n".join(portable()), comment)

    def assembly() -> str:
        inputs = [Variable("lanes"), *(Variable(one) for one in pointers)]
        if op.passed:
            after = f" - {op.after}" if op.after else ""
            inputs.append(Variable("end", "const int8_t *", f"bytes + {BYTES} * (count{after})"))
        return statement(kernel_of(op), inputs)

    def portable() -> Iterator[str]:
        if apart is not None:
            yield f"  const int8_t *other = bytes + {apart};"
        length = "count" if op.passed else str(count)
        if len(places) == 1:
            yield _run(length, f" + {places[0]}" if places[0] else "", "n", kind)
        elif places:
            yield f"  static const int32_t places[{len(places)}] = {{{', '.join(map(str, places))}}};"
            run = indent(_run(length, " + places[r]", f"({length} * r + n)", kind), "  ")
            yield f"  for (int32_t r = 0; r < {len(places)}; r++) {{\n{run}\n  }}"
        first, byte = 4 * count * len(places), "(uint8_t)" if kind else ""
        for n in range(0, len(singles), 2):
            for p, pointer in enumerate(("bytes", "other")):
                lanes = [f"{byte}{pointer}[{place}]" for place in singles[n : n + 2]]
                packed = f"simd_pack({', '.join(lanes)})" if len(lanes) > 1 else lanes[0]
                yield f"  lanes[{first + n + p}] = {packed};"

    points = op.accesses()[: len(pointers)]
    return Function(name, definition, *points, op.count if op.passed else None, op.lanes)


def _told(op: UnpackPointsOp) -> str:
    """A comment's words on what is written out."""
    parts: list[str] = []
    if op.passed:
        parts.append(f"{op.passed} times 4 bytes are written out in a loop, {op.after or 'none'} after it")
    elif op.places:
        runs = f" in {len(op.places)} runs" if len(op.places) > 1 else ""
        parts.append(f"{op.after} times 4 bytes are written out{runs}")
    if op.single_places:
        bytes = len(op.single_places)
        parts.append(f"{f'{bytes} bytes that lie' if bytes > 1 else 'a byte that lies'} apart")
    return ", then ".join(parts)


def _run(count: str, place: str, number: str, kind: str) -> str:
    """The loop over the words of a run in C."""
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


KERNELS = Kernels({UnpackPointsOp: _kernel}, [_DEFINITION])
