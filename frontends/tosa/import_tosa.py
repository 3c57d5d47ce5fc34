"""The pass `import-tosa`: functions on `tosa` operations become functions on `nn` operations.

It stands at the border, as importers of files do: what TOSA says in several operations, such as a convolution and the
RESCALE of its sums, is one operation of `nn`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.tosa.control_flow import VariableOp
from ...errors import StillpoolError
from .import_module import import_function


@dataclass(frozen=True)
class ImportTosaPass(ModulePass):
    """Import the functions of a TOSA module into `nn`."""

    name: ClassVar[str] = "import-tosa"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [function for function in op.ops if isinstance(function, FuncOp) and not function.is_declaration]
        try:
            made = [
                import_function(op, function, function.sym_name.data, "the module", {}).function
                for function in functions
            ]
        except StillpoolError as error:
            raise PassFailedException(str(error)) from error
        for function, new in zip(functions, made, strict=True):
            block = function.parent_block()
            assert block is not None, "functions stand in the module"
            if function.sym_visibility is not None:
                new.properties["sym_visibility"] = function.sym_visibility
            block.insert_op_before(new, function)
            function.detach()
            function.erase()
        for variable in [variable for variable in op.ops if isinstance(variable, VariableOp)]:
            variable.detach()
            variable.erase()
