"""ONNX files to `nn` IR."""

from .import_model import import_onnx, import_onnx_bytes

__all__ = ["import_onnx", "import_onnx_bytes"]
