"""ST's own interfaces: X-CUBE-AI's `ai_<m>_...` and ST Edge AI's `stai_<m>_...`, both of one model.

Three headers lie beside this file and are the same for all models: ST's types twice, and what the models share.
"""

from .interface import XCubeAi

INTERFACE = XCubeAi

__all__ = ["INTERFACE", "XCubeAi"]
