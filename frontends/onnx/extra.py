"""Whether the packages that read ONNX are installed."""

from __future__ import annotations

import importlib.util

from ...errors import InputError, install_extra


def require_onnx(source: str | None = None) -> None:
    """Check that ONNX files can be read; `source` is the one that is asked for.

    Raises:
        InputError: the extra is missing.
    """
    if importlib.util.find_spec("onnx") is None:
        what = (
            "the extra 'onnx' reads ONNX models"
            if source is None
            else f"{source} is an ONNX model, which the extra 'onnx' reads"
        )
        raise InputError(what, remedy=install_extra("onnx"))
