"""The custom operator TFLite_Detection_PostProcess of single-shot detectors."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flatbuffers import flexbuffers
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Operation, SSAValue

from ....dialects.nn.detection import DetectionPostprocessOp
from ....dialects.nn.quantise import DequantizeOp
from ..node import Node, Unsupported, tensor_type
from ..scales import per_tensor
from ..schema import Tensor
from ..shapes.rules import Shape, shape_rule
from .registry import operator

PER_CLASS = 100
"""Detections of each class in the regular suppression if the options do not say."""


@dataclass(frozen=True)
class Options:
    """The fields of the operator's flexbuffer."""

    fields: Any
    node: Node

    @staticmethod
    def of(node: Node) -> Options:
        """Read them.

        Raises:
            InputError: there is no map.
        """
        try:
            return Options(flexbuffers.GetRoot(node.operator.custom_options).AsMap, node)
        except BROKEN as error:
            raise node.malformed("its options are no map of flexbuffers") from error

    def integer(self, name: str, default: int | None = None) -> int:
        """An integer, which must be there unless there is a default."""
        return int(self._number(name, "AsInt", default))

    def real(self, name: str) -> float:
        """A float."""
        return float(self._number(name, "AsFloat", None))

    def _number(self, name: str, accessor: str, default: float | None) -> float:
        try:
            value = self.fields[name]
            return default if default is not None and value.IsNull else getattr(value, accessor)
        except KeyError as error:
            if default is not None:
                return default
            raise self.node.malformed(f"its options lack {name}") from error
        except BROKEN as error:
            raise self.node.malformed(f"its option {name} cannot be read") from error


BROKEN = (ValueError, TypeError, LookupError, OverflowError, struct.error)
"""Exceptions of reading a damaged flexbuffer."""


def _real(node: Node, tensor: Tensor) -> SSAValue:
    """An input as floats."""
    if tensor.element_type.name == "FLOAT32":
        return node.value(tensor)
    scale, zero_point = per_tensor(node, tensor)
    output_type = TensorType(f32, tensor.shape)
    made = DequantizeOp(node.value(tensor), scale=scale, zero_point=zero_point, output_type=output_type)
    return node.emit(made).results[0]


_CODE = "CUSTOM TFLite_Detection_PostProcess"


@shape_rule(_CODE)
def detection_shapes(node: Node) -> Sequence[Shape]:
    """Boxes, classes and scores of as many detections as the options allow, and their number."""
    most = Options.of(node).integer("max_detections")
    return [[1, most, 4], [1, most], [1, most], [1]]


@operator(_CODE, inputs=3, outputs=4, types=("FLOAT32", "UINT8 to FLOAT32"))
def detection_postprocess(node: Node) -> Operation:
    """Boxes, classes, scores and their number."""
    tensors = [node.input(position) for position in range(3)]
    for tensor in tensors:
        node.check_types((tensor,), supported=("FLOAT32", "UINT8"), others=("INT8",))
    node.refuse_empty(*tensors)
    node.check_types(node.outputs, supported=(" ".join(["FLOAT32"] * 4),))
    options = Options.of(node)
    if min(options.integer("max_classes_per_detection", 1), options.integer("num_classes")) != 1:
        if not options.integer("use_regular_nms", 0):
            raise Unsupported("several classes for each detection: the reference writes beyond its outputs then")
    return node.emit(
        DetectionPostprocessOp(
            [_real(node, tensor) for tensor in tensors],
            [tensor_type(tensor) for tensor in node.outputs],
            scales=[options.real(f"{axis}_scale") for axis in "yxhw"],
            score_threshold=options.real("nms_score_threshold"),
            iou_threshold=options.real("nms_iou_threshold"),
            num_classes=options.integer("num_classes"),
            max_detections=options.integer("max_detections"),
            per_class=options.integer("detections_per_class", PER_CLASS)
            if options.integer("use_regular_nms", 0)
            else None,
        )
    )
