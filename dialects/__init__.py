"""Dialects of every level, and what stillpool changes in xDSL for all operations.

That is put in place here, before the first of them is defined.
"""

from . import attributes as attributes
from . import building as building
from . import copying as copying
from . import formats as formats
from . import hints as hints
from . import identity as identity
from . import instances as instances
from . import making as making
from . import names as names
from . import reading as reading
