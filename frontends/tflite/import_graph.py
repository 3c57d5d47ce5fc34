"""Imports the operators of one subgraph, and those of the subgraphs that they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.builder import Builder
from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ...dialects.nn.attributes import VariableType
from ...dialects.nn.interfaces import shape_of
from .customs import Customs
from .node import Node, Scope, Unsupported, Values, tensor_type
from .operators import lookup
from .quantisation import QuantisationError
from .refusals import Refusals, reason_for
from .schema import Model, Operator, Tensor
from .shapes import infer_shapes
from .variables import Variables


class GraphImport(Scope):
    """A subgraph while it is imported into a block.

    Tensors are those of the file. Shapes follow from the inputs' where the model is dynamic or leaves them open.
    """

    def __init__(
        self,
        model: Model,
        index: int,
        block: Block,
        variables: Variables,
        refusals: Refusals,
        customs: Customs,
        callers: tuple[int, ...] = (),
    ):
        self.model = model
        self.index = index
        self.graph = model.subgraphs[index]
        self.block = block
        self.tensors: list[Tensor] = list(self.graph.tensors)
        self.values = Values(Builder(InsertPoint.at_end(block)), variables, index)
        self.is_dynamic = model.is_dynamic
        """Whether shapes are inferred."""
        self.is_resized = False
        """Whether inputs have other shapes than in the file."""
        self._refusals = refusals
        self._customs = customs
        self._callers = (*callers, index)
        self.all: list[GraphImport] = [self]
        """This one and those that its operators run, as far as they are imported."""
        self._inputs = frozenset(self.graph.inputs)

    @property
    def suffix(self) -> str:
        """Text behind an operator's index in messages if the subgraph is none that applications run."""
        return f" of subgraph {self.index}" if len(self._callers) > 1 else ""

    @property
    def source(self) -> str:
        """The file, for messages."""
        return self.model.source

    def bind(self, values: Sequence[SSAValue]) -> None:
        """Say what the inputs are."""
        for position, value in zip(self.graph.inputs, values, strict=True):
            tensor = self.tensors[position]
            if self.leaves_open(tensor) and not isinstance(value.type, VariableType):
                tensor = self.tensors[position] = replace(tensor, shape=shape_of(value))
            self.values.bind(tensor, value)

    def leaves_open(self, tensor: Tensor) -> bool:
        """Whether the shape of a tensor is what follows from others, not what the file says.

        Converters write no shape, as a scalar has none, where the operator's kernel is to define it.
        """
        return self.is_dynamic or not tensor.shape

    def run(self) -> None:
        """Import all operators."""
        for operator in self.graph.operators:
            self._operator(operator)

    @property
    def inputs(self) -> list[Tensor]:
        """The input tensors."""
        return [self.tensors[position] for position in self.graph.inputs]

    @property
    def outputs(self) -> list[Tensor]:
        """The output tensors."""
        return [self.tensors[position] for position in self.graph.outputs]

    def inner(self, index: int, block: Block) -> GraphImport:
        """A subgraph that an operator of this one runs.

        Raises:
            Unsupported: it runs itself.
        """
        if index in self._callers:
            raise Unsupported(f"subgraph {index} runs itself; there is no recursion")
        inner = GraphImport(
            self.model, index, block, self.values.variables, self._refusals, self._customs, self._callers
        )
        inner.is_dynamic, inner.is_resized = self.is_dynamic, self.is_resized
        inner.all = self.all
        self.all.append(inner)
        return inner

    def _operator(self, operator: Operator) -> None:
        """Import one operator; one that must be refused leaves placeholders, so that the others are looked at too."""
        node = Node(self, operator)
        entry = self._customs.entry(operator.custom_code) or lookup(operator.key)
        try:
            if entry is None:
                raise Unsupported(reason_for(operator.key) + self._customs.remedy(operator))
            node.check_arity(entry.inputs, entry.outputs)
            self._refuse_tensors(node, entry.states)
            infer_shapes(node, self._customs.rule(operator.custom_code))
            made = entry.importer(node)
            results = made.results if isinstance(made, Operation) else made
            for emitted in node.emitted:
                emitted.verify_()
        except (QuantisationError, VerifyException) as error:
            raise node.malformed(str(error)) from error
        except (Unsupported, ZeroDivisionError) as error:
            reason = "an operand of scale 0 gives no factor" if isinstance(error, ZeroDivisionError) else str(error)
            self._refusals.add(node, reason)
            results = UnrealizedConversionCastOp(
                operands=[[]], result_types=[[tensor_type(tensor) for tensor in node.outputs]]
            ).results
        for tensor, result in zip(node.outputs, results, strict=True):
            self.values.bind(tensor, result)

    def _refuse_tensors(self, node: Node, states: Sequence[int]) -> None:
        for number, position in enumerate(node.operator.inputs):
            if position == -1:
                continue
            tensor = self.tensors[position]
            if tensor.is_variable and position not in self._inputs and number not in states:
                raise Unsupported(f"{tensor} keeps state between runs")
            if tensor.is_sparse:
                raise Unsupported(f"{tensor} is stored sparsely")
