"""Dialects of every level, and what stillpool changes in xDSL for all operations.

That is put in place here, before the first of them is defined.
"""

from . import building as building
from . import copying as copying
from . import formats as formats
from . import hints as hints
