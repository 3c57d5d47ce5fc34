"""From models to C: the one path that the command line and Python callers take."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Unpack, overload

from ..driver.compile.compiled import Compiled, CompiledSystem
from ..driver.compile.prepare import Requested, prepare_all
from ..driver.models.model import Model
from ..driver.options.options import Options, Request
from .artifact import Artifact
from .system import System


@overload
def finished(made: Compiled) -> Artifact: ...


@overload
def finished(made: CompiledSystem) -> System: ...


@overload
def finished(made: Compiled | CompiledSystem) -> Artifact | System: ...


def finished(made: Compiled | CompiledSystem) -> Artifact | System:
    """What was compiled, with what can be done with it."""
    return System.of(made) if isinstance(made, CompiledSystem) else Artifact.of(made)


@overload
def compile(models: Model | str | os.PathLike[str] | Request, **options: Unpack[Options]) -> Artifact: ...


@overload
def compile(models: Sequence[Requested], **options: Unpack[Options]) -> Artifact | System: ...


def compile(models: Requested | Sequence[Requested], **options: Unpack[Options]) -> Artifact | System:
    """Compile a model (a path or what `load` gave) to C, or several that share pools.

    Args:
        models: one model, or a sequence: paths, `Model`s, or `Request`s for models with options of their own.
        options: see `Options`; all of them can be left out.

    Returns:
        the artefact of one model, or the `System` of several.

    Raises:
        StillpoolError: the classes of `stillpool.errors` say which mistake.
    """
    return finished(prepare_all(models, **options).result())
