"""What a model was read from, as far as a reference that computes the same must know it: a class for each kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import SSAValue

from ...dialects import nn_keys

Layout: TypeAlias = tuple[tuple[int, ...], bool]
"""The shape of a tensor, and whether its elements are integers."""


@dataclass(frozen=True)
class TfliteFile:
    """A file of TensorFlow Lite that is the model."""

    data: bytes = field(repr=False)


@dataclass(frozen=True)
class OnnxFile:
    """An ONNX file."""

    data: bytes = field(repr=False)
    source: str
    """The file, for messages."""
    channels_last: bool = False
    """Whether images among the inputs have their channels last, which they have first in the file."""
    layouts: Mapping[str, Layout] = field(default_factory=lambda: {}, repr=False)
    """How the compiled model holds tensors, by their names in the file; of `layouts_of`."""


def layouts_of(module: ModuleOp) -> Mapping[str, Layout]:
    """The layout of each operator's result in an imported module, by the result's name in the file."""
    found: dict[str, Layout] = {}
    for op in module.walk():
        origin = nn_keys.ORIGIN.get(op.attributes)
        if origin is not None and len(op.results) == 1 and isinstance(type := op.results[0].type, TensorType):
            found[origin.tensor.data] = (type.get_shape(), isinstance(type.get_element_type(), IntegerType))
    return found


@dataclass(frozen=True)
class TosaFile:
    """A TOSA module."""

    module: ModuleOp = field(repr=False)
    """With static shapes, and one public function."""
    source: str
    """The file, for messages."""
    tensors: Mapping[str, SSAValue] = field(repr=False)
    """Values of the function by the names that operators of the compiled model have."""
    data: bytes | None = field(repr=False)
    """The file, if it is a flatbuffer."""


@dataclass(frozen=True)
class MlirFile:
    """A module of MLIR, or a network that was built."""

    module: ModuleOp = field(repr=False)
    """The model; its entry says what are inputs and what outputs."""
    source: str
    """The file, for messages."""
    written: ModuleOp | None = field(default=None, repr=False)
    """The file's own module on memrefs, before anything was lowered; None where the model is one of `nn`."""


@dataclass(frozen=True)
class WithQuantisedIo:
    """A file whose reals are integers in the model."""

    file: ModelFile = field(repr=False)
    inputs: frozenset[int]
    """Numbers of the inputs that are reals in the file."""
    outputs: frozenset[int]
    """Numbers of such outputs."""


ModelFile: TypeAlias = "TfliteFile | OnnxFile | TosaFile | MlirFile | WithQuantisedIo"
