"""The custom operator of single-shot detectors."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from case import SAMPLES, Case, float32
from flatbuffers import flexbuffers
from hypothesis import strategies as st
from tflite_build import Tensor, one_operator
from window_specs import SEEDS


@dataclass(frozen=True)
class Detect:
    """Boxes around random anchors, scores of which some are equal."""

    boxes: int
    classes: int
    background: bool
    detections: int
    regular: bool
    per_class: int
    score: float
    overlap: float
    width: int
    anchors_given: bool
    seed: int
    legacy: bool = False
    """Unsigned bytes instead of floats: TFLite Micro knows floats only."""

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        columns = self.classes + self.background
        centres = rng.uniform(0.1, 0.9, (self.boxes, 2))
        sizes = rng.uniform(0.05, 0.4, (self.boxes, 2))
        anchors = np.concatenate([centres, sizes], 1).astype(np.float32)
        encodings = rng.normal(0, 1, (SAMPLES, 1, self.boxes, self.width)).astype(np.float32)
        # Few different scores: ties must be broken as the reference does.
        steps = rng.integers(1, 12, (SAMPLES, 1, self.boxes, columns))
        predictions = (steps / np.float32(12)).astype(np.float32)
        made = {
            "max_detections": self.detections,
            "max_classes_per_detection": 1,
            "detections_per_class": self.per_class,
            "use_regular_nms": self.regular,
            "nms_score_threshold": self.score,
            "nms_iou_threshold": self.overlap,
            "num_classes": self.classes,
            "y_scale": 10.0,
            "x_scale": 10.0,
            "h_scale": 5.0,
            "w_scale": 5.0,
        }
        shapes = ((1, self.detections, 4), (1, self.detections), (1, self.detections), (1,))
        given = [encodings, predictions, np.stack([anchors] * SAMPLES)]
        if self.legacy:
            coded = [(1 / 32, 128), (1 / 12, 0), (1 / 256, 0)]
            given = [
                np.clip(np.round(array / scale) + zero_point, 0, 255).astype(np.uint8)
                for array, (scale, zero_point) in zip(given, coded, strict=True)
            ]
            inputs = [
                Tensor(array.shape[1:], "uint8", (float32(scale),), (zero_point,))
                for array, (scale, zero_point) in zip(given, coded, strict=True)
            ]
        else:
            inputs = [Tensor(array.shape[1:], "float32") for array in given]
        if self.anchors_given:
            inputs[2] = replace(inputs[2], data=given.pop()[0])
        model = one_operator(
            "CUSTOM TFLite_Detection_PostProcess",
            bytes(flexbuffers.Dumps(made)),
            inputs,
            [Tensor(shape, "float32") for shape in shapes],
        )
        return Case(model, tuple(given), oracle="litert" if self.legacy else "tflm", outputs=4)


@st.composite
def detections(draw: st.DrawFn) -> Detect:
    """The regular way: from none to all boxes found."""
    boxes = draw(st.integers(2, 40))
    return Detect(
        boxes,
        draw(st.integers(1, 5)),
        draw(st.booleans()),
        draw(st.integers(1, boxes)),
        True,
        draw(st.integers(1, 10)),
        draw(st.sampled_from((0.0, 0.3, 0.6, 0.95))),
        draw(st.sampled_from((0.1, 0.5, 0.9))),
        draw(st.integers(4, 6)),
        draw(st.booleans()),
        draw(SEEDS),
    )


@st.composite
def crowds(draw: st.DrawFn) -> Detect:
    """The fast way leaves what it does not find as it was before: there are enough boxes to find as many as asked."""
    return Detect(
        draw(st.integers(60, 80)),
        draw(st.integers(1, 5)),
        draw(st.booleans()),
        draw(st.integers(1, 8)),
        False,
        1,
        0.01,
        draw(st.sampled_from((0.2, 0.5, 0.9))),
        4,
        draw(st.booleans()),
        draw(SEEDS),
    )


KINDS = {
    "DETECTION_POSTPROCESS float32 regular": detections(),
    "DETECTION_POSTPROCESS float32 fast": crowds(),
    "DETECTION_POSTPROCESS uint8 regular": detections().map(lambda spec: replace(spec, legacy=True)),
}
