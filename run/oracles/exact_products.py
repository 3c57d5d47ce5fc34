"""Products of bytes without sign and bytes with one, so that onnxruntime sums them exactly on every processor.

On x86 without VNNI its kernels add two such products in 16 bits, which saturate (VPMADDUBSW). Products of bytes without
sign it adds in 32 bits. So weights are raised by 128, and so are their zero points: the sums are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

_Places = tuple[int, int, int | None]
_OPERANDS: Mapping[str, tuple[_Places, ...]] = {
    **dict.fromkeys(("QGemm", "QLinearConv"), ((3, 5, 2),)),
    "QLinearMatMul": ((3, 5, 2), (0, 2, 5)),
    **dict.fromkeys(("ConvInteger", "MatMulInteger"), ((1, 3, 2),)),
    "DynamicQuantizeMatMul": ((1, 3, None),),
    "DynamicQuantizeLSTM": ((1, 9, None), (2, 11, None)),
}
"""Of each operator the inputs that are weights, their zero point, and the zero point of its first input: None where
that has reals, which it quantises to bytes without sign."""
_RAISED = 128


def constants_of(graph: Any) -> dict[str, Any]:
    """The tensors of a graph that are constants, by name: initialisers, and values of nodes."""
    return {tensor.name: tensor for tensor in graph.initializer} | {
        node.output[0]: attribute.t
        for node in graph.node
        for attribute in node.attribute
        if node.op_type == "Constant" and attribute.name == "value"
    }


def with_exact_products(model: Any) -> Any:
    """A copy of a model that computes the same, with weights of 8 bits without sign where those had one."""
    import onnx
    from onnx import numpy_helper

    copied = onnx.ModelProto()
    copied.CopyFrom(model)
    graph = copied.graph
    constants = constants_of(graph)
    made: dict[str, Any] = {}
    for node, weights, zero in _with_signs(copied, constants):
        for place in (weights, zero):
            node.input.extend([""] * (place + 1 - len(node.input)))
            name = f"{node.input[place]}/raised"
            given = constants.get(node.input[place])
            array = np.zeros((), np.int8) if given is None else numpy_helper.to_array(given)
            if name not in made:
                made[name] = numpy_helper.from_array((array.astype(np.int16) + _RAISED).astype(np.uint8), name)
            node.input[place] = name
    graph.initializer.extend(made.values())
    return copied


def _with_signs(model: Any, constants: Mapping[str, Any]) -> Iterator[tuple[Any, int, int]]:
    """Products of bytes without sign with constant bytes that have one: where these are, and their zero point."""
    from onnx import TensorProto

    nodes = [node for node in model.graph.node if node.op_type in _OPERANDS]
    types = element_types(model) if nodes else {}
    types |= {name: tensor.data_type for name, tensor in constants.items()}
    for node in nodes:
        names = dict(enumerate(node.input))
        for weights, zero, other in _OPERANDS[node.op_type]:
            kind = None if other is None else types.get(names.get(other) or names[0])
            is_constant = names.get(weights) in constants and (not names.get(zero) or names[zero] in constants)
            is_unsigned = other is None or kind == TensorProto.UINT8
            if is_constant and is_unsigned and types[names[weights]] == TensorProto.INT8:
                yield node, weights, zero


def element_types(model: Any) -> dict[str, int]:
    """The element types of tensors, as far as ONNX knows them."""
    from onnx import shape_inference

    graph = shape_inference.infer_shapes(model).graph
    values = (*graph.input, *graph.value_info, *graph.output)
    return {value.name: value.type.tensor_type.elem_type for value in values}
