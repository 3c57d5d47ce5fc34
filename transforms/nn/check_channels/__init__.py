"""Judge again what `nn-channels` removed, with plain integers and none of its code.

Ranges are computed one channel at a time, from the operators that a removed channel comes from. Every operator with
fewer channels must compute for those that stay what it computed before: the same weights, and what went in its bias.
"""

from .check import check_channels as check_channels
from .reading import Refuted as Refuted
