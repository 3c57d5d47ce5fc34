"""TensorFlow Lite files to `nn` IR."""

from .import_model import Imported, entries_of, import_entry, import_tflite

__all__ = ["Imported", "entries_of", "import_entry", "import_tflite"]
