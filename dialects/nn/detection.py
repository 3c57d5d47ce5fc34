"""Detections from the box and class predictions of a single-shot detector: `nn.detection_postprocess`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, TensorType, f32, i64
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integer, real
from .interfaces import element_type_of, expect_length, expect_rank, expect_shape, shape_of
from .signature import SIGNATURE, OnTensors


@irdl_op_definition
class DetectionPostprocessOp(OnTensors):
    """Boxes decoded from their anchors, of which the best that do not overlap much remain.

    A box is decoded from offsets (y, x, h, w) and an anchor (y, x, h, w) to corners (ymin, xmin, ymax, xmax); the
    arithmetic is in float64. Non-maximum suppression takes the box of the highest score of at least `score_threshold`
    (of several the first), drops those that overlap it by more than `iou_threshold`, and so on.

    Fast: once for all boxes, with the score of each one's best class; `max_detections` at most. Regular: for each
    class, `per_class` at most; of all these the best `max_detections` remain, equal ones in the order of classes.
    Detections that are not found are 0 throughout; so TensorFlow Lite does in the regular way only.

    Source: TensorFlow Lite Micro `detection_postprocess.cc`.
    """

    name = "nn.detection_postprocess"
    encodings = operand_def(TensorType)
    """1 x N x (4 or more)."""
    predictions = operand_def(TensorType)
    """1 x N x classes, perhaps with one more at the front for the background."""
    anchors = operand_def(TensorType)
    """N x 4."""
    boxes = result_def(TensorType)
    classes = result_def(TensorType)
    scores = result_def(TensorType)
    count = result_def(TensorType)
    scales = prop_def(DenseArrayBase.constr(f32))
    """Divisors of the encodings y, x, h and w."""
    score_threshold = prop_def(FloatAttr.constr(type=f32))
    iou_threshold = prop_def(FloatAttr.constr(type=f32))
    num_classes = prop_def(IntegerAttr.constr(type=i64))
    max_detections = prop_def(IntegerAttr.constr(type=i64))
    per_class = opt_prop_def(IntegerAttr.constr(type=i64))
    """Given for the regular suppression."""
    assembly_format = (
        "$encodings `,` $predictions `,` $anchors `scales` $scales `score_threshold` $score_threshold"
        " `iou_threshold` $iou_threshold `num_classes` $num_classes `max_detections` $max_detections"
        " (`per_class` $per_class^)?" + SIGNATURE
    )

    def __init__(
        self,
        operands: Sequence[Value],
        result_types: Sequence[TensorType],
        *,
        scales: Sequence[float],
        score_threshold: float,
        iou_threshold: float,
        num_classes: int,
        max_detections: int,
        per_class: int | None = None,
    ):
        super().__init__(
            operands=operands,
            result_types=result_types,
            properties={
                "scales": DenseArrayBase.from_list(f32, scales),
                "score_threshold": real(score_threshold),
                "iou_threshold": real(iou_threshold),
                "num_classes": integer(num_classes, i64),
                "max_detections": integer(max_detections, i64),
                "per_class": integer(per_class, i64),
            },
        )

    @property
    def background(self) -> int:
        """1 if the predictions begin with the background, else 0."""
        return shape_of(self.predictions)[2] - self.num_classes.value.data

    def verify_(self) -> None:
        batch, number, coordinates = expect_rank(self, "encodings", self.encodings, 3)
        if batch != 1 or coordinates < 4:
            raise VerifyException(
                f"'{self.name}' op encodings must be 1 x N x 4 or more, got {list(shape_of(self.encodings))}"
            )
        expect_shape(self, "anchors", shape_of(self.anchors), (number, 4))
        classes = expect_rank(self, "predictions", self.predictions, 3)[2]
        expect_shape(self, "predictions", shape_of(self.predictions), (1, number, classes))
        if self.num_classes.value.data < 1 or self.background not in (0, 1):
            raise VerifyException(
                f"'{self.name}' op {classes} predictions do not fit {self.num_classes.value.data} classes"
            )
        limits = [self.max_detections.value.data, 1 if self.per_class is None else self.per_class.value.data]
        if min(limits) < 1:
            raise VerifyException(f"'{self.name}' op numbers of detections must be at least 1")
        if not 0 < self.iou_threshold.value.data <= 1:
            raise VerifyException(f"'{self.name}' op iou_threshold must be above 0 and at most 1")
        expect_length(self, "scales", len(self.scales), 4)
        limit = limits[0]
        expect_shape(self, "boxes", shape_of(self.boxes), (1, limit, 4))
        expect_shape(self, "classes", shape_of(self.classes), (1, limit))
        expect_shape(self, "scores", shape_of(self.scores), (1, limit))
        expect_shape(self, "count", shape_of(self.count), (1,))
        if any(element_type_of(value) != f32 for value in (*self.operands, *self.results)):
            raise VerifyException(f"'{self.name}' op elements must be f32")
