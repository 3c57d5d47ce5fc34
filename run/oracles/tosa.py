"""The reference of TOSA files: Arm's TOSA reference model, in an environment of its own.

Its package `tosa-tools` asks for other versions of packages than ONNX, so it is looked for as programs: in the folder
that STILLPOOL_TOSA_TOOLS names, then on the path.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    f64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.printer import Printer
from xdsl.rewriter import Rewriter

from ...dialects.tosa.control_flow import VariableOp, VariableReadOp
from ...dialects.tosa.elementwise import CastOp
from ...driver.models.model_file import TosaFile
from ...errors import InputError
from ...progress import tell
from ...targets.interfaces.description import Description
from ..process import call_text
from ..samples import Array
from ..undisturbed import temporary_folder
from .oracle import SECONDS, Oracle, OracleMissing, OracleTooSlow, Reference

WORDS = "the TOSA reference model"
TOOLS = "STILLPOOL_TOSA_TOOLS"
"""Environment variable: the folder with the programs, or the environment that it is in."""
_LOST = "exceeds int4 range"
"""Said of weights of four bits that are -8: others are written then, without a failure. TOSA's are from -7 on."""
_REMEDY = f"python -m venv tosa && tosa/bin/pip install tosa-tools, then set {TOOLS} to the folder tosa/bin"


def find(tool: str) -> str:
    """The path of one of the tools.

    Raises:
        OracleMissing: it is not installed.
    """
    folder = os.environ.get(TOOLS, "").strip()
    places = os.pathsep.join([folder, str(Path(folder, "bin"))])
    found = (shutil.which(tool, path=places) if folder else None) or shutil.which(tool)
    if found is None:
        raise OracleMissing(f"{tool} is not installed", remedy=_REMEDY)
    return found


@dataclass(frozen=True)
class TosaOracle(Oracle):
    """Reference of a TOSA module by the reference model."""

    file: TosaFile

    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """The outputs, and tensors inside as far as the file has them. Variables keep what a sample leaves in them.

        Raises:
            OracleMissing: the tools are not installed.
            InputError: they refuse the module.
        """
        model = find("tosa_reference_model")
        tell(f"comparing with {WORDS}")
        last = function_of(self.file.module).body.block.last_op
        returned = [] if last is None else list(last.operands)
        known = [name for name in dict.fromkeys(further) if name in self.file.tensors]
        more = [name for name in known if self.file.tensors[name] not in returned]
        samples, count = len(inputs[0]) if inputs else 1, len(description.outputs)
        with temporary_folder() as folder:
            run = _Run(self.file, model, folder, more, timeout)
            found = [run.sample([stack[number] for stack in inputs]) for number in range(samples)]
        stacks = [np.stack(arrays) for arrays in zip(*found, strict=True)]
        outputs = [
            stack.astype(_held(tensor.dtype)).view(tensor.dtype).reshape(samples, *tensor.shape)
            for stack, tensor in zip(stacks, description.outputs, strict=False)
        ]
        return Reference(WORDS, tuple(outputs), dict(zip(more, stacks[count:], strict=True)))


class _Run:
    """One sample after the other, with what variables hold between them."""

    def __init__(self, file: TosaFile, model: str, folder: Path, more: Sequence[str], timeout: float):
        self.file, self.model, self.folder, self.more, self.timeout = file, model, folder, more, timeout
        self.variables = [op for op in file.module.ops if isinstance(op, VariableOp)]
        self.state: list[Array] | None = None
        self.prepared: tuple[Path, Sequence[str], Sequence[str]] | None = None

    def sample(self, inputs: Sequence[Array]) -> list[Array]:
        """The outputs, then the tensors inside."""
        if self.prepared is None or self.variables:
            self.prepared = self._prepare()
        tosa, *names = self.prepared
        given = [self.folder / f"given_{number}.npy" for number in range(len(inputs))]
        made = [self.folder / f"made_{number}.npy" for number in range(len(names[1]))]
        for path, array in zip(given, inputs, strict=True):
            np.save(path, array.view(np.int8) if array.dtype == np.uint8 else array)
        for path in made:
            path.unlink(missing_ok=True)
        command = [self.model, f"--tosa_file={tosa}", "--tosa_level=NONE"]
        for side, called, paths in zip(("ifm", "ofm"), names, (given, made), strict=True):
            if paths:
                command += [f"--{side}_name={','.join(called)}", f"--{side}_file={','.join(map(str, paths))}"]
        source = self.file.source
        try:
            done = call_text(command, cwd=self.folder, timeout=self.timeout)
        except TimeoutExpired as error:
            raise OracleTooSlow(f"{source}: {WORDS} ran longer than {self.timeout:g} s") from error
        if done.returncode or not all(path.exists() for path in made):
            raise InputError(f"{WORDS} refuses {source}: {_reason(done.stdout + done.stderr)}")
        found = [np.load(path) for path in made]
        count = len(found) - len(self.variables)
        self.state = found[count:]
        return found[:count]

    def _prepare(self) -> tuple[Path, Sequence[str], Sequence[str]]:
        """A flatbuffer, and the names of its inputs and outputs: the file itself where nothing must be added."""
        path = self.folder / "model.tosa"
        function = function_of(self.file.module)
        if self.file.data is not None and not self.variables and not self.more:
            path.write_bytes(self.file.data)
            return path, _names(function.arg_attrs), _names(function.res_attrs)
        added = len(self.more) + len(self.variables)
        write_flatbuffer(self._extended(), path, self.file.source)
        inputs, outputs = len(function.function_type.inputs), len(function.function_type.outputs)
        return path, _numbered("input", inputs), _numbered("output", outputs + added)

    def _extended(self) -> ModuleOp:
        """The module with further outputs, and with what variables hold."""
        values: dict[SSAValue, SSAValue] = {}
        copy = self.file.module.clone(values)
        variables = [op for op in copy.ops if isinstance(op, VariableOp)]
        for op, array in zip(variables, self.state or [], strict=False):
            data = DenseIntOrFPElementsAttr(op.held, BytesAttr(np.ascontiguousarray(array).tobytes()))
            op.properties["initial_value"] = data
        function = function_of(copy)
        block = function.body.block
        last = block.last_op
        assert isinstance(last, ReturnOp), "verified: a function ends in func.return"
        reads = [
            VariableReadOp.create(properties={"name": StringAttr(op.sym_name.data)}, result_types=[op.held])
            for op in variables
        ]
        for read in reads:
            block.insert_op_before(read, last)
        inside = [values[self.file.tensors[name]] for name in self.more]
        returned = [*last.operands, *inside, *(read.output1 for read in reads)]
        block.insert_op_before(ReturnOp(*returned), last)
        last.detach()
        last.erase()
        types = [argument.type for argument in block.args], [value.type for value in returned]
        function.properties["function_type"] = FunctionType.from_lists(*types)
        return copy


def function_of(module: ModuleOp) -> FuncOp:
    """The function that is the model."""
    return next(op for op in module.ops if isinstance(op, FuncOp))


def _held(dtype: str) -> str:
    """The type in which the reference model holds elements: none lacks a sign."""
    return "int8" if dtype == "uint8" else dtype


def write_flatbuffer(module: ModuleOp, made: Path, source: str) -> None:
    """Write a module as a TOSA flatbuffer, with inputs and outputs named by number.

    Raises:
        OracleMissing: the tools are not installed.
        InputError: they refuse the module.
    """
    options = f"tosa-flatbuffer-filename={made} retain-graph-input-output-names=true"
    passes = ["--tosa-convert-integer-type-to-signless", f"--tosa-serialize={options}"]
    with temporary_folder() as folder:
        written = folder / "module.mlir"
        written.write_text(_text(module.clone()))
        done = call_text([find("tosa-opt"), str(written), *passes, "-o", os.devnull], cwd=folder, timeout=SECONDS)
    if done.returncode or not made.exists() or _LOST in done.stdout + done.stderr:
        raise InputError(f"tosa-opt refuses {source}: {_reason(done.stderr or done.stdout)}")


def _text(module: ModuleOp) -> str:
    """A module with inputs and outputs named by number, and nothing that TOSA's tools do not know."""
    for op in module.walk():
        op.attributes.clear()
    _in_single(module)
    function = function_of(module)
    function.properties["sym_name"] = StringAttr("main")
    function.arg_attrs = _attributes(_numbered("input", len(function.function_type.inputs)))
    function.res_attrs = _attributes(_numbered("output", len(function.function_type.outputs)))
    stream = io.StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def _in_single(module: ModuleOp) -> None:
    """Float32 in place of float64, which TOSA has not, as the importer takes it; casts between both do nothing."""
    for op in list(module.walk()):
        values = op.properties.get("values")
        if isinstance(values, DenseIntOrFPElementsAttr) and values.get_element_type() == f64:
            array = np.array(values.get_values(), np.float32)
            whole = np.broadcast_to(array, prod(values.get_shape())) if array.size == 1 else array
            op.properties["values"] = DenseIntOrFPElementsAttr(_of_single(values.type), BytesAttr(whole.tobytes()))
        inside = [argument for region in op.regions for block in region.blocks for argument in block.args]
        for value in (*op.results, *inside):
            if isinstance(value.type, TensorType) and value.type.get_element_type() == f64:
                Rewriter.replace_value_with_new_type(value, _of_single(value.type))
        if isinstance(op, FuncOp):
            op.update_function_type()
        if isinstance(op, CastOp) and op.input1.type == op.output.type:
            op.output.replace_all_uses_with(op.input1)
            Rewriter.erase_op(op)


def _of_single(type: Any) -> TensorType[Any]:
    return TensorType(f32, type.get_shape())


def _numbered(side: str, count: int) -> list[str]:
    return [f"{side}_{number}" for number in range(count)]


def _attributes(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr({"tosa.tensor_name": StringAttr(name)}) for name in names)


def _names(attributes: ArrayAttr[DictionaryAttr] | None) -> list[str]:
    """Names of a flatbuffer's inputs or outputs."""
    given = [] if attributes is None else [one.data["tosa.tensor_name"] for one in attributes]
    return [name.data for name in given if isinstance(name, StringAttr)]


def _reason(output: str) -> str:
    """The line that names an operator, else the first one that speaks of an error."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for words in ("could not allocate op", "rror:", "ERROR"):
        found = next((line for line in lines if words in line), None)
        if found is not None:
            return " ".join(found[max(found.find("could not"), 0) :].split())[:300]
    return lines[0][:300] if lines else "it says nothing"
