"""What a compilation is to those who choose among ways to compile a model: a plan to change, modules to weigh."""

from __future__ import annotations

from typing import Protocol, Self

from xdsl.dialects.builtin import ModuleOp

from ...targets.interfaces.description import RowChoice
from .. import pipeline
from ..models.model import Model
from ..options.pool_spec import PoolSpec
from .describe import Signature


class Way(Protocol):
    """One way to compile a model."""

    @property
    def model(self) -> Model:
        """The model."""
        ...

    @property
    def plan(self) -> pipeline.Plan:
        """What is decided."""
        ...

    @property
    def pools(self) -> tuple[PoolSpec, ...]:
        """Where buffers may lie."""
        ...

    def planned_as(self, plan: pipeline.Plan) -> Self:
        """The same by another plan."""
        ...

    def decided_as(self, choice: RowChoice) -> Self:
        """The same with its decision on rows noted."""
        ...

    def unscheduled(self) -> ModuleOp:
        """The module of tasks for which schedules are to be chosen: not to be changed."""
        ...

    def scheduled_once(self) -> ModuleOp:
        """The module of tasks with schedules: not to be changed."""
        ...

    def lowered_once(self) -> ModuleOp:
        """The module at level `memref`: not to be changed."""
        ...

    def lowered(self) -> tuple[Signature, ModuleOp]:
        """The model's signature, and a fresh module at level `memref`."""
        ...

    def place_unproved(self, module: ModuleOp) -> None:
        """Plan the memory of a module at level `memref`."""
        ...

    def workspace_bytes(self) -> dict[str, int]:
        """Bytes of each workspace pool.

        Raises:
            StillpoolError: a pass refused the model.
        """
        ...
