"""Logistic function and hyperbolic tangent of 16-bit numbers: one table of 256 entries, interpolated.

Source: TensorFlow Lite `reference_integer_ops::Logistic` and `Tanh` for int16, and the table `sigmoid_table_uint16` of
`kernels/internal/common.h`: sigmoid(i / 24) in 0.16, for tanh(x) = 2 * sigmoid(2 * x) - 1 as well.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects import math
from xdsl.dialects.builtin import i16
from xdsl.ir import SSAValue

from .kernel import Kernel

# fmt: off
SIGMOID = (
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794, 41432, 42064, 42688,
    43304, 43912, 44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464, 50942, 51409,
    51865, 52311, 52745, 53169, 53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174, 56503, 56823, 57133, 57433,
    57724, 58007, 58280, 58544, 58800, 59048, 59288, 59519, 59743, 59959, 60168, 60370, 60565, 60753, 60935, 61110,
    61279, 61441, 61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666, 62778, 62886, 62990, 63090, 63186,
    63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968, 64030, 64090, 64148, 64204, 64257, 64308,
    64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652, 64687, 64721, 64754, 64786, 64816, 64845, 64873, 64900,
    64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079, 65097, 65115, 65132, 65149, 65164, 65179, 65194, 65208,
    65221, 65234, 65246, 65258, 65269, 65280, 65291, 65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360, 65367,
    65374, 65381, 65387, 65393, 65399, 65404, 65410, 65415, 65420, 65425, 65429, 65433, 65438, 65442, 65445, 65449,
    65453, 65456, 65459, 65462, 65465, 65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491,
    65493, 65495, 65497, 65498, 65500, 65501, 65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513,
    65514, 65515, 65516, 65517, 65517, 65518, 65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524,
    65525, 65525, 65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529, 65529, 65529, 65530, 65530,
    65530, 65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532, 65532, 65532, 65532, 65533, 65533, 65533,
    65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65535,
)
"""sigmoid(i / 24) in 0.16, as the reference has it: its last bits follow no formula."""
# fmt: on

HALF = 32768
"""sigmoid(0); what the table leaves out, so that it is signed 16-bit."""


LAST = len(SIGMOID) - 1
"""The entry from which on both functions are constant."""


class Sigmoid16:
    """The two functions of values in the range of int16; the table is an argument of the operator's function.

    The reference interpolates at the magnitude and mirrors the result for negative values:
    `constant - 1 - result` is the complement of its bits, so that half of `constant` is left out of the table.
    """

    def __init__(self, k: Kernel):
        self._k = k
        # The last entry twice: from there on the place between entries does not matter.
        self._table = k.table((np.array([*SIGMOID, SIGMOID[LAST]]) - HALF).astype(np.int16), "sigmoid")

    def logistic(self, value: SSAValue, multiplier: int = 3, shift: int = 0) -> SSAValue:
        """Return the logistic function of `value * multiplier / 2**shift`, in steps of 2**-12 / 3, as i16 in Q0.15."""
        k = self._k
        result = self._mirrored(value, multiplier, shift, bits=9, largest=(0x7FFF << 10) - (HALF << 9))
        steps = k.shift_right(k.add(result, (HALF << 9) + (1 << 9)), 10)
        # It is not negative: products with it keep below 2**30, as `transforms.tasks.rescaling.bounds` then knows.
        return k.narrow(k.bit_and(steps, 0x7FFF), i16)

    def tanh(self, value: SSAValue, multiplier: int = 3, shift: int = 0) -> SSAValue:
        """Return the hyperbolic tangent; arguments and result are as for `logistic`."""
        k = self._k
        result = self._mirrored(value, multiplier, shift, bits=8, largest=(0xFFFF << 8) - (HALF << 8))
        return k.narrow(k.shift_right(k.add(result, 1 << 7), 8), i16)

    def _mirrored(self, value: SSAValue, multiplier: int, shift: int, *, bits: int, largest: int) -> SSAValue:
        """The table at the magnitude of the scaled value; its bits complemented where that is negative.

        Its lowest `bits` bits lie between entries; beyond the table the result is `largest`.
        """
        k = self._k
        scaled = self._scaled(value, multiplier, shift)
        sign = k.shift_right(scaled, 31, "sign")
        magnitude = k.emit(math.AbsIOp(scaled), "magnitude")
        entry = k.shift_right(magnitude, bits, "entry")
        most = (((multiplier << 15) + (1 << shift >> 1)) >> shift) >> bits
        place = k.i32_to_index(entry if most <= LAST else k.min(entry, LAST))
        below, above = (k.extend(k.load(self._table, [at])) for at in (place, k.add(place, 1)))
        part = k.bit_and(magnitude, (1 << bits) - 1)
        result = k.add(k.mul(below, 1 << bits), k.mul(part, k.sub(above, below)))
        if most >= LAST and largest != (SIGMOID[LAST] - HALF) << bits:
            result = k.select(k.compare("slt", entry, LAST), result, largest)
        return k.bit_xor(result, sign)

    def _scaled(self, value: SSAValue, multiplier: int, shift: int) -> SSAValue:
        k = self._k
        product = k.mul(value, multiplier)
        if not shift:
            return product
        rounded = k.add(product, 1 << (shift - 1))
        return k.shift_right(rounded, shift)
