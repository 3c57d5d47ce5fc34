"""The C interface of Apache TVM's ahead-of-time executor (microTVM's Embedded C interface), up to TVM 0.18.

Applications written for it compile and link unchanged. The names are those that TVM's own header generator gives
(`InterfaceCNode`, RFC 0009 for the pools); what goes beyond TVM has names that it never gives.
"""

from .interface import Tvm

INTERFACE = Tvm

__all__ = ["INTERFACE", "Tvm"]
