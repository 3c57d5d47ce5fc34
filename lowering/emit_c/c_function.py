"""C functions with one body for processors that have certain instructions and another one for all; their calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException, VerifyException

from ...dialects.accesses import Access, accesses
from ...targets.c.types import declaration
from ..simd import accessed, operands_of
from .buffers import address, flat_index
from .lowering import Lowering, Patterns, Walk
from .meanings import Meanings
from .types import c_type
from .types import pointer as pointer_to

FLOATS = "defined(__ARM_FP) && (__ARM_FP & 4)"
"""What the preprocessor asks for where instructions are those of floats."""

_ARMV6M = "#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1"


@dataclass(frozen=True)
class Bodies:
    """The bodies of a function that is one instruction, or a few, where the processor has them."""

    instructions: str
    """The body of instructions."""
    comment: str = ""
    """Comment in front of the function."""
    needs: str = ""
    """Features of the processor beside the extension, as the preprocessor asks for them."""
    portable: str = ""
    """The body in C99 alone; empty where it is what the operation means."""
    opens: str = ""
    """What stands in front of the first parameter."""
    parameters: str = ""
    """Parameters as C declares them, where they differ from what the operation says."""
    armv6m: str = ""
    """Another portable body for Armv6-M, which multiplies 32 bits by 32 to the low half alone."""


def indented(lines: str) -> str:
    """Lines of a body as they stand in a function."""
    return "\n".join(line if line.startswith("#") else f"  {line}" for line in lines.splitlines())


@dataclass(frozen=True)
class Extension:
    """What functions have in common whose instructions are of one extension."""

    macro: str
    """The macro that says whether the compiler has the instructions."""
    specifiers: str = "static inline"
    """What stands in front of each function."""
    absent: bool = False
    """Whether the macro is defined where it does not have them."""

    def function(self, head: str, bodies: Bodies, meaning: str = "") -> str:
        """The text of a function; the body without instructions is what it means, if it has none of its own."""
        above = f"/* {bodies.comment} */\n" if bodies.comment else ""
        condition = f"#if{'n' if self.absent else ''}def {self.macro}"
        if bodies.needs:
            condition = f"#if {'!' if self.absent else ''}defined({self.macro}) && {bodies.needs}"
        portable = bodies.portable or meaning
        if bodies.armv6m:
            portable = f"{_ARMV6M}\n{bodies.armv6m}\n#else\n{portable}\n#endif"
        lines = f"{condition}\n{bodies.instructions}\n#else\n{portable}\n#endif"
        return f"{above}{self.specifiers} {head} {{\n{lines}\n}}"


Needed = tuple[Sequence[str], Sequence[str]]
"""Names that a module has to define, and the texts in C that define them."""

Argument = SSAValue | Access | IntegerAttr | int | None
"""What a call passes: a value, a pointer to what is accessed of a memref, a number; None is left out."""


class Function:
    """The function that computes an operation."""

    shared: Shared | None = None
    """The function that it calls where there are no instructions, if it does."""

    def __init__(self, name: str, text: Callable[[Meanings], str], *arguments: Argument):
        """`text` makes the definition, `name` tells all that it depends on; the operation passes `arguments`."""
        self.name, self.text, self.arguments = name, text, arguments

    def inside(self, meanings: Meanings) -> Sequence[Operation]:
        """Operations of which it has the functions computed in turn."""
        return ()


class Shared(Function):
    """The function of what all operations of a kind mean: what they differ in it is given."""

    def __init__(self, name: str, op: Operation, *own: str):
        """`own` are the operands of the meaning that only the operation knows, beside tables."""
        super().__init__(name, lambda meanings: meanings.definition(name, op))
        self._op, self.own = op, own

    def inside(self, meanings: Meanings) -> Sequence[Operation]:
        return meanings.inside(self.name, self._op)

    def called(self, **given: str) -> str:
        """A body that calls it, with the operation's own numbers where nothing is given in their place."""
        tables, passed = list[str](), list[str]()
        for name, operand in operands_of(self._op).items():
            number = operand.value.data if isinstance(operand, IntegerAttr) else operand
            if isinstance(operand, tuple):
                numbers = ", ".join(map(str, operand))
                tables.append(f"  static const int32_t {name}[{len(operand)}] = {{{numbers}}};")
            passed.append(given.get(name) or (str(number) if name in self.own else name))
        return "\n".join([*tables, f"  {self.name}({', '.join(passed)});"])


class Meant(Function):
    """The function of an operation one body of which is what that means, or calls what does it."""

    def __init__(
        self, name: str, op: Operation, extension: Extension, bodies: Callable[[], Bodies], shared: Shared | None = None
    ):
        """Arguments are those of the meaning, but for what the operation knows alone."""
        own = () if shared is None else shared.own
        given = {key: each for key, each in operands_of(op).items() if key not in own and not isinstance(each, tuple)}
        super().__init__(name, self._definition, *given.values())
        self.shared, self._op, self._extension, self._bodies, self._names = shared, op, extension, bodies, given

    def _definition(self, meanings: Meanings) -> str:
        meaning = meanings.body(self.name, self._op) if self.shared is None else self.shared.called()
        result = declaration(c_type(self._op.results[0].type), self.name) if self._op.results else f"void {self.name}"
        given, bodies = accessed(accesses(self._op), self.arguments), self._bodies()
        parameters = bodies.parameters or ", ".join(map(_parameter, self._names, given))
        return self._extension.function(f"{result}({bodies.opens}{parameters})", bodies, meaning)

    def inside(self, meanings: Meanings) -> Sequence[Operation]:
        return meanings.inside(self.name, self._op) if self.shared is None else ()


def _parameter(name: str, given: Argument) -> str:
    """Declare what a function is given."""
    if isinstance(given, Access):
        return declaration(pointer_to(c_type(given.type.element_type), const=not given.is_write), name)
    return declaration(c_type(given.type) if isinstance(given, SSAValue) else i32, name)


class Kernels:
    """Functions that a module defines where its operations need them, and how operations become calls of them."""

    def __init__(
        self,
        functions: Mapping[type[Operation], Callable[[Any], Function]],
        before: Sequence[str] = (),
        *names: str,
        others: Iterable[type[Operation]] = (),
        is_sorted: bool = False,
    ):
        """Make it of the function of each class of operations.

        What stands `before` all functions has further `names`. It is there for `others`, too: operations of families
        that are defined behind this one. Definitions come in the order of operations, what they share before that of
        the operation, or sorted by name.
        """
        self._functions, self._kinds = functions, frozenset((*functions, *others))
        self._before, self._names, self._is_sorted = before, names, is_sorted
        self.PATTERNS: Patterns = dict.fromkeys(functions, self._lower)
        """Named as those of a module are."""

    def used(self, ops: Iterable[Operation]) -> dict[str, Function]:
        """The functions that the operations of a module need, by name."""
        found: dict[str, Function] = {}
        for op in ops:
            if make := self._functions.get(type(op)):
                own = make(op)
                found.update((function.name, function) for function in (own.shared, own) if function is not None)
        return dict(sorted(found.items())) if self._is_sorted else found

    def needed(self, ops: Collection[Operation], meanings: Meanings) -> Needed:
        """What a module with these operations defines in front of all functions."""
        if self._kinds.isdisjoint(map(type, ops)):
            return [], []
        found, texts = self.used(ops), list[str]()
        for function in found.values():
            try:
                texts.append(function.text(meanings))
            except VerifyException as error:
                # Kernels say it of instructions, which nobody has written.
                op = next(op for op in ops if function.name in self.used([op]))
                raise PassFailedException(f"'{op.name}' op {error}") from error
        return [*self._names, *found], [*self._before, *texts]

    def inside(self, ops: Iterable[Operation], meanings: Meanings) -> list[Operation]:
        """Operations of which the functions for others need functions."""
        return [op for function in self.used(ops).values() for op in function.inside(meanings)]

    def _lower(self, op: Operation, at: Lowering) -> None:
        function = self._functions[type(op)](op)
        touched = accesses(op)
        call(at, function.name, *_arguments(op, function.arguments, touched, at), results=op.results)
        for walk in filter(None, (_walk(op, access, at) for access in touched)):
            walk.leave(op, at)


def _arguments(
    op: Operation, given: Sequence[Argument], accesses: Sequence[Access], at: Lowering
) -> Iterator[SSAValue | int]:
    """The arguments of a call in C. Pointers are made in the order of accesses; one to what is read and written."""
    pointers = {
        (access.memref, access.indices): _pointer_to(op, access, at)
        for access in accesses
        if access in given or access.memref in given
    }
    for argument in accessed(accesses, given):
        if isinstance(argument, Access):
            yield pointers[argument.memref, argument.indices]
        elif isinstance(argument, SSAValue):
            yield at.value(argument)
        elif argument is not None:
            yield argument.value.data if isinstance(argument, IntegerAttr) else argument


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
