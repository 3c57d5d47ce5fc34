"""Files of other formats: named, and told a way."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from small_models import Parts

from stillpool.errors import InputError
from stillpool.frontends.tflite import import_tflite


def archive(*names: str) -> bytes:
    """A ZIP archive of empty files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name in names:
            file.writestr(name, b"")
    return made.getvalue()


FILES = {
    "net.pt": (archive("net/data.pkl", "net/version"), "PyTorch"),
    "old.pth": (b"\x80\x02}q\x00.", "PyTorch"),
    "net.pt2": (archive("net/archive_format", "net/models/model.json"), "PyTorch"),
    "net.onnx": (b"\x08\x07\x12\x07pytorch\x1a", "ONNX"),
    "renamed.tflite": (b"\x08\x07\x12\x07tf2onnx\x1a", "ONNX"),
    "net.mlirbc": (b"ML\xefR\x07MLIR" + b"\0" * 64, "MLIR bytecode"),
    "renamed.bin": (b"\x0c\0\0\0TOSA" + b"\0" * 64, "TOSA flatbuffer"),
    "net.h5": (b"\x89HDF\r\n\x1a\n" + b"\0" * 64, "Keras"),
    "net.keras": (archive("metadata.json", "config.json", "model.weights.h5"), "Keras"),
    "saved_model.pb": (b"\x08\x01\x12" + b"\0" * 64, "SavedModel"),
    "frozen.pb": (b"\x0a\x20" + b"\0" * 64, "TensorFlow graph"),
    "bundle.task": (archive("pose_detector.tflite"), "'pose_detector.tflite' in it"),
    "saved.zip": (archive("net/saved_model.pb"), "SavedModel"),
    "broken.zip": (b"PK\x03\x04" + b"\xff" * 60, "ZIP archive"),
    "net.tar.gz": (b"\x1f\x8b" + b"\0" * 64, "compressed archive"),
    "pointer.tflite": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    "page.tflite": (b"<!DOCTYPE html><html></html>", "web page"),
    "model.cc": (b"const unsigned char g_model[] = {0x1c, 0x00};", "C source without a model"),
    "model.json": (b'{"modelTopology": {}}', "JSON"),
    "net.npz": (archive("x.npy"), "NumPy"),
    "net.safetensors": (b"\x40\0\0\0\0\0\0\0{}", "weights alone"),
    "empty.tflite": (b"", "empty"),
}


@pytest.mark.parametrize("name", FILES)
def test_other_formats_are_named(name: str, tmp_path: Path) -> None:
    data, expected = FILES[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match="is not a TFLite file: it is ") as caught:
        import_tflite(tmp_path / name, "net")
    assert expected in str(caught.value)
    assert caught.value.remedy


def test_directories_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory, not a TFLite file"):
        import_tflite(tmp_path, "net")
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(InputError, match=r"SavedModel, not a TFLite file; .*from_saved_model"):
        import_tflite(tmp_path, "net")


def as_c(data: bytes, name: str = "g_model") -> str:
    """What `xxd -i` writes, with a remark."""
    elements = ", ".join(map(hex, data))
    return f"/* {{ not this }} */\nalignas(16) const unsigned char {name}[] = {{ {elements},\n}}; // end\n"


def test_the_model_in_c_source_is_read(tmp_path: Path) -> None:
    data = Parts().write()
    path = tmp_path / "model_data.cc"
    path.write_text(f'#include "model_data.h"\nconst int zeros[2] = {{0, 0}};\n{as_c(data)}int length = {len(data)};\n')
    assert str(import_tflite(path, "net")) == str(import_tflite(data, "net"))
    signed = np.frombuffer(data, np.int8)
    path.write_text(f"const int8_t g[{len(data)}] __attribute__((aligned(4))) = {{{', '.join(map(str, signed))}}};")
    assert str(import_tflite(path, "net")) == str(import_tflite(data, "net"))
    path.write_text(as_c(data) + as_c(data, "other"))
    with pytest.raises(InputError, match="holds several models, the arrays g_model, other; give a file with one"):
        import_tflite(path, "net")
