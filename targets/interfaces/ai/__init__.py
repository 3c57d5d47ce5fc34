"""An interface in the style of X-CUBE-AI, as Apache TVM's runtime for STM32 had it: models are run by handles.

`ai_runtime_api.h` is the whole runtime, the same for all models, and lies beside this file; a model adds a descriptor.
"""

from .interface import Ai

INTERFACE = Ai

__all__ = ["INTERFACE", "Ai"]
