"""Bytes of two points taken apart into words of lanes, side by side, in C: loops, and assembly for Armv7E-M.

Compilers store each word by itself, from a loop over the points; with both in one statement four words are one store.
"""

from __future__ import annotations

from xdsl.dialects import scf

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd.instruction import function_of
from ...dialects.simd.tiles import UnpackPointsOp
from ...dialects.simd.words import BYTES
from ..kernels.armv7em.operations import kernel_of
from ..kernels.armv7em.unpack_points import apart
from ..kernels.thumb import Variable, statement
from .c_function import Bodies, Function, Kernels, Meant, Shared
from .lowering import Lowering
from .numbering import Variants, number_of
from .tiles import EXTENSION

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
    distance, shared = apart(op), _of_kind(op)
    pointers = ["bytes"] if distance is not None else ["bytes", "other"]
    kind = "_unsigned" if op.unsigned is not None else ""
    name = f"{function_of(op)}{kind}_{f'{op.passed}_{op.after}' if op.passed else count}"
    name += f"_places_{number_of(op)}" if _has_places(op) else ""
    name += "" if distance is None else f"_at_{distance}"

    def bodies() -> Bodies:
        instructions = ["LDR (unaligned)", "UXTB16" if kind else "SXTB16"] if places else []
        instructions += ["LDRB" if kind else "LDRSB", "PKHBT"] if singles else []
        comment = (
            f"Tile: 2 points; {_told(op)}.\n"
            " * Layout: words of two lanes as [word][point]: of 4 bytes the first with the third, then the second with "
            "the fourth.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, {', '.join(instructions)}, STM."
        )
        inputs = [Variable("lanes"), *(Variable(one) for one in pointers)]
        if op.passed:
            after = f" - {op.after}" if op.after else ""
            inputs.append(Variable("end", "const int8_t *", f"bytes + {BYTES} * (count{after})"))
        near = {} if distance is None else {"other": f"bytes + {distance}" if distance else "bytes"}
        return Bodies(statement(kernel_of(op), inputs), comment, portable=shared.called(**near))

    return Meant(name, op, EXTENSION, bodies, shared)


def _of_kind(op: UnpackPointsOp) -> Shared:
    """The function of all points of one kind, for which there are no instructions."""
    kinds = {"unsigned": op.unsigned is not None, "runs": bool(op.places), "singles": bool(op.single_places)}
    name = "_".join([f"{function_of(op)}_in_c", *(kind for kind, given in kinds.items() if given)])
    own = [*([] if op.passed else ["count"]), *([] if apart(op) is None else ["other"])]
    return Shared(name, op, "runs", "single", *own)


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


def _has_places(op: UnpackPointsOp) -> bool:
    """Whether a name cannot say which bytes are taken."""
    return len(op.places) > 1 or bool(op.single_places)


def keep_rolled(loop: scf.ForOp, at: Lowering) -> None:
    """Say in front of a loop around both points of a tile that it stays one."""
    if any(all_of(loop.body, UnpackPointsOp)):
        at.build.add(emitc.VerbatimOp(_MACRO))


VARIANTS: Variants = {
    UnpackPointsOp: lambda op: (op.name, (op.places.get_values(), op.single_places)) if _has_places(op) else None
}
KERNELS = Kernels({UnpackPointsOp: _kernel}, [_DEFINITION])
