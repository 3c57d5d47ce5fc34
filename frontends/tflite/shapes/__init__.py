"""Shapes of outputs that follow from the inputs, for models whose file does not know them."""

import importlib
import pkgutil

from .rules import infer_shapes

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f".{_module}", __name__)

__all__ = ["infer_shapes"]
