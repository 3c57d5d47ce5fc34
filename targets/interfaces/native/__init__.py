"""stillpool's own C interface: one header, structs of pointers, a `run` function.

The names are a promise to applications; see the interface section of the documentation before changing any.
"""

from .header import comment_text, constants_header, float_literal, header
from .naming import Native, released_callback
from .wrapper import wrapper

__all__ = ["Native", "comment_text", "constants_header", "float_literal", "header", "released_callback", "wrapper"]
