"""The pass `emit-c`: functions, loops and memrefs become C constructs.

It ends the lowering: what it leaves is what `-t c`, or upstream's `mlir-translate --mlir-to-cpp`, prints as C99.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.pool.declare import DeclareOp
from ...progress import counted
from ...targets.c.comment_text import comment_text
from ...targets.custom_header import CUSTOM_HEADER
from ...targets.identifiers import UniqueNames, symbol
from ..fx import LowerFxPass
from ..loops import LowerToLoopsPass
from . import (
    arith,
    bit_count,
    custom,
    dots,
    external,
    func_ops,
    hints,
    kernels,
    lanes,
    math,
    memref_access,
    memref_views,
    scf,
    slide_bytes,
    tiles,
    unpack_points,
    windows,
    words,
)
from .constant_pools import constant_pool_arrays, data_name, is_pooled
from .constness import Writes
from .effects import is_pure
from .form_expressions import form_expressions
from .func_ops import callees_first, lower_function, use_arguments
from .globals import array_type, is_constant, lower_global
from .lowering import Patterns
from .meanings import Meanings
from .module import Symbols, parameter_types
from .numbering import number_variants
from .share_functions import share_functions
from .unused import drop_unused

_KERNELS = (
    words.KERNELS,
    lanes.KERNELS,
    tiles.SUMS,
    tiles.SWAR,
    dots.KERNELS,
    slide_bytes.KERNELS,
    windows.SUMS,
    windows.LOOPS,
    tiles.BYTES,
    unpack_points.KERNELS,
    kernels,
)
"""Families whose operations are calls of functions that a module defines where it needs them."""
_MEANT = (tiles.SUMS, tiles.SWAR, windows.SUMS, tiles.BYTES, unpack_points.KERNELS)
"""Those whose functions call others."""
_CALLING = frozenset(kind for family in _KERNELS for kind in family.PATTERNS)
"""Classes of these operations."""
_FAMILIES = (
    arith,
    bit_count,
    custom,
    external,
    func_ops,
    math,
    memref_access,
    memref_views,
    scf,
    windows,
    words,
)
PATTERNS: Patterns = {
    operation: pattern for family in (*_KERNELS, *_FAMILIES) for operation, pattern in family.PATTERNS.items()
}
"""Lowering of each operation; add to a copy of it to lower further dialects."""

HEADERS = ("stdbool.h", "stdint.h")
"""Declare the types that any function may use."""


@dataclass(frozen=True)
class EmitCPass(ModulePass):
    """Lower `func`, `scf`, `arith`, `math` and `memref` to `emitc`.

    Every buffer must have a place: run `usmp` first if there are `memref.alloc`s. Fixed-point operations
    become functions, pool declarations comments, the contents of constant pools arrays. What is private and not
    used by anything public is left out.
    """

    name: ClassVar[str] = "emit-c"

    prefix: str = ""
    """Put before the names of private functions and globals."""
    data: Literal["inline", "extern"] = "inline"
    """`extern`: declare constants, without their values, for a module that holds them."""
    share: bool = False
    """Whether private functions that differ in constants alone become one."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        drop_unused(op)
        LowerToLoopsPass().apply(ctx, op)
        LowerFxPass().apply(ctx, op)
        number_variants(op, {**windows.VARIANTS, **unpack_points.VARIANTS})
        ordered = callees_first(op)
        everything = [child for child in op.ops if isinstance(child, memref.GlobalOp)]
        globals = [child for child in everything if not is_pooled(child)]
        writes = Writes(op)
        custom_functions, externals = custom.functions(op), external.externals(op)
        taken = [*custom_functions, *external.names(externals), *_pool_arrays(op)]
        meanings, calling = Meanings(PATTERNS), [one for one in operations(op) if type(one) in _CALLING]
        inside = [one for family in _MEANT for one in family.inside(calling, meanings)]
        calling += [one for one in inside if type(one) in _CALLING]
        needed = [family.needed(calling, meanings) for family in _KERNELS]
        taken += [name for names, _ in needed for name in names]
        symbols = Symbols(
            writes=writes,
            names=_names([*ordered, *globals], self.prefix, taken),
            arrays={child.sym_name.data: array_type(child) for child in globals},
            constants=frozenset(child.sym_name.data for child in globals if is_constant(child)),
            parameters=parameter_types(ordered, writes),
        )
        lowered: list[Operation] = [
            lower_global(child, symbols.names[child.sym_name.data], extern=self.data == "extern") for child in globals
        ]
        lowered += constant_pool_arrays(op)
        lowered += custom.declarations(custom_functions)
        lowered += external.definitions(op, externals)
        lowered += [emitc.VerbatimOp(text) for _, texts in needed for text in texts]
        lowered += hints.definitions(op)
        read_only = {symbols.names[constant] for constant in symbols.constants}
        pure = set[str]()
        headers = {*HEADERS, *(kind.header_name for kind in externals.kinds)}
        own_headers = {CUSTOM_HEADER, *(kind.header_name for kind in externals.kinds)}
        functions: list[emitc.FuncOp] = []
        for function in counted("emit-c: function", ordered):
            made, needed = lower_function(function, symbols, PATTERNS)
            headers |= needed
            functions.append(made)
        for made in share_functions(functions) if self.share else functions:
            if made.body.blocks:
                form_expressions(made, read_only, pure)
                if is_pure(made, pure, read_only):
                    pure.add(made.sym_name.data)
                use_arguments(made)
            lowered.append(made)

        block = op.body.block
        for child in [*ordered, *everything]:
            Rewriter.erase_op(child, safe_erase=False)
        includes = [emitc.IncludeOp(header, is_standard=header not in own_headers) for header in sorted(headers)]
        first = block.first_op
        if first is None:
            block.add_ops(includes)
        else:
            block.insert_ops_before(includes, first)
        block.add_ops(lowered)
        _describe_pools(op)


def _describe_pools(module: ModuleOp) -> None:
    """Describe in a comment what the application has to provide for each pool: C itself has no pools."""
    for pool in [child for child in module.ops if isinstance(child, DeclareOp)]:
        size = 0 if pool.size is None else pool.size.value.data
        text = f"/* pool {comment_text(pool.sym_name.data)}: {size} bytes, aligned to {pool.alignment} */"
        Rewriter.replace_op(pool, emitc.VerbatimOp(text), [])


def _pool_arrays(module: ModuleOp) -> list[str]:
    return [data_name(pool.sym_name.data) for pool in module.ops if isinstance(pool, DeclareOp)]


def _names(symbols: list[func.FuncOp | memref.GlobalOp], prefix: str, taken: Iterable[str]) -> dict[str, str]:
    """C identifiers: public symbols keep their names, private ones get the prefix and make way.

    What is declared and not defined here may be a function of the C library.
    """
    unique = UniqueNames(taken)
    names: dict[str, str] = {}
    for public in (True, False):
        for op in symbols:
            visibility = op.sym_visibility
            # Declared functions are defined elsewhere, under the name that they have here.
            external = isinstance(op, func.FuncOp) and not op.body.blocks
            if public == (external or visibility is None or visibility.data == "public"):
                name = op.sym_name.data if public else prefix + op.sym_name.data
                names[op.sym_name.data] = unique.fresh(symbol(name, is_external=external))
    return names
