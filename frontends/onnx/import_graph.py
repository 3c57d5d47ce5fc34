"""Imports the operators of one graph, and those of the branches that constants choose."""

from __future__ import annotations

import functools
import math
from collections import ChainMap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from onnx import FunctionProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.builder import Builder
from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ...dialects.nn.control_flow import CondIfOp, YieldOp
from ...errors import InputError
from ..emission import LARGEST
from ..reasons import Unsupported
from . import operators as operators  # enters the importers
from .definitions import written
from .functions import definition
from .node import ELEMENTS, Node, Scope
from .registry import lookup
from .stored import Stored, typed
from .tensors import MOVED, Array, Lazy, Tensor

CONTRADICTIONS = (VerifyException, ValueError, IndexError, KeyError, TypeError, ArithmeticError)
"""Exceptions of importers where attributes and tensors do not go together."""

NO_NUMBERS = "cOSU"
"""Kinds of NumPy's types whose elements are no integers and no reals: complex numbers and text."""

KEPT = ("DequantizeLinear",)
"""Operators that are not computed although their inputs are constants: what they were made from matters."""


class GraphImport(Scope):
    """Imports the operators of a graph."""

    def inner(self, block: Block) -> GraphImport:
        """An import into a region's block, which sees what is outside."""
        made = GraphImport(Builder(InsertPoint.at_end(block)), self.source, self.opsets, self.reasons)
        made.tensors, made.read, made.index = ChainMap({}, self.tensors), self.read, self.index
        return made

    def attribute(self, attribute: Any) -> Any:
        """The Python value of an attribute."""
        value = helper.get_attribute_value(attribute)
        if isinstance(value, bytes):
            return value.decode(errors="replace")
        return value

    def constant(self, name: str, array: Array) -> Tensor:
        """A tensor whose elements are known."""
        dtype = array.dtype.name

        def literal() -> Stored:
            if dtype not in ELEMENTS:
                raise Unsupported(f"'{name}' has the type {dtype}")
            node = Node(self, self.index, helper.make_node("Constant", [], [name]), [])
            moved = array.astype(np.int64) - MOVED[dtype] if dtype in MOVED else array
            return Stored.plain(node.literal(moved, ELEMENTS[dtype], name))

        return Tensor(name, array.shape, dtype, Lazy(literal), array=None if array.dtype.kind in NO_NUMBERS else array)

    def run(self, graph: Any) -> None:
        """Import initialisers and operators."""
        for initializer in graph.initializer:
            self.tensors[initializer.name] = self.constant(initializer.name, to_array(initializer, self.source))
        for operator in graph.node:
            self.operator(operator)

    def tensor(self, name: str) -> Tensor:
        """Return the tensor of a name."""
        if name not in self.tensors:
            raise InputError(f"malformed ONNX file {self.source}: nothing gives '{name}' before it is read")
        return self.tensors[name]

    def operator(self, operator: Any) -> None:
        """Import one operator."""
        # What a definition consists of is one operator of the file.
        self.index += not self.title
        node = Node(self, self.index, operator, [self.tensor(name) if name else None for name in operator.input])
        try:
            made = self._made(node)
            missing = [name for name in operator.output[len(made) :] if name and self.reads(name)]
            if missing:
                raise Unsupported(f"output '{missing[0]}' cannot be compiled")
            if (most := max((math.prod(tensor.shape) for tensor in made), default=0)) >= LARGEST:
                raise Unsupported(f"tensors of {most} elements cannot be compiled")
        except CONTRADICTIONS as error:
            if not self.reasons.is_empty:
                # It may be wrong only beside what stands for a refused operator.
                made = None
            else:
                raise node.malformed(f"{error}" or type(error).__name__) from error
        except InputError:
            if self.reasons.is_empty:
                raise
            made = None
        except Unsupported as reason:
            self.refuse(node, str(reason))
            made = None
        for number, name in enumerate(operator.output):
            if made is None:
                self.tensors[name] = self._placeholder(name, node)
            elif name and number < len(made):
                self.tensors[name] = made[number]

    def refuse(self, node: Node, reason: str) -> None:
        """Collect a reason."""
        self.reasons.add_operator(self.title or title_of(node.op), reason, f"{node.index} '{node.name}'")

    def _placeholder(self, name: str, node: Node) -> Tensor:
        """Stands for what an operator that is refused gives, so that others are looked at, too."""
        shape = next((tensor.shape for tensor in node.inputs if tensor is not None and tensor.array is None), (1,))

        def nothing() -> Stored:
            type = typed(ELEMENTS["float32"], shape)
            cast = UnrealizedConversionCastOp(operands=[[]], result_types=[[type]])
            self.builder.insert(cast)
            return Stored.plain(cast.results[0])

        return Tensor(name, shape, "float32", Lazy(nothing))

    def _made(self, node: Node) -> Sequence[Tensor]:
        operator = node.op
        if operator.op_type == "If" and not operator.domain:
            return self._branch(node)
        given = [tensor for tensor in node.inputs if tensor is not None]
        known = all(tensor.array is not None for tensor in given)
        if known and operator.op_type not in KEPT and operator.domain in ("", "ai.onnx"):
            return self._computed(node)
        importer = lookup(title_of(operator))
        function = written(node) or (definition(node) if importer is None else None)
        if function is not None:
            return self._by_definition(node, function)
        if importer is None:
            raise Unsupported("the operator cannot be compiled")
        made = importer(node)
        return [made] if isinstance(made, Tensor) else made

    def _by_definition(self, node: Node, function: FunctionProto) -> Sequence[Tensor]:
        """Import an operator by its definition in others."""
        inner = GraphImport(self.builder, self.source, function.opset_import, self.reasons)
        inner.index, inner.title = self.index, title_of(node.op)
        inner.read = {name for each in function.node for name in each.input} | {
            own for own, name in zip(function.output, node.output_names, strict=False) if self.reads(name)
        }
        for number, name in enumerate(function.input):
            tensor = node.optional(number)
            if tensor is not None:
                inner.tensors[name] = tensor
        for operator in function.node:
            # An input that is left out is one inside, too.
            for number, name in enumerate(operator.input):
                if name in function.input and name not in inner.tensors:
                    operator.input[number] = ""
            inner.operator(operator)
        wanted = zip(function.output, node.output_names, strict=False)
        return [replace(inner.tensor(own), name=name) for own, name in wanted if name]

    def _computed(self, node: Node) -> Sequence[Tensor]:
        """An operator on constants."""
        feeds = {name: self.tensor(name).array for name in node.op.input if name}
        values = [helper.make_tensor_value_info(name, 0, None) for name in feeds]
        outputs = [helper.make_tensor_value_info(name, 0, None) for name in node.op.output if name]
        graph = helper.make_graph([node.op], "constant", values, outputs)
        model = helper.make_model(graph, opset_imports=self.opsets)
        try:
            results: Any = ReferenceEvaluator(model).run(None, feeds)
        except Exception as error:
            raise Unsupported(f"its constants cannot be computed: {error}") from error
        return [
            self.constant(name, np.asarray(value))
            for name, value in zip([name for name in node.op.output if name], results, strict=True)
        ]

    def _branch(self, node: Node) -> Sequence[Tensor]:
        """The branch of an If that a constant chooses, or both if that happens at run time."""
        condition = node.input(0)
        if condition.array is None:
            return self._branches(node, condition)
        chosen = node.attributes["then_branch" if bool(condition.array.reshape(-1)[0]) else "else_branch"]
        self.run(chosen)
        return [self.tensor(value.name) for value in chosen.output]

    def _branches(self, node: Node, condition: Tensor) -> Sequence[Tensor]:
        blocks: list[Block] = []
        results: list[list[Tensor]] = []
        for name in ("then_branch", "else_branch"):
            block, graph = Block(), node.attributes[name]
            inner = self.inner(block)
            inner.run(graph)
            made = [inner.tensor(value.name) for value in graph.output]
            at_end = Node(inner, inner.index, node.op, [])
            block.add_op(YieldOp(*(at_end.real(tensor) for tensor in made)))
            blocks.append(block)
            results.append(made)
        kinds = [[(tensor.shape, tensor.dtype) for tensor in made] for made in results]
        if kinds[0] != kinds[1]:
            raise Unsupported("branches whose results have several shapes cannot be compiled")
        types = [typed(ELEMENTS[dtype], shape) for shape, dtype in kinds[0]]
        values = node.emit_all(CondIfOp(node.real(condition), blocks[0], blocks[1], types))
        return [
            Tensor(name, tensor.shape, tensor.dtype, Lazy(functools.partial(Stored.plain, value)))
            for name, tensor, value in zip(node.output_names, results[0], values, strict=True)
        ]


def names_read(graph: Any) -> set[str]:
    """Names that operators of a graph and of those inside read, or that it gives."""
    found = {value.name for value in graph.output}
    for node in graph.node:
        found.update(node.input)
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else [*attribute.graphs]:
                found |= names_read(inner)
    return found


def title_of(operator: Any) -> str:
    """An operator's name, with its domain if that is not ONNX's own."""
    return operator.op_type if operator.domain in ("", "ai.onnx") else f"{operator.domain}.{operator.op_type}"


def to_array(tensor: Any, source: str) -> Array:
    """The elements of a tensor in the file."""
    if tensor.data_location == 1:
        raise InputError(
            f"{source}: the data of '{tensor.name}' lies in another file",
            remedy="save the model with its data inside: onnx.save(onnx.load(FILE), FILE)",
        )
    try:
        return np.asarray(numpy_helper.to_array(tensor))
    except (ValueError, TypeError, KeyError, NotImplementedError) as error:
        raise InputError(f"malformed ONNX file {source}: tensor '{tensor.name}': {error}") from error
