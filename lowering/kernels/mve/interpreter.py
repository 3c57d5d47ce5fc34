"""Kernels run on the bytes of memories, for tests that compare them with what they mean."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.ptr import PtrAddOp
from xdsl.interpreter import Interpreter, InterpreterFunctions, PythonValues, impl, register_impls
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.func import FuncFunctions
from xdsl.interpreters.scf import ScfFunctions

from ..definition import operations_in
from . import instructions
from .instructions import HideOp, Intrinsic


def interpret(kernel: FuncOp, *inputs: object) -> PythonValues:
    """Run a kernel and return what it returns.

    Raises:
        ValueError: it reads beyond a memory.
    """
    interpreter = Interpreter(ModuleOp([]))
    for functions in (ArithFunctions(), FuncFunctions(), ScfFunctions(), _INTRINSICS()):
        interpreter.register_implementations(functions)
    return interpreter.run_ssacfg_region(kernel.body, inputs)


class _Pointers(InterpreterFunctions):
    @impl(PtrAddOp)
    def move(self, _: Interpreter, op: PtrAddOp, values: PythonValues) -> PythonValues:
        pointer, by = values
        return (pointer + by,)

    @impl(HideOp)
    def hide(self, _: Interpreter, op: HideOp, values: PythonValues) -> PythonValues:
        return values[: len(op.pointers)]


def _run(_: InterpreterFunctions, __: Interpreter, op: Intrinsic, values: PythonValues) -> PythonValues:
    return (op.FUNCTION(*values, **op.constants),)


_KINDS = [kind for kind in operations_in("mve", instructions) if issubclass(kind, Intrinsic)]
_INTRINSICS = register_impls(type("Intrinsics", (_Pointers,), {kind.name: impl(kind)(_run) for kind in _KINDS}))
