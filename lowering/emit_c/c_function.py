"""C functions with one body for processors that have certain instructions and another one for all; their calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd.memory import OnMemory
from .buffers import address, flat_index
from .lowering import Lowering

FLOATS = "defined(__ARM_FP) && (__ARM_FP & 4)"
"""What the preprocessor asks for where instructions are those of floats."""


def when(macro: str, needs: str = "", *, absent: bool = False) -> str:
    """The directive that asks whether a macro is defined, or `absent`, and for further features of the processor."""
    if needs:
        return f"#if {'!' if absent else ''}defined({macro}) && {needs}"
    return f"#if{'n' if absent else ''}def {macro}"


def c_function(head: str, condition: str, instructions: str, portable: str, comment: str = "") -> str:
    """The text of a function that has a body of instructions under a condition of the preprocessor."""
    above = f"/* {comment} */\n" if comment else ""
    return f"{above}{head} {{\n{condition}\n{instructions}\n#else\n{portable}\n#endif\n}}"


@dataclass(frozen=True)
class Instruction:
    """A function that is one instruction, or a few, where the processor has them."""

    parameters: str
    """Parameters as C declares them; empty where each is an `int32_t`."""
    instructions: str
    """The body of instructions."""
    portable: str
    """The body in C99 alone."""
    result: str = "int32_t"
    """Type of the result, as C declares it."""
    comment: str = ""
    """Comment in front of the function."""
    needs: str = ""
    """Features of the processor beside the extension, as the preprocessor asks for them."""

    def definition(self, function: str, macro: str, operands: Sequence[str] = ()) -> str:
        """The function under a name, with instructions where the macro of their extension is defined."""
        parameters = self.parameters or ", ".join(f"int32_t {name}" for name in operands)
        head = f"static inline {self.result} {function}({parameters})"
        bodies = _indented(self.instructions), _indented(self.portable)
        return c_function(head, when(macro, self.needs), *bodies, comment=self.comment)


def _indented(body: str) -> str:
    return "\n".join(line if line.startswith("#") else f"  {line}" for line in body.splitlines())


class Kernel(Protocol):
    """The function that computes an operation."""

    @property
    def name(self) -> str:
        """Its name, in which all is told that it depends on."""
        ...

    @property
    def definition(self) -> str:
        """Its text."""
        ...


class Kernels:
    """Functions that a module defines where its operations need them."""

    def __init__(
        self, kernels: Mapping[type[Operation], Callable[[Any], Kernel | None]], before: Sequence[str] = (), *names: str
    ):
        """Make it of the function of each class of operations, None where one needs none.

        What stands `before` all functions, if there are any, has further `names`.
        """
        self._kernels = kernels
        self._before = before
        self._names = names

    def _used(self, module: Operation) -> dict[str, Kernel]:
        made = (self._kernels[type(op)](op) for op in operations(module) if type(op) in self._kernels)
        return {kernel.name: kernel for kernel in made if kernel is not None}

    def names(self, module: Operation) -> list[str]:
        """The names of the functions that the module's operations need."""
        found = self._used(module)
        return [*self._names, *found] if found else []

    def definitions(self, module: Operation) -> list[emitc.VerbatimOp]:
        """These functions, which stand before all others."""
        found = self._used(module).values()
        texts = [*self._before, *(kernel.definition for kernel in found)] if found else []
        return [emitc.VerbatimOp(text) for text in texts]


def pointer(memref: SSAValue, indices: Sequence[SSAValue], at: Lowering, *, const: bool) -> SSAValue:
    """Pointer to an element of a memref."""
    buffer, type = at.buffer(memref)
    computed, constant = flat_index(at.build, buffer.strides, [at.value(i) for i in indices], type.get_shape())
    return address(at.build, buffer.moved(at.build, constant, computed, buffer.strides), type, const=const)


def pointers(op: OnMemory, at: Lowering) -> list[SSAValue]:
    """Pointers to what an operation touches, in the order of its accesses; one to what it reads and writes."""
    found: dict[SSAValue, SSAValue] = {}
    for each in op.accesses():
        if each.indices is None:
            found[each.memref] = at.value(each.memref)
        else:
            found[each.memref] = pointer(each.memref, each.indices, at, const=not each.is_write)
    return list(found.values())


def call(at: Lowering, function: str, *arguments: SSAValue | int) -> None:
    """Call a function that has no result; numbers become constants."""
    values = [at.build.constant(each, i32) if isinstance(each, int) else each for each in arguments]
    at.build.add(EmitC_CallOpaqueOp(function, values, []))
