"""How tests start programs: `install` puts `Popen` in the place of `subprocess.Popen`."""

from .popen import install as install
from .popen import stop as stop
