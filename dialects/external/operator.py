"""`external.operator`: an operator on tensors, or several, that a C function computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, traits_def, var_operand_def, var_result_def
from xdsl.traits import Pure

from .handed import NO_WISHES, Handed, Parameter, Wishes, said


@irdl_op_definition
class OperatorOp(Handed):
    """A C function computes tensors from others: it must depend on nothing else, and keep nothing.

    Example: `%y = external.operator my_relu relu ["input", "output"] {limit = 6 : i32}(%x) : (tensor<4xi8>) ->
    tensor<4xi8>` calls `my_relu(&parameters, x, y, scratch, device)` with `parameters` of type `stillpool_relu`.
    """

    name = "external.operator"
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = (
        "$function $kind $names $parameters `(` $inputs `)` (`scratch` $scratch_bytes^)? (`align` $alignment^)?"
        " (`pools` $pools^)? (`device` $device^)? (`offsets` $offsets^)? (`asynchronous` $asynchronous^)?"
        " attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        function: str,
        kind: str,
        inputs: Mapping[str, SSAValue] | Sequence[tuple[str, SSAValue]],
        outputs: Mapping[str, TensorType] | Sequence[tuple[str, TensorType]],
        parameters: Mapping[str, Parameter],
        wishes: Wishes = NO_WISHES,
    ):
        """Inputs and outputs are given with the names of the function's parameters."""
        given = list(inputs.items() if isinstance(inputs, Mapping) else inputs)
        made = list(outputs.items() if isinstance(outputs, Mapping) else outputs)
        names = [name for name, _ in (*given, *made)]
        super().__init__(
            operands=[[value for _, value in given]],
            result_types=[[type for _, type in made]],
            properties=said(function, kind, names, parameters, wishes),
        )

    def verify_(self) -> None:
        self.verify_handed(len(self.inputs) + len(self.outputs))
