"""The reference of TOSA files: Arm's TOSA reference model, in an environment of its own.

Its package `tosa-tools` asks for other versions of packages than ONNX, so it is looked for as programs: in the folder
that STILLPOOL_TOSA_TOOLS names, then on the path.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.printer import Printer

from ...errors import InputError
from ...progress import tell
from ...targets.interfaces.description import Description
from ..process import call_text
from ..samples import Array
from ..undisturbed import temporary_folder
from .oracle import SECONDS, Oracle, OracleMissing, Reference

WORDS = "the TOSA reference model"
TOOLS = "STILLPOOL_TOSA_TOOLS"
"""Environment variable: the folder with the programs."""
_REMEDY = f"python -m venv tosa && tosa/bin/pip install tosa-tools, then set {TOOLS} to the folder tosa/bin"


def find(tool: str) -> str:
    """The path of one of the tools.

    Raises:
        OracleMissing: it is not installed.
    """
    folder = os.environ.get(TOOLS, "").strip()
    found = (shutil.which(tool, path=folder) if folder else None) or shutil.which(tool)
    if found is None:
        raise OracleMissing(f"{tool} is not installed", remedy=_REMEDY)
    return found


@dataclass(frozen=True)
class TosaOracle(Oracle):
    """What the reference model computes of a TOSA module."""

    module: ModuleOp = field(repr=False)
    """With static shapes, and one public function."""
    source: str
    """The file, for messages."""

    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """The outputs; tensors inside the model have no name there. Variables are as at the start in every sample.

        Raises:
            OracleMissing: the tools are not installed.
            InputError: they refuse the module.
        """
        model = find("tosa_reference_model")
        tell(f"comparing with {WORDS}")
        with temporary_folder() as folder:
            file = flatbuffer(self.module, folder, self.source)
            samples = len(inputs[0]) if inputs else 1
            found = [
                self._sample(model, file, folder, description, [stack[number] for stack in inputs], timeout)
                for number in range(samples)
            ]
        return Reference(WORDS, tuple(np.stack(arrays) for arrays in zip(*found, strict=True)))

    def _sample(
        self,
        model: str,
        file: Path,
        folder: Path,
        description: Description,
        inputs: Sequence[Array],
        timeout: float,
    ) -> list[Array]:
        given = [folder / f"input_{number}.npy" for number in range(len(inputs))]
        made = [folder / f"output_{number}.npy" for number in range(len(description.outputs))]
        for path, array in zip(given, inputs, strict=True):
            np.save(path, array.view(np.int8) if array.dtype == np.uint8 else array)
        for path in made:
            path.unlink(missing_ok=True)
        command = [model, f"--tosa_file={file}", "--tosa_level=NONE"]
        for side, paths in (("ifm", given), ("ofm", made)):
            if paths:
                command += [f"--{side}_name={','.join(path.stem for path in paths)}"]
                command += [f"--{side}_file={','.join(map(str, paths))}"]
        try:
            done = call_text(command, cwd=folder, timeout=timeout)
        except TimeoutExpired as error:
            raise InputError(f"{self.source}: {WORDS} ran longer than {timeout:g} s") from error
        if done.returncode or not all(path.exists() for path in made):
            raise InputError(f"{WORDS} refuses {self.source}: {_reason(done.stdout + done.stderr)}")
        return [
            np.load(path).astype(_held(tensor.dtype)).view(tensor.dtype).reshape(tensor.shape)
            for path, tensor in zip(made, description.outputs, strict=True)
        ]


def _held(dtype: str) -> str:
    """The type in which the reference model holds elements: none lacks a sign."""
    return "int8" if dtype == "uint8" else dtype


def flatbuffer(module: ModuleOp, folder: Path, source: str) -> Path:
    """Write a module as a TOSA flatbuffer.

    Raises:
        OracleMissing: the tools are not installed.
        InputError: they refuse the module.
    """
    text, made = folder / "module.mlir", folder / "module.tosa"
    text.write_text(_text(module))
    options = f"tosa-flatbuffer-filename={made} retain-graph-input-output-names=true"
    passes = ["--tosa-convert-integer-type-to-signless", f"--tosa-serialize={options}"]
    done = call_text([find("tosa-opt"), str(text), *passes, "-o", os.devnull], cwd=folder, timeout=SECONDS)
    if done.returncode or not made.exists():
        raise InputError(f"tosa-opt refuses {source}: {_reason(done.stderr)}")
    return made


def _text(module: ModuleOp) -> str:
    """The module with inputs and outputs named by number, and nothing that TOSA's tools do not know."""
    copy = module.clone()
    copy.attributes.clear()
    for function in copy.ops:
        if isinstance(function, FuncOp):
            function.attributes.clear()
            function.properties["sym_name"] = StringAttr("main")
            function.arg_attrs = _numbered("input", len(function.function_type.inputs))
            function.res_attrs = _numbered("output", len(function.function_type.outputs))
    stream = io.StringIO()
    Printer(stream).print_op(copy)
    return stream.getvalue()


def _numbered(side: str, count: int) -> ArrayAttr[DictionaryAttr]:
    def name(number: int) -> dict[str, Attribute]:
        return {"tosa.tensor_name": StringAttr(f"{side}_{number}")}

    return ArrayAttr(DictionaryAttr(name(number)) for number in range(count))


def _reason(output: str) -> str:
    """The line that names an operator, else the first one that speaks of an error."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for words in ("could not allocate op", "rror:", "ERROR"):
        found = next((line for line in lines if words in line), None)
        if found is not None:
            return " ".join(found[max(found.find("could not"), 0) :].split())[:300]
    return lines[0][:300] if lines else "it says nothing"
