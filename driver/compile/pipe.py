"""Models in a row: which output of one is which input of the next."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from ...dialects.pool import keys
from ...dialects.pool.kinds import BufferKind
from ...errors import UsageError
from ...targets.interfaces.description import Tensor
from .describe import Signature


def connect(names: Sequence[str], modules: Sequence[ModuleOp], signatures: Sequence[Signature]) -> list[str]:
    """Mark what each model of a pipeline passes to the next as one buffer; returns each link in words.

    Outputs and inputs meet by name; where none of the names meet, by position if there are as many of both.

    Raises:
        UsageError: nothing meets, the tensors differ in type, size or quantisation, or are not in the workspace.
    """
    words: list[str] = []
    for number in range(len(modules) - 1):
        given, taken = signatures[number].outputs, signatures[number + 1].inputs
        where = f"pipeline of '{names[number]}' and '{names[number + 1]}'"
        for output, input in _pairs(given, taken, where):
            _agree(output, input, where)
            link = f"{names[number]}.{output.name} -> {names[number + 1]}.{input.name}"
            _mark(modules[number], BufferKind.OUTPUT, output.name, link, where)
            _mark(modules[number + 1], BufferKind.INPUT, input.name, link, where)
            words.append(link)
    return words


def _pairs(given: Sequence[Tensor], taken: Sequence[Tensor], where: str) -> list[tuple[Tensor, Tensor]]:
    by_name = {tensor.name: tensor for tensor in given}
    found = [(by_name[tensor.name], tensor) for tensor in taken if tensor.name in by_name]
    if found or (len(given) == len(taken) and given):
        return found or list(zip(given, taken, strict=True))
    raise UsageError(
        f"{where}: it is unclear which of the outputs {_listed(given)} goes to which of the inputs {_listed(taken)}",
        remedy="give them the same names, or use models with as many inputs as the one before has outputs",
    )


def _listed(tensors: Sequence[Tensor]) -> str:
    return ", ".join(f"'{tensor.name}'" for tensor in tensors)


def _agree(output: Tensor, input: Tensor, where: str) -> None:
    what = f"{where}: output '{output.name}' and input '{input.name}'"
    if output.dtype != input.dtype or output.bytes != input.bytes:
        raise UsageError(f"{what} differ: {_shown(output)} and {_shown(input)}")
    if (output.scale, output.zero_point) != (input.scale, input.zero_point):
        raise UsageError(
            f"{what} are quantised differently: scale {list(output.scale)} zero point {list(output.zero_point)}, and "
            f"scale {list(input.scale)} zero point {list(input.zero_point)}",
            remedy="convert both models with the same quantisation of that tensor, or compile them as exclusive",
        )


def _shown(tensor: Tensor) -> str:
    return f"{tensor.dtype} {'x'.join(map(str, tensor.shape)) or 'scalar'}"


def _mark(module: ModuleOp, kind: BufferKind, name: str, link: str, where: str) -> None:
    for op in module.walk():
        if (
            isinstance(op, memref.AllocOp)
            and keys.KIND.get(op.attributes) is kind
            and keys.NAME.get(op.attributes) == name
        ):
            keys.SHARED.put(op.attributes, link)
            return
    raise UsageError(
        f"{where}: {kind.value} '{name}' belongs to the caller and cannot be passed on in place",
        remedy="keep it in the workspace, as --workspace-io all does",
    )
