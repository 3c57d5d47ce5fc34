"""Every real model imports, or is refused for a reason that its file bears out."""

from __future__ import annotations

from pathlib import Path

import ai_edge_litert.schema_py_generated as schema
import pytest
import shared_models
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

from stillpool.dialects.nn import Nn
from stillpool.errors import InputError, StillpoolError, UnsupportedError
from stillpool.frontends.tflite import entries_of, import_tflite
from stillpool.frontends.tflite.operators import supported_operators

IMPORTED = frozenset(
    "ad01_float ad01_int8 cifar10 hello_world_float hello_world_int8 kws_int8 micro_speech_quantized person_detect "
    "resnet8_float resnet8_int8 simple_add_model strww_int8 vww_float vww_int8 add_10x10 add_1d_2d_3d_4d "
    "constant_output_tensor k_einsum q_einsum simple_add_dynamic_shape single_add_default_a8w8_recipe_quantized "
    "zero_size_constant mobilenet_v2_quantized_1x3x224x224 mobilenet_v1_0.25_128_uint8 kws_hybrid trained_lstm_int8 "
    "nested_while l2_norm_composite simple_group_norm_op split_concat matmul_quant".split()
)
MALFORMED = {
    "0_subgraphs": "it has no subgraph",
    "2_subgraphs_dont_delegate_name": "the model has no outputs",
    "empty_model": "the model has no outputs",
    "segment_sum_invalid_buffer": "operator 0 SEGMENT_SUM has SubOptions where SegmentSumOptions belong",
    "test_custom_node_with_init_data": "tensor 1 'b' is a constant",
    "test_min_runtime": "tensor 0 'input1' of shape [0] has no elements",
    "test_model": "tensor 0 'input0' is a constant",
    "two_subgraphs": "the model has no outputs",
}
OPCODES = {number: name for name, number in vars(schema.BuiltinOperator).items() if isinstance(number, int)}


def operators_of(path: Path) -> set[str]:
    """Built-in names of all operators, read by LiteRT's classes."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(path.read_bytes(), 0))
    codes = [OPCODES[max(code.builtinCode, code.deprecatedBuiltinCode)] for code in model.operatorCodes or []]
    return {codes[operator.opcodeIndex] for graph in model.subgraphs for operator in graph.operators or []}


@pytest.mark.skipif(not shared_models.PATHS, reason="no models beside the repository")
@pytest.mark.parametrize("path", shared_models.PATHS, ids=lambda path: path.stem)
def test_imports_or_says_why_not(path: Path) -> None:
    refusal: StillpoolError | None = None
    modules: list[ModuleOp] = []
    try:
        for key in entries_of(path.read_bytes(), path.name):
            modules.append(import_tflite(path, path.stem, signature=key))
    except (InputError, UnsupportedError) as error:
        refusal = error
    if path.stem in MALFORMED:
        assert isinstance(refusal, InputError)
        assert MALFORMED[path.stem] in str(refusal)
        assert path.name in str(refusal)
    elif refusal is None:
        assert operators_of(path) <= set(supported_operators())
        for module in modules:
            assert_round_trip(str(module))
    else:
        assert path.stem not in IMPORTED
        assert isinstance(refusal, UnsupportedError)
        assert_refused_truly(path, str(refusal).splitlines()[1:-1])


def assert_round_trip(text: str) -> None:
    """The printed module parses and prints the same."""
    context = Context()
    for dialect in (Builtin, Func, Nn):
        context.load_dialect(dialect)
    assert str(Parser(context, text).parse_module()) == text


def assert_refused_truly(path: Path, lines: list[str]) -> None:
    """Operators that are said to be unsupported are in the file and not in the table."""
    assert lines
    for line in lines:
        title, _, reason = line.strip().partition(": ")
        if reason.startswith("the operator cannot be compiled"):
            assert title.split()[0] in operators_of(path) - set(supported_operators())


def test_constants_keep_the_files_bytes() -> None:
    data = shared_models.named("kws_int8")
    module = import_tflite(data, "kws_int8")
    constants = [op for op in module.walk() if op.name == "nn.constant"]
    assert len(constants) == 20
    assert all(op.properties["value"].data.data in data for op in constants)
