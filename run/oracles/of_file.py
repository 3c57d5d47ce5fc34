"""The oracle of each kind of model file."""

from __future__ import annotations

from ...driver.models.model_file import MlirFile, ModelFile, OnnxFile, TfliteFile, TosaFile
from .oracle import Oracle


def oracle_of(file: ModelFile) -> Oracle:
    """What computes the same as the model of a file, with somebody else's code. Only what it needs is imported."""
    match file:
        case TfliteFile():
            from .tflite import TfliteOracle

            return TfliteOracle(file)
        case OnnxFile():
            from .onnx import OnnxOracle

            return OnnxOracle(file)
        case TosaFile():
            from .tosa import TosaOracle

            return TosaOracle(file)
        case MlirFile():
            from .mlir import MlirOracle

            return MlirOracle(file)
        case _:
            from .quantised_io import QuantisedIoOracle

            return QuantisedIoOracle(oracle_of(file.file), file)
