"""Runs a planned model operator by operator, in C, with every buffer wherever its alloc says: what a plan really does.

The operators are compiled once; the entry function's calls are carried out here, so that a plan can be tried out
without compiling it.
"""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import SSAValue

from stillpool.driver.artifact import Artifact
from stillpool.driver.describe import entry_function
from stillpool.transforms.usmp.structure import size_of, storage

Bytes = npt.NDArray[np.uint8]


class CompiledOperators:
    """The operators of one artefact; `module` is its planned module, whose allocs may be moved between runs."""

    def __init__(self, artifact: Artifact, module: ModuleOp, folder: Path):
        for path, data in artifact.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        sources = [str(path) for path in sorted((folder / "src").glob("*.c"))]
        # Operators are static; here they are called one by one.
        flags = ["-std=c99", "-O1", "-fgnu89-inline", "-fno-strict-aliasing", "-Dstatic=", "-shared", "-fPIC", "-w"]
        library = folder / "operators.so"
        subprocess.run(["gcc", *flags, "-Iinclude", *sources, "-o", str(library), "-lm"], cwd=folder, check=True)
        self._library = ctypes.CDLL(str(library))
        self._entry = entry_function(module)
        self._constants = {
            op.sym_name.data: np.frombuffer(op.initial_value.data.data, np.uint8).copy()
            for op in module.ops
            if isinstance(op, memref.GlobalOp) and isinstance(op.initial_value, DenseIntOrFPElementsAttr)
        }
        self.inputs = self._of_kind("input")
        self._outputs = self._of_kind("output")

    def run(self, inputs: list[Bytes]) -> list[Bytes]:
        """The outputs, from pools filled with a pattern."""
        pools = self._pools()
        for alloc, data in zip(self.inputs, inputs, strict=True):
            self._view(pools, alloc)[:] = data
        for call in self._entry.body.block.ops:
            if isinstance(call, func.CallOp):
                addresses = [ctypes.c_void_p(self._bytes(pools, operand).ctypes.data) for operand in call.operands]
                self._library[call.callee.string_value()](*addresses)
        return [self._view(pools, alloc).copy() for alloc in self._outputs]

    def _of_kind(self, kind: str) -> list[memref.AllocOp]:
        allocs = (op for op in self._entry.body.block.ops if isinstance(op, memref.AllocOp))
        return [alloc for alloc in allocs if getattr(alloc.attributes.get("pool.kind"), "data", "") == kind]

    def _pools(self) -> dict[str, Bytes]:
        ends: dict[str, int] = {}
        for op in self._entry.walk():
            if isinstance(op, memref.AllocOp):
                pool, first = _place(op)
                ends[pool] = max(ends.get(pool, 0), first + size_of(op.memref.type))
        return {pool: np.full(end, 0xA5, np.uint8) for pool, end in ends.items()}

    def _view(self, pools: dict[str, Bytes], alloc: memref.AllocOp) -> Bytes:
        pool, first = _place(alloc)
        return pools[pool][first : first + size_of(alloc.memref.type)]

    def _bytes(self, pools: dict[str, Bytes], value: SSAValue) -> Bytes:
        owner = storage(value).owner
        if isinstance(owner, memref.GetGlobalOp):
            return self._constants[owner.name_.string_value()]
        assert isinstance(owner, memref.AllocOp), "entry functions pass buffers and constants"
        return self._view(pools, owner)


def _place(alloc: memref.AllocOp) -> tuple[str, int]:
    pool, offset = alloc.attributes["pool.assigned"], alloc.attributes["pool.offset"]
    assert isinstance(pool, SymbolRefAttr), "planned"
    assert isinstance(offset, IntegerAttr), "planned"
    return pool.string_value(), offset.value.data
