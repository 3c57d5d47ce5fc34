"""stillpool: from a trained model to plain C with every byte of RAM planned at compile time.

`load(path)` reads a model, `Network` builds one from arrays, `compile(models, ...)` gives an `Artifact` that can be
written, run and inspected; `stillpool.planner` places buffers in pools. Everything is imported when it is first used.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import planner
    from .driver.models.load import load
    from .driver.models.model import Model
    from .frontends.arrays import Network, Scale
    from .run.artifact import Artifact
    from .run.finished import compile

    __version__: str

_PLACES = {
    "Artifact": ".run.artifact",
    "Model": ".driver.models.model",
    "Network": ".frontends.arrays",
    "Scale": ".frontends.arrays",
    "compile": ".run.finished",
    "load": ".driver.models.load",
}

__all__ = ["Artifact", "Model", "Network", "Scale", "__version__", "compile", "load", "planner"]


def __getattr__(name: str) -> Any:
    if name == "planner":
        return importlib.import_module(".planner", __name__)
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name], __name__), name)
    if name == "__version__":
        return importlib.metadata.version(__name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
