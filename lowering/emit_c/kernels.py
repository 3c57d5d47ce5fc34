"""Calls of kernels in C, and these kernels: what an instruction set brings, where the compiler has it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations, islice

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc
from ...dialects.simd.kernel import HasOp, KernelOp
from ...dialects.simd.memory import type_of
from ..kernels.sets import function_name, instruction_set, kernel_of, macro_name, means
from .c_function import Needed, call, pointer
from .lowering import Lowering, Patterns
from .meanings import Meanings


def needed(ops: Collection[Operation], meanings: Meanings) -> Needed:
    """The functions of each instruction set that operations of a module need, and whether there is one."""
    used = {op.set.data: dict[str, None]() for op in ops if isinstance(op, HasOp)}
    for op in ops:
        if isinstance(op, KernelOp):
            used.setdefault(op.kernel.data.rpartition(".")[0], {})[op.kernel.data] = None
    kernels = [kernel for of_set in used.values() for kernel in of_set]
    _check_apart(kernels, function_name)
    _check_apart([*used], macro_name)
    try:
        texts = [_definition(name, of_set) for name, of_set in used.items()]
    except ValueError as error:
        raise PassFailedException(str(error)) from error
    return [*map(function_name, kernels)], texts


def _check_apart(names: Sequence[str], in_c: Callable[[str], str]) -> None:
    """Check that no two have one name in C.

    Raises:
        PassFailedException: two do; says which.
    """
    for one, other in combinations(names, 2):
        if in_c(one) == in_c(other):
            raise PassFailedException(f"{one} and {other} have one name in C, {in_c(one)}: name one of them otherwise")


def _definition(name: str, kernels: Iterable[str]) -> str:
    found, macro = instruction_set(name), macro_name(name)
    code = [part.strip("\n") for part in (found.prelude, *(kernel_of(kernel).code for kernel in kernels)) if part]
    absent = [f"#define {function_name(kernel)}(...) ((void)0)" for kernel in kernels]
    with_them, without = "\n".join([f"#define {macro} 1", *code]), "\n".join([f"#define {macro} 0", *absent])
    return f"#if ({found.guard}) && !defined(STILLPOOL_PORTABLE)\n{with_them}\n#else\n{without}\n#endif"


def _has(op: HasOp, at: Lowering) -> None:
    at.define(op.result, at.build.add(emitc.LiteralOp(macro_name(op.set.data), i1)).result)


def _kernel(op: KernelOp, at: Lowering) -> None:
    name, indices = op.kernel.data, iter(op.indices)
    arguments: list[SSAValue] = []
    for number, buffer in enumerate(op.buffers):
        first = [at.value(index) for index in islice(indices, type_of(buffer).get_num_dims())]
        arguments.append(pointer(buffer, first, at, const=number >= means(name).sums))
    numbers, sizes = (*op.strides.get_values(), *op.scalars.get_values()), [at.value(size) for size in op.sizes]
    call(at, function_name(name), *arguments, *numbers, *sizes)


PATTERNS: Patterns = {HasOp: _has, KernelOp: _kernel}
"""Classes of the operations that need functions."""
