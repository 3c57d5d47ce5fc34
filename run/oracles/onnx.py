"""The reference of ONNX files: onnxruntime without optimisations, products of quantised operands in integers.

DequantizeLinear, Conv, Gemm or MatMul, and QuantizeLinear become QLinearConv, QGemm or QLinearMatMul, which sum in
int32 and round once. onnxruntime would compute them in float32, which turns ties the other way now and then. Products
that it has no integer operator for, as ConvTranspose, are summed by digits. Relu, Clip and movement may stand in
between. All other operators are run as they are written.
"""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...driver.models.model_file import OnnxFile
from ...errors import InputError, install_extra
from ...progress import tell
from ...targets.interfaces.description import Description
from ..samples import Array
from .digits import product_by_digits
from .early import quantised_early
from .exact_products import constants_of, with_exact_products
from .onnx_layouts import as_held, in_steps
from .oracle import SECONDS, Oracle, OracleMissing, Reference
from .zero_points import give_zero_points

WORDS = "onnxruntime without optimisations, quantised products in integers"
_INTEGER: Mapping[str, tuple[str, str]] = {
    "Conv": ("QLinearConv", ""),
    "Gemm": ("QGemm", "com.microsoft"),
    "MatMul": ("QLinearMatMul", ""),
}
"""The operator on integers of a product, and its domain."""
_PRODUCTS = (*_INTEGER, "ConvTranspose")
_NO_QLINEAR_MATMUL = 21
"""The operator set from which on onnxruntime has no QLinearMatMul."""


@dataclass(frozen=True)
class OnnxOracle(Oracle):
    """Reference of an ONNX file by onnxruntime."""

    file: OnnxFile

    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """The outputs, and tensors inside as the compiled model holds them, as far as the file still has them.

        Raises:
            OracleMissing: onnxruntime is not installed.
            InputError: it refuses the model.
        """
        if importlib.util.find_spec("onnxruntime") is None:
            raise OracleMissing("nothing is installed that runs ONNX models", remedy=install_extra("onnx"))
        tell(f"comparing with {WORDS}")
        model = integer_products(self.file.data)
        given = {name for node in model.graph.node for name in node.output}
        steps = in_steps(self.file.data, further, self.file.layouts)
        more = [name for name in dict.fromkeys(steps.values()) if name in given]
        outputs = [value.name for value in model.graph.output]
        from onnx import helper

        for name in more:
            if name not in outputs:
                model.graph.output.append(helper.make_empty_tensor_value_info(name))
        session = session_of(model, self.file.source)
        names = [value.name for value in session.get_inputs()]
        samples = len(inputs[0]) if inputs else 1
        runs: list[Any] = []
        for number in range(samples):
            feeds = {name: self._in_file(stack[number]) for name, stack in zip(names, inputs, strict=True)}
            try:
                runs.append(session.run([*outputs, *more], feeds))
            except Exception as error:
                raise InputError(f"onnxruntime refuses {self.file.source}: {_first_line(error)}") from error
        stacks = [np.stack(arrays) for arrays in zip(*runs, strict=True)]
        shaped = [
            stack.reshape(samples, *tensor.shape) for stack, tensor in zip(stacks, description.outputs, strict=False)
        ]
        found = dict(zip(more, stacks[len(outputs) :], strict=True))
        inside = {
            name: as_held(found[step], self.file.layouts.get(name)) for name, step in steps.items() if step in found
        }
        return Reference(WORDS, tuple(shaped), {name: array for name, array in inside.items() if array is not None})

    def _in_file(self, array: Array) -> Array:
        """An input as the file has it."""
        given = np.asarray(array)
        return np.moveaxis(given, -1, 1) if self.file.channels_last and given.ndim == 4 else given


def session_of(model: Any, source: str) -> Any:
    """A session that runs a model as it is written.

    Raises:
        InputError: onnxruntime refuses it.
    """
    import onnxruntime  # pyright: ignore[reportMissingImports]

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    exact = with_exact_products(model)
    try:
        return onnxruntime.InferenceSession(exact.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise InputError(f"onnxruntime refuses {source}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def integer_products(data: bytes) -> Any:
    """The model of a file with quantised products in integers."""
    import onnx
    from onnx import helper

    model = onnx.ModelProto()
    model.ParseFromString(data)
    graph = model.graph
    give_zero_points(model, constants_of(graph))
    makers = {name: node for node in graph.node for name in node.output}
    readers: dict[str, list[Any]] = defaultdict(list)
    for node in graph.node:
        for name in node.input:
            readers[name].append(node)
    shown = {value.name for value in graph.output}
    constants = constants_of(graph)
    opset = max((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), default=1)
    behind: dict[str, Sequence[Any]] = {}
    for node in graph.node:
        if node.op_type in _PRODUCTS and not node.domain:
            behind[node.output[0]] = quantised_early(node, readers, shown, constants)
    replaced: dict[str, list[Any]] = {}
    more: list[Any] = []
    gone: set[str] = set()
    for node in graph.node:
        if node.op_type not in _PRODUCTS or node.domain:
            continue
        users, sources = readers[node.output[0]], [makers.get(name) for name in node.input]
        is_alone = len(users) == 1 and users[0].op_type == "QuantizeLinear" and node.output[0] not in shown
        if not is_alone or any(source is None or source.op_type != "DequantizeLinear" for source in sources):
            continue
        if not _has_one_factor(node, sources, constants):
            continue
        if node.op_type == "MatMul" and not _has_integer_form(sources, constants):
            made = None
        elif node.op_type in _INTEGER and _is_of_bytes([*sources[:2], users[0]], constants):
            made = [_integer(node, sources, users[0])]
            if node.op_type == "MatMul" and opset >= _NO_QLINEAR_MATMUL:
                made = _sum_and_factor(node, sources, users[0], constants, more)
        else:
            made = product_by_digits(node, sources, users[0], constants, more)
        if made is not None:
            replaced[users[0].output[0]] = made
            gone.add(node.output[0])
    written = [one for node in graph.node for one in (node, *behind.get(node.output[0], ()))]
    kept = [made for node in written if node.output[0] not in gone for made in replaced.get(node.output[0], [node])]
    del graph.node[:]
    graph.node.extend(kept)
    graph.initializer.extend(more)
    if replaced and all(opset.domain != "com.microsoft" for opset in model.opset_import):
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model


def _is_of_bytes(operators: Sequence[Any], constants: Mapping[str, Any]) -> bool:
    """Whether tensors are quantised as onnxruntime's products of integers take them.

    These have bytes without sign times any bytes, or bytes with a sign times such; results have the type of the left
    operand.
    """
    from onnx import TensorProto

    found = [constants[name].data_type for op in operators for name in op.input[2:3] if name in constants]
    if not all(kind in (TensorProto.INT8, TensorProto.UINT8) for kind in found):
        return False
    if len(found) < len(operators):
        return True
    left, right, result = found
    if right == TensorProto.UINT8 and operators[0].input[0] in constants:
        # Constants are raised to bytes without sign beside such.
        left = right
    return left == result and (left == TensorProto.UINT8 or right == left)


def _has_one_factor(node: Any, sources: Sequence[Any], constants: Mapping[str, Any]) -> bool:
    """Whether a product and its bias are summed before the scales are applied: all else is a sum of reals."""
    from onnx import TensorProto, helper, numpy_helper

    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    if any(attributes.get(name, 1.0) != 1.0 for name in ("alpha", "beta")):
        return False
    scales = [constants.get(source.input[1]) for source in sources]
    known = [numpy_helper.to_array(scale).reshape(-1) for scale in scales if scale is not None]
    if len(known) < len(scales) or len(scales) < 3:
        return True
    bias = constants.get(sources[2].input[0])
    is_wide = bias is not None and bias.data_type == TensorProto.INT32
    return is_wide and bool(np.allclose(known[2], known[0] * known[1], rtol=1e-5, atol=0))


def _has_integer_form(sources: Sequence[Any], constants: Mapping[str, Any]) -> bool:
    """Whether a sum of products has one scale: the left operand has one, the right one at most one for each column."""
    from onnx import helper

    sizes = [int(np.prod(constants[source.input[1]].dims)) if source.input[1] in constants else 1 for source in sources]
    if sizes[1] == 1:
        return sizes[0] == 1
    matrix = constants.get(sources[1].input[0])
    axis = next((helper.get_attribute_value(a) for a in sources[1].attribute if a.name == "axis"), 1)
    return sizes[0] == 1 and matrix is not None and len(matrix.dims) == 2 and axis in (1, -1)


def _sum_and_factor(
    node: Any, sources: Sequence[Any], quantize: Any, constants: Mapping[str, Any], more: list[Any]
) -> list[Any] | None:
    """Return QLinearMatMul in parts: the sum in int32, a product with `f32(f32(xs * ws) / ys)`, QuantizeLinear."""
    from onnx import TensorProto, helper, numpy_helper

    names = [sources[0].input[1], sources[1].input[1], quantize.input[1]]
    if any(name not in constants for name in names):
        return None
    first, second, result = (numpy_helper.to_array(constants[name]).astype(np.float32) for name in names)
    factor = (first.reshape(()) * second.reshape(-1) / result.reshape(())).astype(np.float32)
    name = quantize.output[0]
    for suffix, array in (("factor", factor if factor.size > 1 else factor.reshape(())), ("one", np.float32(1))):
        more.append(numpy_helper.from_array(np.asarray(array), f"{name}/{suffix}"))
    zeros = [source.input[2] if len(source.input) > 2 else "" for source in sources[:2]]
    return [
        helper.make_node("MatMulInteger", [sources[0].input[0], sources[1].input[0], *zeros], [f"{name}/sum"]),
        helper.make_node("Cast", [f"{name}/sum"], [f"{name}/float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}/float", f"{name}/factor"], [f"{name}/real"]),
        helper.make_node("QuantizeLinear", [f"{name}/real", f"{name}/one", *quantize.input[2:3]], [name]),
    ]


def _integer(node: Any, sources: Sequence[Any], quantize: Any) -> Any:
    from onnx import helper

    kind, domain = _INTEGER[node.op_type]
    operands = [name for source in sources[:2] for name in source.input]
    bias = [source.input[0] for source in sources[2:]]
    scale = list(quantize.input[1:3])
    inputs = [*operands, *(bias or [""]), *scale] if kind == "QGemm" else [*operands, *scale, *bias]
    made = helper.make_node(kind, inputs, list(quantize.output), domain=domain)
    made.attribute.extend(a for a in node.attribute if a.name != "beta")
    return made
