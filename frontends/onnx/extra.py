"""Whether the packages that read ONNX are installed."""

from __future__ import annotations

import importlib.util

from ...errors import InputError, install_extra


def require_onnx(source: str) -> None:
    """Check that ONNX files can be read.

    Raises:
        InputError: the extra is missing.
    """
    if importlib.util.find_spec("onnx") is None:
        raise InputError(f"{source} is an ONNX model, which the extra 'onnx' reads", remedy=install_extra("onnx"))
