"""The importers, one file per operator family; importing this package enters them."""

import importlib
import pkgutil

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f".{_module}", __name__)
