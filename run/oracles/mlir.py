"""The reference of MLIR files, and of networks that were built: MLIR's own code."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.operations import all_of
from ...dialects.pool import keys
from ...dialects.pool.declare import DeclareOp
from ...dialects.pool.extent import buffer_bytes
from ...dialects.pool.keys import Side
from ...driver import pipeline
from ...driver.models.entry import attributes_of, entry_function
from ...driver.models.model_file import MlirFile
from ...errors import InputError
from ...frontends.mlir.import_mlir import is_of_tensors
from ...lowering.fx.lower_fx import LowerFxPass
from ...lowering.simd import LowerSimdPass
from ...lowering.tasks import LowerTasksPass
from ...targets.identifiers import UniqueNames
from ...targets.interfaces.description import Description
from ...transforms.usmp.analysis.concurrency import shared_name
from ...transforms.usmp.analysis.liveness import is_state
from ..samples import Array
from . import mlir_runner
from .oracle import SECONDS, Oracle, Reference


@dataclass(frozen=True)
class MlirOracle(Oracle):
    """Reference of a module by MLIR's own code."""

    file: MlirFile

    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """The outputs; tensors inside the model have no name there.

        Raises:
            OracleMissing: MLIR's tools are not installed.
            InputError: they refuse the module, or an output depends on what was in its array before, so that there is
                no answer.
        """
        words, text = _for_mlir(self.file)
        sides = _sides(self.file.module)
        count = len(inputs[0]) if inputs else 1
        runs: list[list[list[Array]]] = []
        for fill in (0x00, 0x5A):
            samples: list[list[Array]] = []
            for number in range(count):
                given = iter([stack[number] for stack in inputs])
                empty = iter(
                    [np.full(t.bytes, fill, np.uint8).view(t.dtype).reshape(t.shape) for t in description.outputs]
                )
                samples.append([next(given) if side == "input" else next(empty) for side in sides])
            runs.append(samples)
        answers: list[list[Array]] = []
        for left in mlir_runner.results(text, entry_function(self.file.module).sym_name.data, *runs):
            outputs = [[array for array, side in zip(one, sides, strict=True) if side == "output"] for one in left]
            answers.append([np.stack(stack) for stack in zip(*outputs, strict=True)])
        if any(one.tobytes() != other.tobytes() for one, other in zip(*answers, strict=True)):
            raise InputError(
                f"{self.file.source}: an output depends on what its array held before, as if it were an input too"
            )
        return Reference(words, tuple(answers[0]))


def _sides(module: ModuleOp) -> list[str]:
    """`input` or `output` of every argument; results of a function on tensors become its last arguments."""
    entry = entry_function(module)
    if is_of_tensors(entry):
        return ["input"] * len(entry.function_type.inputs) + ["output"] * len(entry.function_type.outputs)
    return [
        (keys.IO.get(given) or Side.INPUT).value
        for given in attributes_of(entry.arg_attrs, len(entry.function_type.inputs))
    ]


def _for_mlir(file: MlirFile) -> tuple[str, str]:
    """Who computes, in words, and a module that MLIR's tools run; tasks, `simd` and `fx` in it are lowered."""
    if file.written is None:
        copy = file.module.clone()
        # Loops on memrefs, as the C is made from before there are pools.
        loops = (*pipeline.to_tasks(pipeline.Plan()), *pipeline.to_memref(), LowerSimdPass(), LowerFxPass())
        pipeline.apply(copy, loops, where=file.source)
        return mlir_runner.OUR_LOOPS, _text(copy)
    if not any(op.name.partition(".")[0] in ("task", "simd", "fx") for op in file.written.walk()):
        return mlir_runner.WORDS, _text(file.written)
    copy = file.written.clone()
    pipeline.apply(copy, (LowerTasksPass(), LowerSimdPass(), LowerFxPass()), where=file.source)
    return mlir_runner.OUR_LOOPS, _text(copy)


def _text(module: ModuleOp) -> str:
    """The module for MLIR's tools, without what only stillpool knows."""
    copy = module.clone()
    for op in [op for op in copy.ops if isinstance(op, DeclareOp)]:
        op.detach()
        op.erase()
    _keep_states(copy)
    for op in copy.walk():
        for name in [name for name in op.attributes if "." in name]:
            del op.attributes[name]
        if isinstance(op, func.FuncOp):
            op.properties.pop("arg_attrs", None)
            op.properties.pop("res_attrs", None)
    stream = io.StringIO()
    # Not the generic form: xDSL has the counters of loops as symbols of affine maps, which MLIR does not allow.
    Printer(stream).print_op(copy)
    return stream.getvalue()


def _keep_states(module: ModuleOp) -> None:
    """Make variables of buffers that keep what is in them from one run to the next."""
    names = UniqueNames(op.sym_name.data for op in module.ops if isinstance(op, memref.GlobalOp | func.FuncOp))
    known: dict[str | Operation, str] = {}
    for alloc in filter(is_state, all_of(module, memref.AllocOp)):
        type, one = alloc.memref.type, shared_name(alloc) or alloc
        assert isinstance(type, MemRefType), "allocs give memrefs"
        if one not in known:
            known[one] = names.fresh("state")
            tensor = TensorType(cast("IntegerType", type.element_type), type.get_shape())
            zeros = DenseIntOrFPElementsAttr(tensor, BytesAttr(bytes(buffer_bytes(type))))
            value = keys.INITIAL.get(alloc.attributes) or zeros
            made = memref.GlobalOp.get(StringAttr(known[one]), type, value, StringAttr("private"))
            Rewriter.insert_op(made, InsertPoint.at_start(module.body.block))
        Rewriter.replace_op(alloc, memref.GetGlobalOp(known[one], type))
