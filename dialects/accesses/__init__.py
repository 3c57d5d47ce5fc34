"""Which bytes an operation reads and writes: one answer for planning, checking and counting.

A dialect with operations on memory answers for them with `answers_for`, beside their definitions.
"""

from . import memref_ops as memref_ops
from . import vector_ops as vector_ops
from .access import Access as Access
from .access import accesses as accesses
from .access import answers_for as answers_for
from .views import VIEWS as VIEWS
from .views import storage as storage
