"""What the optional extras of the package bring."""

from __future__ import annotations

import importlib.util

EXTRAS = {
    "verify": ("tflite_micro", "ai_edge_litert"),
    "onnx": ("onnx", "onnxruntime"),
    "emulate": ("unicorn", "elftools", "capstone", "ziglang"),
    "tune": ("distributed",),
    "scale": ("numba",),
    "cpsat": ("ortools",),
    "docs": ("mkdocs", "material"),
}
"""The modules that each extra brings."""


def missing_modules(extra: str) -> list[str]:
    """Those of an extra that are not installed."""
    return [name for name in EXTRAS[extra] if importlib.util.find_spec(name) is None]
