"""Kernels: functions of an instruction set that compute what loops compute.

stillpool's own for Armv6-M and Armv7E-M are instructions on registers, from generators (`armv6m`, `armv7em`). What both
have is in `thumb`. Those of the M-profile vector extension are calls of intrinsics (`mve`). Those of other packages are
C, each with a meaning, and run wherever that is found (`kernel`, `meaning`, `sets`).
"""

from .kernel import InstructionSet as InstructionSet
from .kernel import Kernel as Kernel
