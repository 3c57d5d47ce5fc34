"""A model read from a file, ready to compile."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ...targets.identifiers import model_identifier
from .entry import tensor_names
from .model_file import ModelFile


@dataclass(frozen=True)
class Model:
    """A model as `nn` IR, with what it came from."""

    name: str
    """The user's name for it: the file's name without suffix unless given."""
    source: str
    """The file, for messages."""
    nn: ModuleOp = field(repr=False)
    """The imported module; compile works on copies."""
    tflite: bytes | None = field(repr=False)
    """A TFLite file that is this model; None where there is none."""
    file: ModelFile | None = field(default=None, repr=False)
    """What a reference must know to compute the same, for `verify`; None where there is none."""
    file_sha256: str = field(default="", repr=False)
    """SHA-256 of the file that it was read from, in hexadecimal; empty where there was none."""

    @property
    def identifier(self) -> str:
        """The name in C."""
        return model_identifier(self.name)

    @property
    def revision(self) -> str:
        """Changes with the model: the start of the SHA-256 of its file, or of its IR where there is none."""
        data = str(self.nn).encode() if self.tflite is None else self.tflite
        return hashlib.sha256(data).hexdigest()[:16]

    @property
    def sha256(self) -> str:
        """SHA-256 of the file that it was read from, of its IR where there was none; in hexadecimal."""
        return self.file_sha256 or hashlib.sha256(str(self.nn).encode()).hexdigest()

    @property
    def inputs(self) -> Sequence[str]:
        """Names of the inputs in order."""
        return tensor_names(self.nn, "input")

    @property
    def outputs(self) -> Sequence[str]:
        """Names of the outputs in order."""
        return tensor_names(self.nn, "output")
