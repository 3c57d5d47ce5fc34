"""Small ONNX models, built node by node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Compared = list[tuple[np.ndarray, np.ndarray]]
"""Of every output what was compiled gives, and what onnxruntime gives."""
Compare = Callable[..., Compared]
"""Takes a model and stacked inputs, and what `load` takes beside."""


class Graph:
    """Builds a model node by node; every operator has one result, named by its number."""

    def __init__(self, opset: int = 17):
        self.opset = opset
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[str] = []
        self.initializers: list[Any] = []

    def input(self, *shape: int, type: int = 1) -> str:
        from onnx import helper

        name = f"input{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, type, shape))
        return name

    def constant(self, array: Any) -> str:
        from onnx import numpy_helper

        name = f"constant{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def quantised(self, value: str, scale: float, zero_point: int, dtype: str = "int8") -> str:
        """QuantizeLinear and DequantizeLinear."""
        numbers = self.constant(np.float32(scale)), self.constant(np.array(zero_point, dtype))
        return self.op("DequantizeLinear", self.op("QuantizeLinear", value, *numbers), *numbers)

    def weights(self, array: np.ndarray, scales: Any, zero_points: Any = 0, axis: int = 0) -> str:
        """DequantizeLinear of a constant."""
        numbers = np.float32(scales), np.broadcast_to(np.array(zero_points, array.dtype), np.shape(scales))
        names = [self.constant(each) for each in (array, *numbers)]
        return self.op("DequantizeLinear", *names, **({"axis": axis} if np.ndim(scales) else {}))

    def model(self) -> bytes:
        from onnx import helper

        outputs = [helper.make_empty_tensor_value_info(name) for name in self.outputs]
        graph = helper.make_graph(self.nodes, "graph", self.inputs, outputs, self.initializers)
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        from onnx import shape_inference

        return shape_inference.infer_shapes(model).SerializeToString()
