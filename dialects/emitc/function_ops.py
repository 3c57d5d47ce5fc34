"""Functions: definition, declaration, call, return."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.dialects.utils import parse_func_op_like, print_func_op_like
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import CallableOpInterface, IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..terminator import ValuesTerminator
from .symbols import RefersTo


class FuncOpCallable(CallableOpInterface):
    """Signature of an `emitc.func` for calls."""

    @classmethod
    def get_callable_region(cls, op) -> Region:  # pyright: ignore
        assert isinstance(op, FuncOp), "trait of emitc.func"
        return op.body

    @classmethod
    def get_argument_types(cls, op) -> tuple[Attribute, ...]:  # pyright: ignore
        assert isinstance(op, FuncOp), "trait of emitc.func"
        return op.function_type.inputs.data

    @classmethod
    def get_result_types(cls, op) -> tuple[Attribute, ...]:  # pyright: ignore
        assert isinstance(op, FuncOp), "trait of emitc.func"
        return op.function_type.outputs.data


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A C function; `specifiers` stand before its return type. Without a body it is a declaration."""

    name = "emitc.func"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    specifiers = opt_prop_def(ArrayAttr[StringAttr])
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface(), FuncOpCallable())

    def __init__(
        self,
        name: str,
        function_type: FunctionType,
        body: Region | None = None,
        *,
        specifiers: Sequence[str] = (),
        arg_attrs: ArrayAttr[DictionaryAttr] | None = None,
        visibility: str | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type,
                "specifiers": ArrayAttr([StringAttr(s) for s in specifiers]) if specifiers else None,
                "arg_attrs": arg_attrs,
            },
            attributes={} if visibility is None else {"sym_visibility": StringAttr(visibility)},
            regions=[Region() if body is None else body],
        )

    @property
    def is_declaration(self) -> bool:
        """Whether the function has no body."""
        return not self.body.blocks

    def verify_(self) -> None:
        if len(self.function_type.outputs) > 1:
            raise VerifyException(f"'{self.name}' op requires zero or exactly one result")
        if self.body.blocks:
            actual = [a.type for a in self.body.blocks[0].args]
            if actual != list(self.function_type.inputs):
                raise VerifyException(f"'{self.name}' op body arguments differ from the function type")

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        visibility = parser.parse_optional_visibility_keyword()
        name, inputs, outputs, region, extra, arg_attrs, res_attrs = parse_func_op_like(
            parser, reserved_attr_names=("sym_name", "function_type", "sym_visibility", "arg_attrs")
        )
        attributes = dict(extra.data) if extra is not None else {}
        specifiers = attributes.pop("specifiers", None)
        op = cls(name, FunctionType.from_lists(inputs, outputs), region, arg_attrs=arg_attrs)
        if visibility is not None:
            op.attributes["sym_visibility"] = visibility
        if specifiers is not None:
            op.properties["specifiers"] = specifiers
        if res_attrs is not None:
            op.properties["res_attrs"] = res_attrs
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        attributes = dict(self.attributes)
        visibility = attributes.pop("sym_visibility", None)
        if isinstance(visibility, StringAttr):
            printer.print_string(f" {visibility.data}")
        if self.specifiers is not None:
            attributes["specifiers"] = self.specifiers
        print_func_op_like(
            printer,
            self.sym_name,
            self.function_type,
            self.body,
            attributes,
            arg_attrs=self.arg_attrs,
            res_attrs=self.res_attrs,
            reserved_attr_names=("sym_name", "function_type", "arg_attrs"),
        )


@irdl_op_definition
class DeclareFuncOp(IRDLOperation):
    """The declaration of a function that is defined elsewhere in the module."""

    name = "emitc.declare_func"
    sym_name = prop_def(SymbolRefAttr)
    traits = traits_def(RefersTo("emitc.func", "sym_name"))
    assembly_format = "$sym_name attr-dict"

    def __init__(self, name: str):
        super().__init__(properties={"sym_name": SymbolRefAttr(name)})


@irdl_op_definition
class ReturnOp(ValuesTerminator):
    """`return operand;`."""

    name = "emitc.return"
    operand = opt_operand_def(AnyAttr())


@irdl_op_definition
class CallOp(IRDLOperation):
    """Call of a function of the module."""

    name = "emitc.call"
    callee = prop_def(SymbolRefAttr)
    args = var_operand_def(AnyAttr())
    res = var_result_def(AnyAttr())
    traits = traits_def(RefersTo("emitc.func", "callee"))
    assembly_format = "$callee `(` $args `)` attr-dict `:` functional-type(operands, results)"

    def __init__(self, callee: str, args: Sequence[SSAValue], result_types: Sequence[Attribute]):
        super().__init__(operands=[args], result_types=[result_types], properties={"callee": SymbolRefAttr(callee)})


OPS = (FuncOp, DeclareFuncOp, ReturnOp, CallOp)
