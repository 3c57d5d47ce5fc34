"""Options of the detection operator: missing and damaged ones are refused with their names."""

from __future__ import annotations

import pytest
from detection_specs import Detect
from flatbuffers import flexbuffers
from tflite_build import Tensor, one_operator

from stillpool.errors import InputError, UnsupportedError
from stillpool.frontends.tflite import import_tflite

GIVEN = {
    "max_detections": 3,
    "max_classes_per_detection": 1,
    "nms_score_threshold": 0.5,
    "nms_iou_threshold": 0.5,
    "num_classes": 2,
    "y_scale": 10.0,
    "x_scale": 10.0,
    "h_scale": 5.0,
    "w_scale": 5.0,
}


def model(options: bytes) -> bytes:
    """A detector of 4 boxes and 2 classes."""
    inputs = [Tensor(shape, "float32") for shape in ((1, 4, 4), (1, 4, 2), (4, 4))]
    outputs = [Tensor(shape, "float32") for shape in ((1, 3, 4), (1, 3), (1, 3), (1,))]
    return one_operator("CUSTOM TFLite_Detection_PostProcess", options, inputs, outputs)


def packed(**changed: object) -> bytes:
    """The options as a flexbuffer, some of them changed, those that are None left out."""
    return bytes(flexbuffers.Dumps({k: v for k, v in {**GIVEN, **changed}.items() if v is not None}))


def test_whole_options() -> None:
    import_tflite(model(packed()), "model")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (packed(num_classes=None), "its options lack num_classes"),
        (packed(nms_iou_threshold=0.0), "iou_threshold must be above 0"),
        (packed(max_detections=4), r"boxes must have shape \[1, 4, 4\]"),
        (packed(num_classes=9), "2 predictions do not fit 9 classes"),
        (b"", "no map of flexbuffers"),
        (b"\x01\x02\x03", "flexbuffers|lack|cannot be read"),
        (packed()[:-4], "flexbuffers|lack|cannot be read"),
    ],
)
def test_broken_options(options: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        import_tflite(model(options), "model")


def test_several_classes_for_each_detection() -> None:
    with pytest.raises(UnsupportedError, match="several classes for each detection"):
        import_tflite(model(packed(max_classes_per_detection=2)), "model")


def test_damaged_options_never_end_in_a_traceback() -> None:
    whole = packed()
    for position in range(len(whole)):
        for value in (0, 1, 0x7F, 0xFF):
            damaged = whole[:position] + bytes([value]) + whole[position + 1 :]
            try:
                import_tflite(model(damaged), "model")
            except (InputError, UnsupportedError):
                continue


def test_specs_write_the_same_operator() -> None:
    case = Detect(4, 2, False, 3, True, 5, 0.5, 0.5, 4, True, 0).case()
    import_tflite(case.model, "model")
