"""Models from `.mlir` files."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IndexType, MemRefType, ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.printer import Printer

from ..dialects import nn_keys
from ..dialects.pool import keys
from ..dialects.pool.declare import DeclareOp
from ..dialects.pool.keys import Side
from ..dialects.pool.kinds import BufferKind
from ..documents import read_bytes
from ..errors import InputError, UnsupportedError, UsageError
from ..frontends.mlir.import_mlir import choose_entry, is_of_tensors, parse, public_functions, results_to_arguments
from ..lowering.emit_c.func_ops import callees_first
from ..lowering.fx.lower_fx import LowerFxPass
from ..lowering.loops import LowerToLoopsPass
from ..lowering.tasks import LowerTasksPass
from ..outside import well_formed
from ..targets.interfaces.description import Description
from ..transforms.usmp.analysis.sound import require_sound
from ..transforms.usmp.analysis.uses import Writers
from . import mlir_oracle, pipeline
from .describe import dtype_of
from .entry import attributes_of, entry_function
from .model import Model
from .oracles.oracle import SECONDS, Oracle, Reference
from .samples import Array


def load_mlir(path: Path, *, name: str, entry: str | None, takes_options: Sequence[str]) -> Model:
    """Read a module as a model.

    Args:
        path: the file: functions on memrefs, as `mlir-opt` prints them, or what `--emit` prints of `nn` or `memref`.
        name: the model's name.
        entry: the public function; None if there is only one.
        takes_options: options that were given and concern other kinds of files.

    Raises:
        InputError: the file is malformed, or its function has no equivalent in C.
        UnsupportedError: an argument or result has a type that C has not.
        UsageError: there is no such function, or an option has no effect.
    """
    source = well_formed(str(path))
    if takes_options:
        raise UsageError(f"{source}: {', '.join(takes_options)} has no effect on .mlir files")
    data = read_bytes(path)
    digest = hashlib.sha256(data).hexdigest()
    module = parse(pipeline.context(), data, source)
    function = choose_entry(module, source, entry)
    _require_model(module, function, source)
    if is_of_tensors(function):
        return model_of(module, name, source, digest)
    results_to_arguments(function, source)
    # Before what MLIR lowers itself is lowered here.
    written = module.clone()
    pipeline.apply(module, (LowerToLoopsPass(),), where=source)
    _tell_sides(module)
    oracle = MlirOracle(module, source, lambda: _module_for_mlir(written, source))
    return Model(name, source, module, None, oracle, digest)


def model_of(module: ModuleOp, name: str, source: str, digest: str = "") -> Model:
    """A model of `nn` IR, with MLIR's code of its loops to compare with."""
    oracle = MlirOracle(module, source, lambda: (mlir_oracle.OUR_LOOPS, _text(_loops(module, source))))
    return Model(name, source, module, None, oracle, digest)


def _require_model(module: ModuleOp, entry: func.FuncOp, source: str) -> None:
    """Check what every pass takes for granted, and that an application can call the entry."""
    with pipeline.located(source):
        require_sound(module)
        callees_first(module)
    for op in module.walk():
        if keys.ASSIGNED.within(op.attributes) or keys.KIND.get(op.attributes) in (BufferKind.INPUT, BufferKind.OUTPUT):
            raise InputError(
                f"{source}: '{op.name}' op has a place in a pool already", remedy="give what --emit memref prints"
            )
    types = entry.function_type
    named = [
        *((f"argument {number}", type) for number, type in enumerate(types.inputs)),
        *((f"result {number}", type) for number, type in enumerate(types.outputs)),
    ]
    wrong = [f"{name} is {type}" for name, type in named if not _has_c_type(type)]
    if wrong:
        raise UnsupportedError(
            f"{source}: @{entry.sym_name.data}: {', '.join(wrong)}",
            remedy="inputs and outputs are memrefs, tensors or values of i1, i8 to i64, ui8, f32, f64, or an index",
        )


def _has_c_type(type: Attribute) -> bool:
    element = type.element_type if isinstance(type, MemRefType | TensorType) else type
    return dtype_of(element) is not None or isinstance(type, IndexType)


def entries_of_mlir(path: Path) -> list[str]:
    """Names of the public functions of a file."""
    return [
        op.sym_name.data for op in public_functions(parse(pipeline.context(), read_bytes(path), well_formed(str(path))))
    ]


@dataclass(frozen=True)
class MlirOracle(Oracle):
    """Reference of a module by MLIR's own code."""

    module: ModuleOp = field(repr=False)
    """The model; its entry says what are inputs and what outputs."""
    source: str
    """The file, for messages."""
    for_mlir: Callable[[], tuple[str, str]] = field(repr=False)
    """Makes a module that MLIR's tools run: who computes, in words, and its text."""

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
        words, text = self.for_mlir()
        sides = _sides(self.module)
        count = len(inputs[0]) if inputs else 1
        answers: list[list[Array]] = []
        for fill in (0x00, 0x5A):
            samples: list[list[Array]] = []
            for number in range(count):
                given = iter([stack[number] for stack in inputs])
                empty = iter(
                    [np.full(t.bytes, fill, np.uint8).view(t.dtype).reshape(t.shape) for t in description.outputs]
                )
                samples.append([next(given) if side == "input" else next(empty) for side in sides])
            left = mlir_oracle.results(text, entry_function(self.module).sym_name.data, samples)
            outputs = [[array for array, side in zip(one, sides, strict=True) if side == "output"] for one in left]
            answers.append([np.stack(stack) for stack in zip(*outputs, strict=True)])
        if any(one.tobytes() != other.tobytes() for one, other in zip(*answers, strict=True)):
            raise InputError(
                f"{self.source}: an output depends on what its array held before, as if it were an input too"
            )
        return Reference(words, tuple(answers[0]))


def _sides(module: ModuleOp) -> list[str]:
    """`input` or `output` of every argument; results of a function on tensors become its last arguments."""
    entry = entry_function(module)
    if is_of_tensors(entry):
        return ["input"] * len(entry.function_type.inputs) + ["output"] * len(entry.function_type.outputs)
    return [(keys.IO.get(given) or Side.INPUT).value for given in _attributes(module)]


def _loops(module: ModuleOp, source: str) -> ModuleOp:
    """A module of `nn` as loops on memrefs, as the C is made from before there are pools."""
    copy = module.clone()
    pipeline.apply(copy, (*pipeline.to_tasks(pipeline.Plan()), *pipeline.to_memref(), LowerFxPass()), where=source)
    return copy


def _module_for_mlir(written: ModuleOp, source: str) -> tuple[str, str]:
    """Who computes, in words, and what; where tasks or `fx` are in it they are lowered, as MLIR knows neither."""
    if not any(op.name.partition(".")[0] in ("task", "fx") for op in written.walk()):
        return mlir_oracle.WORDS, _text(written)
    copy = written.clone()
    pipeline.apply(copy, (LowerTasksPass(), LowerFxPass()), where=source)
    return mlir_oracle.OUR_LOOPS, _text(copy)


def _attributes(module: ModuleOp) -> list[dict[str, Attribute]]:
    entry = entry_function(module)
    return attributes_of(entry.arg_attrs, len(entry.function_type.inputs))


def _tell_sides(module: ModuleOp) -> None:
    """Write on every argument whether it is input or output, and its name."""
    entry = entry_function(module)
    writers = Writers(module)
    told: list[DictionaryAttr] = []
    for argument, given in zip(entry.body.block.args, _attributes(module), strict=True):
        side = Side.OUTPUT if writers.is_written(argument) else Side.INPUT
        name = argument.name_hint or f"argument_{argument.index}"
        told.append(DictionaryAttr(keys.IO.item(side) | nn_keys.NAME.item(name) | given))
    entry.properties["arg_attrs"] = ArrayAttr(told)


def _text(module: ModuleOp) -> str:
    """The module for MLIR's tools, without what only stillpool knows."""
    copy = module.clone()
    for op in [op for op in copy.ops if isinstance(op, DeclareOp)]:
        op.detach()
        op.erase()
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
