"""Other faces of a compiled model, emitted beside its C interface on request.

`table` makes the model a value of type `stillpool_model`, run by handle; `cpp` puts an interpreter in the style of
TensorFlow Lite Micro over that, and `packed` a function of tagged values for runtimes with a registry.
"""

from .files import SHIMS, check_shims, shim_files

__all__ = ["SHIMS", "check_shims", "shim_files"]
