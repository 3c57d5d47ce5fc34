"""`pool.declare`: one memory pool of the system."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, SymbolNameConstraint, UnitAttr, f64, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from .attributes import Kind, KindAttr

_INTEGER = IntegerAttr.constr(type=i64)
_NUMBER = FloatAttr.constr(f64)


@irdl_op_definition
class DeclareOp(IRDLOperation):
    """Declare a pool; the order of declarations of one kind is the order of preference.

    The planner adds what it found: `size` (bytes), `lower_bound` (bytes), `algorithm`, `optimal`.
    Example: `pool.declare @dtcm workspace limit 65536 align 16 section ".dtcm"`
    """

    name = "pool.declare"
    sym_name = prop_def(SymbolNameConstraint())
    kind = prop_def(KindAttr)
    persistent = opt_prop_def(UnitAttr)
    """Present on a workspace pool for state: its bytes stay from one run to the next, and nothing else lies in it."""
    limit = opt_prop_def(_INTEGER)
    """Largest size the pool may have, bytes."""
    align = opt_prop_def(_INTEGER)
    """Alignment of the pool's start, bytes, a power of two."""
    section = opt_prop_def(StringAttr)
    """Linker section that holds the pool when stillpool defines it."""
    read_bandwidth = opt_prop_def(_NUMBER)
    """Bytes per processor cycle, sustained."""
    write_bandwidth = opt_prop_def(_NUMBER)
    """Bytes per processor cycle, sustained."""
    read_latency = opt_prop_def(_INTEGER)
    """Cycles before the first byte of a read."""
    write_latency = opt_prop_def(_INTEGER)
    """Cycles before the first byte of a write."""
    burst = opt_prop_def(_INTEGER)
    """Bytes moved by one access."""
    size = opt_prop_def(_INTEGER)
    """Planned size, bytes."""
    lower_bound = opt_prop_def(_INTEGER)
    """No plan of these buffers is smaller, bytes."""
    algorithm = opt_prop_def(StringAttr)
    """The algorithm that made the plan."""
    optimal = opt_prop_def(UnitAttr)
    """Present when the plan is proved to be the smallest."""

    traits = traits_def(SymbolOpInterface())
    assembly_format = (
        "$sym_name $kind (`persistent` $persistent^)? (`limit` $limit^)? (`align` $align^)? (`section` $section^)?"
        " (`read_bandwidth` $read_bandwidth^)? (`write_bandwidth` $write_bandwidth^)?"
        " (`read_latency` $read_latency^)? (`write_latency` $write_latency^)? (`burst` $burst^)?"
        " (`size` $size^)? (`lower_bound` $lower_bound^)? (`algorithm` $algorithm^)? (`optimal` $optimal^)? attr-dict"
    )

    def __init__(
        self,
        name: str,
        kind: Kind = Kind.WORKSPACE,
        *,
        limit: int | None = None,
        align: int | None = None,
        section: str | None = None,
        persistent: bool = False,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "kind": KindAttr(kind),
                "persistent": UnitAttr() if persistent else None,
                "limit": None if limit is None else IntegerAttr(limit, i64),
                "align": None if align is None else IntegerAttr(align, i64),
                "section": None if section is None else StringAttr(section),
            }
        )

    @property
    def alignment(self) -> int:
        """Alignment of the pool's start in bytes."""
        return DEFAULT_ALIGNMENT if self.align is None else self.align.value.data

    def verify_(self) -> None:
        if self.alignment < 1 or self.alignment & (self.alignment - 1):
            raise VerifyException(f"'{self.name}' op alignment {self.alignment} is not a power of two")
        if self.persistent is not None and self.kind.data is not Kind.WORKSPACE:
            raise VerifyException(f"'{self.name}' op only workspace pools are persistent")
        for what, value in (("limit", self.limit), ("size", self.size), ("lower_bound", self.lower_bound)):
            if value is not None and value.value.data < 0:
                raise VerifyException(f"'{self.name}' op {what} must not be negative")
        if self.limit is not None and self.size is not None and self.size.value.data > self.limit.value.data:
            raise VerifyException(
                f"'{self.name}' op size {self.size.value.data} exceeds the limit {self.limit.value.data}"
            )


DEFAULT_ALIGNMENT = 16
"""Alignment of pools that do not name one, bytes; enough for every element type and for SIMD loads."""
