"""All kinds of cases: each `*_specs.py` beside this file lists its own in `KINDS`.

A kind is called by its operator, its element type and, where an operator needs several, what is special about it:
`"ADD int8"`, `"CONV_2D int16 dilated"`. The generated table of operators is made from these names.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from case import Spec
from hypothesis import strategies as st


def _collect() -> dict[str, st.SearchStrategy[Spec]]:
    found: dict[str, st.SearchStrategy[Spec]] = {}
    for path in sorted(Path(__file__).parent.glob("*_specs.py")):
        for name, strategy in importlib.import_module(path.stem).KINDS.items():
            assert name not in found, f"{name} is listed twice"
            found[name] = strategy
    return found


KINDS = _collect()
