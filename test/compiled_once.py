"""Compilations that tests ask for again and again, each done once in a process.

A compilation is told by its model's IR, names and bytes, and by all that it is asked for. Measured schedules lie in
files that a test may change: with them nothing is known.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import fields
from hashlib import blake2b
from typing import Any

import pytest

from stillpool.driver.compile.compilation import Compilation

MOST = 24
"""Answers that are known at once."""
_known: OrderedDict[tuple[str, bytes], Any] = OrderedDict()


def told_by(compilation: Compilation) -> bytes:
    """A digest of all that an answer depends on."""
    model = compilation.model
    asked = [(one.name, getattr(compilation, one.name)) for one in fields(compilation) if one.name != "model"]
    said = repr((model.name, model.source, model.tflite, model.file_sha256, str(model.nn), asked))
    return blake2b(said.encode(errors="surrogateescape"), digest_size=20).digest()


def once(method: Callable[[Compilation], Any]) -> Callable[[Compilation], Any]:
    """A method that is asked once for each compilation; what it raises is found out each time."""

    def answer(compilation: Compilation) -> Any:
        if compilation.plan.schedules:
            return method(compilation)
        key = method.__name__, told_by(compilation)
        if key not in _known:
            _known[key] = method(compilation)
            if len(_known) > MOST:
                _known.popitem(last=False)
        _known.move_to_end(key)
        found = _known[key]
        return dict(found) if isinstance(found, dict) else found

    return answer


def use(patch: pytest.MonkeyPatch) -> None:
    """Compile once until the patch ends: artefacts, and the bytes of plans that are compared."""
    for name in ("result", "workspace_bytes"):
        patch.setattr(Compilation, name, once(getattr(Compilation, name)))
