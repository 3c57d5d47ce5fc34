"""TensorFlow Lite files to `nn` IR."""

from .import_model import import_tflite

__all__ = ["import_tflite"]
