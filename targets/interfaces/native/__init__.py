"""stillpool's own C interface: one header, structs of pointers, a `run` function.

The names are a promise to applications; see the interface section of the documentation before changing any.
"""

from ...c.comment_text import comment_text
from .header import constants_header, header
from .naming import operator_hook, released_callback
from .native import Native
from .wrapper import wrapper

INTERFACE = Native

__all__ = [
    "INTERFACE",
    "Native",
    "comment_text",
    "constants_header",
    "header",
    "operator_hook",
    "released_callback",
    "wrapper",
]
