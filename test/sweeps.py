"""How much the tests marked `sweep` try: minutes of cases, or hours of them where STILLPOOL_SWEEP is `long`."""

from __future__ import annotations

import os

LONG = os.environ.get("STILLPOOL_SWEEP") == "long"


def size(usual: int, *, long: int) -> int:
    """A number of cases, or of blocks of them."""
    return long if LONG else usual
