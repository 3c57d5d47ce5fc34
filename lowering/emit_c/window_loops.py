"""Windows over all channels, four after four, in C: assembly for Arm's DSP extension, and a loop of calls.

A statement for each window leaves the sums in memory and the pointers to the compiler, which moves every one of them on
by itself; with the loop inside, loads move them on, and three words of a record are one load.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import BYTES, Rescaling
from ...dialects.simd.window_loop import WindowLoop
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.windows import windows
from .lowering import Lowering
from .rescaling import sources, told, with_floats
from .taps import Windows, ending_of
from .walk import first_pointer, places

_MACROS = """\
#ifdef STILLPOOL_TILE_ASSEMBLY
/* Inlined, it would leave the caller no register: all that it keeps would be in memory. */
#define STILLPOOL_WINDOWS static __attribute__((noinline))
#else
#define STILLPOOL_WINDOWS static inline
#endif"""


@dataclass(frozen=True)
class _Windows:
    """Facts that the function for a loop depends on."""

    window: Windows
    ending: str
    words: int
    """Words of one block."""
    rescaling: Rescaling
    backward: bool

    @staticmethod
    def of(found: WindowLoop) -> _Windows:
        scale = found.scale
        return _Windows(Windows.of(found.sums), ending_of(scale), found.words, scale.rescaling, found.backward)

    @property
    def name(self) -> str:
        """Return the name of the function."""
        function = self.window.function.replace("simd_sum_taps", "simd_windows", 1)
        return "_".join([function, *self.rescaling.suffixes, *(["backward"] if self.backward else [])])

    @property
    def definition(self) -> str:
        """The function in C."""
        window, names = self.window, self.window.pointers
        symbol = "-" if self.backward else "+"
        break_ = "\n    " if len(names) > 1 else ""
        parameters = ", ".join(f"const int8_t *{name}" for name in names)
        passed = ", ".join(f"{name} {symbol} {BYTES} * b" for name in names)
        kernel = windows(window.window, self.rescaling, self.words, backward=self.backward)
        inputs = [
            *(self._pointer(owner, name) for owner, name in enumerate(names)),
            Variable("word", "const int32_t *", "words"),
            Variable("end", "const int32_t *", f"words {symbol} {self.words} * blocks"),
            Variable("result", "int8_t *", "out"),
        ]
        floats = with_floats(self.rescaling)
        guard = f" defined(STILLPOOL_TILE_ASSEMBLY){floats}" if floats else "def STILLPOOL_TILE_ASSEMBLY"
        return f"""\
/* Tile: 4 channels, over all channels{", from the last ones on" if self.backward else ""}; {window.told}.
 * Layout: of each 4 channels words as simd_sum_taps has them, and for each channel {told(self.rescaling)}.
 * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD, {sources(self.rescaling)}. */
STILLPOOL_WINDOWS void {self.name}({break_}{parameters}, const int32_t *words, int32_t blocks, int8_t *out) {{
#if{guard}
{statement(kernel, inputs)}
#else
  for (int32_t b = 0; b < blocks; b++) {{
    int32_t sums[{BYTES}];
    {window.function}({passed}, words {symbol} {self.words} * b, sums);
    {self.ending}(sums, words {symbol} {self.words} * b, out {symbol} {BYTES} * b);
  }}
#endif
}}"""

    def _pointer(self, owner: int, name: str) -> Variable:
        """The one to the nearest bytes of a memref."""
        behind = f" + {at}" if (at := self.window.window.nearest(owner)) else ""
        return Variable(name.replace("bytes", "byte"), "const int8_t *", f"{name}{behind}")


def window_loops(module: Operation) -> list[WindowLoop]:
    """All loops that become a call of one function."""
    loops = (WindowLoop.of(op) for op in all_of(module, scf.ForOp))
    return [found for found in loops if found is not None]


def _kernels(module: Operation) -> list[_Windows]:
    return list(dict.fromkeys(map(_Windows.of, window_loops(module))))


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's loops need."""
    return [kernel.name for kernel in _kernels(module)]


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions, which stand behind those for one window."""
    found = [kernel.definition for kernel in _kernels(module)]
    return [emitc.VerbatimOp(text) for text in ([_MACROS, *found] if found else [])]


def call_window(loop: scf.ForOp, at: Lowering) -> bool:
    """Lower a loop to a call, if it is one over windows."""
    found = WindowLoop.of(loop)
    if found is None:
        return False
    body, read, written = loop.body.block, places(found.sums), places(found.scale)
    names = [*Windows.of(found.sums).pointers, "words"]
    inputs = [first_pointer(read[name], body, found.first, at, const=True) for name in names]
    out = first_pointer(written["out"], body, found.first, at, const=False)
    blocks = at.build.constant(found.blocks, i32)
    at.build.add(EmitC_CallOpaqueOp(_Windows.of(found).name, [*inputs, blocks, out], []))
    return True
