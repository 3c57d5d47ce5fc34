"""Importers of TFLite's operators, one family per module; importing the package fills the table."""

import importlib
import pkgutil

from .registry import Entry, lookup, operator, supported_operators

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f".{_module}", __name__)

__all__ = ["Entry", "lookup", "operator", "supported_operators"]
