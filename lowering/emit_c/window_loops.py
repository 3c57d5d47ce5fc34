"""Windows over all channels, four after four, in C: assembly for Arm's DSP extension, and a loop of calls.

A statement for each window leaves the sums in memory and the pointers to the compiler, which moves every one of them on
by itself; with the loop inside, loads move them on, and three words of a record are one load.
"""

from __future__ import annotations

from xdsl.dialects import scf

from ...dialects.simd import BYTES
from ...dialects.simd.window_loop import WindowLoop
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.windows import windows
from .c_function import Function, Kernels, c_function, call, when
from .lowering import Lowering
from .rescaling import needs, sources, told
from .taps import Ending, Windows
from .walk import first_pointer, places

_MACROS = """\
#ifdef STILLPOOL_TILE_ASSEMBLY
/* Inlined, it would leave the caller no register: all that it keeps would be in memory. */
#define STILLPOOL_WINDOWS static __attribute__((noinline))
#else
#define STILLPOOL_WINDOWS static inline
#endif"""


class _Windows(Function):
    """The function for a loop."""

    def __init__(self, found: WindowLoop):
        self._window, self._ending = Windows(found.sums), Ending(found.scale).name
        self._words, self._backward = found.words, found.backward
        """Words of one block, and whether the last ones come first."""
        self._rescaling = found.scale.rescaling
        function = self._window.name.replace("simd_sum_taps", "simd_windows", 1)
        self.name = "_".join([function, *self._rescaling.suffixes, *(["backward"] if self._backward else [])])

    @staticmethod
    def of(loop: scf.ForOp) -> _Windows | None:
        """Return the function that a loop becomes a call of, if it is one over windows."""
        found = WindowLoop.of(loop)
        return None if found is None else _Windows(found)

    @property
    def definition(self) -> str:
        """The function in C."""
        window, rescaling, names = self._window, self._rescaling, self._window.pointers
        symbol = "-" if self._backward else "+"
        passed = ", ".join(f"{name} {symbol} {BYTES} * b" for name in names)
        inputs = [
            *(self._pointer(owner, name) for owner, name in enumerate(names)),
            Variable("word", "const int32_t *", "words"),
            Variable("end", "const int32_t *", f"words {symbol} {self._words} * blocks"),
            Variable("result", "int8_t *", "out"),
        ]
        kernel = windows(window.window, rescaling, self._words, backward=self._backward)
        comment = (
            f"Tile: 4 channels, over all channels{', from the last ones on' if self._backward else ''}; "
            f"{window.told}.\n"
            f" * Layout: of each 4 channels words as simd_sum_taps has them, and for each channel {told(rescaling)}.\n"
            " * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD, "
            f"{sources(rescaling)}."
        )
        portable = f"""\
  for (int32_t b = 0; b < blocks; b++) {{
    int32_t sums[{BYTES}];
    {window.name}({passed}, words {symbol} {self._words} * b, sums);
    {self._ending}(sums, words {symbol} {self._words} * b, out {symbol} {BYTES} * b);
  }}"""
        head = window.head("STILLPOOL_WINDOWS", self.name, "const int32_t *words, int32_t blocks, int8_t *out")
        condition = when("STILLPOOL_TILE_ASSEMBLY", needs(rescaling))
        return c_function(head, condition, statement(kernel, inputs), portable, comment)

    def _pointer(self, owner: int, name: str) -> Variable:
        """The one to the nearest bytes of a memref."""
        behind = f" + {at}" if (at := self._window.window.nearest(owner)) else ""
        return Variable(name.replace("bytes", "byte"), "const int8_t *", f"{name}{behind}")


def call_window(loop: scf.ForOp, at: Lowering) -> bool:
    """Lower a loop to a call, if it is one over windows."""
    found = WindowLoop.of(loop)
    if found is None:
        return False
    body, read, written = loop.body.block, places(found.sums), places(found.scale)
    names = [*Windows(found.sums).pointers, "words"]
    inputs = [first_pointer(read[name], body, found.first, at, const=True) for name in names]
    out = first_pointer(written["out"], body, found.first, at, const=False)
    call(at, _Windows(found).name, *inputs, found.blocks, out)
    return True


KERNELS = Kernels({scf.ForOp: _Windows.of}, [_MACROS])
