"""The pass `hand-over`: operators that C functions of the application are to compute become `external.operator`.

It stands behind the clean-ups, so that a function is given what has been fused, and before operators become loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.utils.exceptions import PassFailedException

from ...dialects import nn_keys
from ...dialects.external import OperatorOp
from ...dialects.nn.interfaces import shape_of, tensor_type
from ...dialects.operations import all_of
from ...errors import UsageError, close_names
from ...lowering.nn import operators as operators  # registers the lowerings
from ...lowering.nn.registry import has_lowering
from ...plugins import Plugins, is_subclass
from .parameters import parameters, tensors
from .request import ExternalRequest, parse_external

ADDED: Plugins[type[RewritePattern]] = Plugins(
    "stillpool.externals", "a subclass of RewritePattern", is_subclass(RewritePattern)
)
"""Patterns of other packages that make `external.operator`, by the name that `--external` asks for."""


@dataclass(frozen=True)
class HandOverPass(ModulePass):
    """Replace operators by `external.operator`.

    Patterns match the operator's kind, as TFLite (`conv_2d`) or the dialect (`conv2d`) calls it, or its output tensor
    (`*`, `?`, `[...]`). The first request that matches an operator counts.
    """

    name: ClassVar[str] = "hand-over"

    externals: tuple[str, ...]
    """`PATTERN=FUNCTION[:scratch=BYTES,align=N,pool=NAME+NAME,device=NAME,async]`, or the name of an entry point."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            for text in self.externals:
                _apply(op, text)
        except UsageError as error:
            raise PassFailedException(str(error)) from error


class UnmatchedExternal(UsageError):
    """A request that no operator of a model matches."""


def unmatched_externals(module: ModuleOp, externals: Sequence[str]) -> dict[str, UnmatchedExternal]:
    """The requests among `externals` that match nothing in a module, which is consumed.

    Raises:
        UsageError: a request is malformed, or asks for a package that is not installed.
    """
    unmatched: dict[str, UnmatchedExternal] = {}
    for text in externals:
        try:
            _apply(module, text)
        except UnmatchedExternal as error:
            unmatched[text] = error
    return unmatched


def _apply(module: ModuleOp, text: str) -> None:
    request = parse_external(text)
    if isinstance(request, str):
        _apply_added(module, request)
    else:
        _hand_over(module, request)


def _apply_added(module: ModuleOp, name: str) -> None:
    """Apply the pattern of a package."""
    pattern = ADDED.load(name)
    if pattern is None:
        listed = ", ".join(ADDED.names()) or "none"
        raise UsageError(
            f"external '{name}' is not PATTERN=FUNCTION[:...], and no installed package has patterns of that name",
            remedy=f"installed are {listed}",
        )
    before = set(_handed(module))
    PatternRewriteWalker(pattern(), apply_recursively=False).rewrite_module(module)
    if set(_handed(module)) == before:
        raise UnmatchedExternal(f"external '{name}': its patterns match nothing in the model", remedy="leave it out")


def _handed(module: ModuleOp) -> list[OperatorOp]:
    return all_of(module, OperatorOp)


def _hand_over(module: ModuleOp, request: ExternalRequest) -> None:
    operators = [op for op in all_of(module, IRDLOperation) if _can_be_handed(op)]
    matching = [op for op in operators if any(fnmatchcase(name, request.pattern) for name in _names(op, operators))]
    if not matching:
        kinds = sorted({_kind(op) for op in operators})
        names = sorted({name for op in operators for name in _names(op, operators)})
        close = [f"'{name}'" for name in close_names(request.pattern, names)]
        like = f"; close are {', '.join(close)}" if close else f"; there are {', '.join(kinds)}" if kinds else ""
        raise UnmatchedExternal(f"external '{request.text}' matches none of the {len(operators)} operators{like}")
    for op in matching:
        given, made = tensors(op)
        outputs = [(name, tensor_type(value)) for name, value in made]
        handed = OperatorOp(request.function, _short(op), given, outputs, parameters(op), request.wishes)
        origin = nn_keys.ORIGIN.get(op.attributes)
        if origin is not None:
            nn_keys.ORIGIN.put(handed.attributes, origin)
        PatternRewriter(op).replace(op, handed)


def _can_be_handed(op: Operation) -> bool:
    return (
        not isinstance(op, OperatorOp)
        and has_lowering(op)
        and all(isinstance(value.type, TensorType) for value in (*op.operands, *op.results))
        and all(0 not in shape_of(value) for value in (*op.operands, *op.results))
    )


def _names(op: Operation, operators: Sequence[Operation]) -> list[str]:
    """Names that a pattern may have for an operator."""
    origin = nn_keys.ORIGIN.get(op.attributes)
    if origin is None:
        return [_short(op), *([op.results[0].name_hint] if op.results[0].name_hint else [])]
    # Of the operations that one operator was divided into, the one of the same name is the operator.
    peers = [o for o in operators if nn_keys.ORIGIN.get(o.attributes) == origin]
    is_main = _plain(_short(op)) == _plain(_kind(op)) or not any(_plain(_short(o)) == _plain(_kind(o)) for o in peers)
    tensor = origin.tensor.data
    return [_short(op), *([_kind(op), tensor, *tensor.split(";")] if is_main else [])]


def _kind(op: Operation) -> str:
    """The operator's kind as TFLite calls it, in lower case."""
    origin = nn_keys.ORIGIN.get(op.attributes)
    return _short(op) if origin is None else origin.opcode.data.lower()


def _short(op: Operation) -> str:
    """The operation's name without its dialect."""
    return op.name.rpartition(".")[2]


def _plain(name: str) -> str:
    return name.replace("_", "")
