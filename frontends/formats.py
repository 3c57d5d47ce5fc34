"""Model files of other formats: recognised by their first bytes, and told a way to a `.tflite` file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from ..documents import read_bytes
from ..errors import InputError
from .c_array import SUFFIXES, model_in_c

_CONVERTER = "tf.lite.TFLiteConverter"


@dataclass(frozen=True)
class Format:
    """Another format: what to call a file of it, and what to do with that."""

    title: str
    remedy: str


KERAS = Format("a Keras model", f"convert it by {_CONVERTER}.from_keras_model(tf.keras.models.load_model(FILE))")
SAVED_MODEL = Format("a TensorFlow SavedModel", f"convert it by {_CONVERTER}.from_saved_model(DIRECTORY)")
GRAPH = Format(
    "a TensorFlow graph", f"convert its SavedModel by {_CONVERTER}.from_saved_model, a frozen one by tf.compat.v1.lite"
)
CHECKPOINT = Format(
    "a TensorFlow checkpoint, which has weights alone", f"load it into its model and convert that by {_CONVERTER}"
)
PYTORCH = Format(
    "a PyTorch file", "convert the module by litert_torch.convert(module.eval(), sample_inputs).export('model.tflite')"
)
ONNX = Format("an ONNX model", "name it FILE.onnx and compile that")
TOSA = Format("a TOSA flatbuffer", "name it FILE.tosa and compile that")
EXECUTORCH = Format(
    "an ExecuTorch program", "export the module by torch.onnx.export or litert_torch.convert, and compile that file"
)
STABLEHLO = Format(
    "StableHLO text",
    "lower it by mlir-opt or stablehlo-opt to linalg, then to functions on memrefs, or convert it to LiteRT",
)
WEIGHTS = Format("a file of weights alone", "load them into their model, and convert that to TensorFlow Lite")
JSON = Format(
    "JSON", "a TensorFlow.js model must be converted to TensorFlow Lite, JSON of flatc back by flatc -b schema.fbs FILE"
)
C_SOURCE = Format("C source without a model", "give the file with the array, one of bytes, or the .tflite file itself")
MLIR = Format("MLIR text", "stillpool-opt runs passes on it; stillpool compile takes it with the suffix .mlir")
BYTECODE = Format("MLIR bytecode", "print it as text: mlir-opt or tosa-opt FILE -o FILE.mlir")
LFS = Format("a pointer of Git LFS, not the file itself", "fetch it by git lfs pull")
PAGE = Format("a web page", "download the file itself")
ARCHIVE = Format("a compressed archive", "unpack it and give the .tflite file")
ARRAYS = Format("NumPy data", "a model is needed; run takes arrays by --input")
CORE_ML = Format("a Core ML model", "convert the model that it was made from to TensorFlow Lite")
OTHER_ZIP = Format("a ZIP archive without a model that is known", "unpack it and give the .tflite file")
EMPTY = Format("empty", "write it again")

_MAGIC: Sequence[tuple[bytes, Format]] = (
    (b"\x89HDF\r\n\x1a\n", KERAS),
    (b"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", PYTORCH),
    (b"\x93NUMPY", ARRAYS),
    (b"ML\xefR", BYTECODE),
    (b"GGUF", WEIGHTS),
    (b"version https://git-lfs", LFS),
    (b"\x1f\x8b", ARCHIVE),
    (b"\xfd7zXZ", ARCHIVE),
    (b"7z\xbc\xaf", ARCHIVE),
    (b"BZh", ARCHIVE),
    (b"<!DOCTYPE", PAGE),
    (b"<!doctype", PAGE),
    (b"<html", PAGE),
    (b"{", JSON),
)
"""First bytes."""

_IDENTIFIERS = {b"TOSA": TOSA, b"ET12": EXECUTORCH}
"""Identifiers of flatbuffers, behind the offset of their root."""

_SUFFIXES = {
    ".h5": KERAS,
    ".hdf5": KERAS,
    ".keras": KERAS,
    ".pt": PYTORCH,
    ".pth": PYTORCH,
    ".pt2": PYTORCH,
    ".ptl": PYTORCH,
    ".onnx": ONNX,
    ".tosa": TOSA,
    ".pte": EXECUTORCH,
    ".stablehlo": STABLEHLO,
    ".pb": GRAPH,
    ".pbtxt": GRAPH,
    ".ckpt": CHECKPOINT,
    ".index": CHECKPOINT,
    ".safetensors": WEIGHTS,
    ".npy": ARRAYS,
    ".npz": ARRAYS,
    ".mlir": MLIR,
    ".mlmodel": CORE_ML,
    **dict.fromkeys(SUFFIXES, C_SOURCE),
    ".json": JSON,
    ".tar": ARCHIVE,
}
"""Where the first bytes say nothing: files of protocol buffers have none of their own."""

_MEMBERS: Sequence[tuple[Callable[[str], bool], Format]] = (
    (lambda name: name.endswith("data.pkl"), PYTORCH),
    (lambda name: "exported_program" in name or name.endswith("archive_format"), PYTORCH),
    (lambda name: name in ("config.json", "model.weights.h5"), KERAS),
    (lambda name: name.endswith("saved_model.pb"), SAVED_MODEL),
    (lambda name: name.endswith(".npy"), ARRAYS),
)
"""Names in archives of a format."""


def foreign_format(data: bytes, source: str) -> Format | None:
    """The format of a file that is no TensorFlow Lite model; None if it is not known.

    Args:
        data: the file's bytes.
        source: its name, whose suffix tells formats without first bytes of their own.
    """
    if not data:
        return EMPTY
    if data[:4] == b"PK\x03\x04":
        return _archive(data)
    for magic, found in _MAGIC:
        if data.startswith(magic):
            return found
    if data[4:8] in _IDENTIFIERS:
        return _IDENTIFIERS[data[4:8]]
    if b"stablehlo." in data[:65536] and b"func.func" in data[:65536]:
        return STABLEHLO
    suffix = PurePath(source).suffix.lower()
    if suffix == ".pb" and b"saved_model" in data[:4096] + source.encode(errors="replace"):
        return SAVED_MODEL
    if data[:1] == b"\x08" and any(word in data[:64] for word in (b"pytorch", b"onnx", b"tf2onnx")):
        return ONNX
    return _SUFFIXES.get(suffix)


def _archive(data: bytes) -> Format:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError, IndexError):
        return OTHER_ZIP
    inside = [name for name in names if name.endswith(".tflite")]
    if inside:
        return Format(f"a ZIP archive with '{inside[0][:80]}' in it", "unpack it and give that file")
    return next((found for fits, found in _MEMBERS if any(map(fits, names))), OTHER_ZIP)


def read_file(path: Path) -> bytes:
    """The bytes of a model file; of C source those of the model that an array in it holds.

    Raises:
        InputError: it cannot be read, is a directory, or is C source with several models.
    """
    try:
        if path.is_dir():
            is_saved = any((path / name).exists() for name in ("saved_model.pb", "saved_model.pbtxt"))
            found = SAVED_MODEL if is_saved else CORE_ML if path.suffix == ".mlpackage" else None
            what = "a directory" if found is None else f"the directory of {found.title}"
            remedy = "give a .tflite file" if found is None else found.remedy
            raise InputError(f"{path} is {what}, not a TFLite file", remedy=remedy)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"cannot read '{path}': {error}") from error
    data = read_bytes(path)
    return model_in_c(data, str(path)) or data
