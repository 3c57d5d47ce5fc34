"""Operators that ONNX defines by others: the definition stands in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import AttributeProto, FunctionProto, NodeProto, defs, helper

from .node import Node
from .tensors import Tensor


def definition(node: Node) -> FunctionProto | None:
    """The function that defines an operator of ONNX's own; None if it is a primitive one."""
    op, opset = node.op, node.graph.opset
    try:
        schema: Any = defs.get_schema(op.op_type, opset, op.domain)
    except defs.SchemaError:
        return None
    versions = schema.function_opset_versions or schema.context_dependent_function_opset_versions
    if not versions:
        return None
    version = max([each for each in versions if each <= opset], default=min(versions))
    if schema.has_function:
        data = schema.get_function_with_opset_version(version)
    else:
        types = [_type(tensor) for tensor in node.inputs]
        data = schema.get_context_dependent_function_with_opset_version(version, op.SerializeToString(), types)
    found = FunctionProto.FromString(data)
    given = {attribute.name: attribute for attribute in op.attribute}
    for name, declared in schema.attributes.items():
        if name not in given and declared.default_value.type:
            given[name] = declared.default_value
    for inner in found.node:
        _bind(inner, given)
    return found


def _type(tensor: Tensor | None) -> bytes:
    if tensor is None:
        return b""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(tensor.dtype))
    return helper.make_tensor_type_proto(kind, tensor.shape).SerializeToString()


def _bind(node: NodeProto, given: Mapping[str, Any]) -> None:
    """Give attributes that name one of the operator's its value; without one they are left out."""
    bound: list[AttributeProto] = []
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            if attribute.ref_attr_name not in given:
                continue
            value = AttributeProto()
            value.CopyFrom(given[attribute.ref_attr_name])
            value.name = attribute.name
            bound.append(value)
            continue
        for graph in [attribute.g, *attribute.graphs] if attribute.HasField("g") else attribute.graphs:
            for inner in graph.node:
                _bind(inner, given)
        bound.append(attribute)
    del node.attribute[:]
    node.attribute.extend(bound)
