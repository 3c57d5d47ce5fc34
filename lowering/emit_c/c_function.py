"""C functions with one body for processors that have certain instructions and another one for all; their calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation, SSAValue

from ...dialects.accesses import Access
from ...dialects.simd.memory import OnMemory
from ..simd import accessed, operands_of
from .buffers import address, flat_index
from .lowering import Lowering, Patterns, Walk
from .meanings import Meanings
from .types import c_type

FLOATS = "defined(__ARM_FP) && (__ARM_FP & 4)"
"""What the preprocessor asks for where instructions are those of floats."""


_ARMV6M = "#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1"


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

    instructions: str
    """The body of instructions."""
    parameters: str = ""
    """Parameters as C declares them; empty where each is an `int32_t`."""
    result: str = "int32_t"
    """Type of the result, as C declares it."""
    comment: str = ""
    """Comment in front of the function."""
    needs: str = ""
    """Features of the processor beside the extension, as the preprocessor asks for them."""
    portable: str = ""
    """The body in C99 alone; empty where it is what the operation means."""
    armv6m: str = ""
    """Another portable body for Armv6-M, which multiplies 32 bits by 32 to the low half alone."""

    def definition(self, function: str, macro: str, operands: Sequence[str] = (), meaning: str = "") -> str:
        """The function under a name, with instructions where the macro of their extension is defined.

        What it means is the other body, if it has none of its own.
        """
        parameters = self.parameters or ", ".join(f"int32_t {name}" for name in operands)
        head = f"static inline {self.result} {function}({parameters})"
        portable = _indented(self.portable) if self.portable else meaning
        if self.armv6m:
            portable = f"{_ARMV6M}\n{_indented(self.armv6m)}\n#else\n{portable}\n#endif"
        return c_function(head, when(macro, self.needs), _indented(self.instructions), portable, comment=self.comment)


def _indented(body: str) -> str:
    return "\n".join(line if line.startswith("#") else f"  {line}" for line in body.splitlines())


Needed = tuple[Sequence[str], Sequence[str]]
"""Names that a module has to define, and the texts in C that define them."""

Argument = SSAValue | Access | IntegerAttr | int | None
"""What a call passes: a value, a pointer to what is accessed of a memref, a number; None is left out."""


class Function:
    """The function that computes an operation."""

    def __init__(self, name: str, text: Callable[[], str], *arguments: Argument):
        """`name` tells all that the text depends on; the operation passes `arguments`."""
        self.name, self._text, self.arguments = name, text, arguments

    def text(self, meanings: Meanings) -> str:
        """The definition."""
        return self._text()

    def inside(self, meanings: Meanings) -> Sequence[Operation]:
        """Operations of which it has the functions computed in turn."""
        return ()


class Meant(Function):
    """The function of an operation one body of which is what that means."""

    def __init__(self, name: str, op: Operation, text: Callable[[str], str]):
        """The text is made of this body. Arguments are those of the meaning."""
        given = [each for each in operands_of(op).values() if not isinstance(each, tuple)]
        super().__init__(name, lambda: "", *given)
        self._op, self._made = op, text

    def text(self, meanings: Meanings) -> str:
        return self._made(meanings.body(self.name, self._op))

    def inside(self, meanings: Meanings) -> Sequence[Operation]:
        return meanings.inside(self.name, self._op)


class Shared(Meant):
    """The function of what all operations of a kind mean: what they differ in it is given."""

    def __init__(self, name: str, op: Operation):
        super().__init__(name, op, str)

    def text(self, meanings: Meanings) -> str:
        return meanings.definition(self.name, self._op)

    def called(self, **given: str) -> str:
        """A body that calls it, with numbers of the operation where nothing is given in their place."""
        tables, passed = list[str](), list[str]()
        for name, operand in operands_of(self._op).items():
            match operand:
                case _ if name in given:
                    passed.append(given[name])
                case tuple():
                    tables.append(
                        f"  static const int32_t {name}[{len(operand)}] = {{{', '.join(map(str, operand))}}};"
                    )
                    passed.append(name)
                case IntegerAttr():
                    passed.append(str(operand.value.data))
                case int():
                    passed.append(str(operand))
                case _:
                    passed.append(name)
        return "\n".join([*tables, f"  {self.name}({', '.join(passed)});"])


class Kernels:
    """Functions that a module defines where its operations need them, and how operations become calls of them."""

    def __init__(
        self,
        functions: Mapping[type[Operation], Callable[[Any], Function]],
        before: Sequence[str] = (),
        *names: str,
        further: Mapping[type[Operation], Callable[[Any], Iterable[Function]]] = MappingProxyType({}),
        is_sorted: bool = False,
    ):
        """Make it of the function of each class of operations.

        What stands `before` all functions, if there are any, has further `names`. `further` are functions that are
        needed beside them, or by other operations. Definitions come in the order of operations, these before that of
        the operation, or sorted by name.
        """
        self._functions, self._further = functions, further
        self.KINDS = frozenset((*functions, *further))
        """Classes of the operations that need functions."""
        self._before, self._names, self._is_sorted = before, names, is_sorted
        self.PATTERNS: Patterns = dict.fromkeys(functions, self._lower)
        """Named as those of a module are."""

    def used(self, ops: Iterable[Operation]) -> dict[str, Function]:
        """The functions that the operations of a module need, by name."""
        found: dict[str, Function] = {}
        for op in ops:
            kind = type(op)
            if kind in self.KINDS:
                own = [self._functions[kind](op)] if kind in self._functions else []
                others = self._further[kind](op) if kind in self._further else ()
                found.update((function.name, function) for function in (*others, *own))
        return dict(sorted(found.items())) if self._is_sorted else found

    def needed(self, ops: Iterable[Operation], meanings: Meanings) -> Needed:
        """What a module with these operations defines in front of all functions."""
        found = self.used(ops)
        texts = [*self._before, *(function.text(meanings) for function in found.values())]
        return ([*self._names, *found], texts) if found else ([], [])

    def inside(self, ops: Iterable[Operation], meanings: Meanings) -> list[Operation]:
        """Operations of which the functions for others need functions."""
        return [op for function in self.used(ops).values() for op in function.inside(meanings)]

    def _lower(self, op: Operation, at: Lowering) -> None:
        function = self._functions[type(op)](op)
        accesses = op.accesses() if isinstance(op, OnMemory) else ()
        call(at, function.name, *_arguments(op, function.arguments, accesses, at), results=op.results)
        for walk in filter(None, (_walk(op, access, at) for access in accesses)):
            walk.leave(op, at)


class Macros:
    """Macros that families of kernels have in common, in front of all of them."""

    PATTERNS: Patterns = MappingProxyType({})

    def __init__(self, text: str, *families: Kernels):
        self._text, self._families = text, families
        self.KINDS = frozenset[type[Operation]]().union(*(family.KINDS for family in families))
        """As of the families."""

    def needed(self, ops: Iterable[Operation], meanings: Meanings) -> Needed:
        """The macros, where a family defines functions; none of these has one of them as its name."""
        return [], [self._text] if any(family.used(ops) for family in self._families) else []


def _arguments(
    op: Operation, given: Sequence[Argument], accesses: Sequence[Access], at: Lowering
) -> Iterator[SSAValue | int]:
    """The arguments of a call in C. Pointers are made in the order of accesses; one to what is read and written."""
    pointers: dict[object, SSAValue] = {}
    for access in accesses:
        if access in given or access.memref in given:
            pointers[access.memref, access.indices] = _pointer_to(op, access, at)
    for argument in accessed(accesses, given):
        match argument:
            case Access():
                yield pointers[argument.memref, argument.indices]
            case SSAValue():
                yield at.value(argument)
            case IntegerAttr():
                yield argument.value.data
            case int():
                yield argument
            case _:
                pass


def _pointer_to(op: Operation, access: Access, at: Lowering) -> SSAValue:
    if access.indices is None:
        return at.value(access.memref)
    if (walk := _walk(op, access, at)) is not None:
        return walk.enter(op, at)
    return pointer(access.memref, [at.value(i) for i in access.indices], at, const=not access.is_write)


def _walk(op: Operation, access: Access, at: Lowering) -> Walk | None:
    """The pointer that walks to what an operation accesses, if one does."""
    return None if access.indices is None else at.walks.get((op, (access.memref, access.indices)))


def pointer(memref: SSAValue, indices: Sequence[SSAValue], at: Lowering, *, const: bool, behind: int = 0) -> SSAValue:
    """Pointer to an element of a memref, whose indices are values of C, or elements behind it."""
    buffer, type = at.buffer(memref)
    computed, constant = flat_index(at.build, buffer.strides, indices, type.get_shape())
    return address(at.build, buffer.moved(at.build, constant + behind, computed, buffer.strides), type, const=const)


def call(at: Lowering, function: str, *arguments: SSAValue | int, results: Sequence[SSAValue] = ()) -> None:
    """Call a function, whose result is the only one of `results` or none; numbers become constants."""
    values = [at.build.constant(each, i32) if isinstance(each, int) else each for each in arguments]
    made = at.build.add(EmitC_CallOpaqueOp(function, values, [c_type(result.type) for result in results]))
    for result, value in zip(results, made.res, strict=True):
        at.define(result, value)
