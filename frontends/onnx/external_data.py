"""Models whose tensors lie in files beside them, as PyTorch's exporter writes them."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx.checker import ValidationError
from onnx.external_data_helper import load_external_data_for_model

from ...errors import InputError

_KEY = b"location"
"""What a file with such a tensor has in it."""


def with_external_data(data: bytes, path: str | os.PathLike[str]) -> bytes:
    """The bytes of a model with all of its tensors inside.

    Args:
        data: the file's bytes; as they are where no tensor lies elsewhere.
        path: the file; the others are in its folder or below.

    Raises:
        InputError: one of them cannot be read, or lies elsewhere.
    """
    if _KEY not in data:
        return data
    model, given = onnx.ModelProto(), onnx.ModelProto()
    try:
        model.ParseFromString(data)
        given.CopyFrom(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            load_external_data_for_model(model, str(Path(path).parent))
        return data if model == given else model.SerializeToString()
    except DecodeError:
        # The importer says so of a damaged file.
        return data
    except (ValidationError, EncodeError, ValueError, OSError) as error:
        words = str(error).strip().splitlines()
        raise InputError(
            f"{os.fspath(path)}: the data of its tensors cannot be read: {words[0] if words else 'no reason is told'}",
            remedy="put the files that were written with it beside it, or save the model as one file",
        ) from error
