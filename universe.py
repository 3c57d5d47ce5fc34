"""What stock `xdsl-opt` finds through the plugin entry point: dialects, passes, targets.

Factories import inside: `xdsl-opt` starts without loading anything that the command line does not ask for.
"""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target
