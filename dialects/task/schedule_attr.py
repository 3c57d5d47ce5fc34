"""The attribute of a task that holds its schedule, and the steps that it may have."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...plugins import Plugins, is_subclass
from . import loop_steps, rewrites, schedule
from .step import Step

STEPS: Mapping[str, type[Step]] = {step.keyword: step for step in (*loop_steps.STEPS, *schedule.STEPS, *rewrites.STEPS)}
"""Every step, by its keyword."""

ADDED: Plugins[type[Step]] = Plugins(
    "stillpool.steps", "a subclass of stillpool.dialects.task.step.Step", is_subclass(Step)
)
"""Steps of other packages, by their keywords."""


@irdl_attr_definition
class ScheduleAttr(Data[tuple[Step, ...]]):
    """The steps, applied one after the other."""

    name = "task.schedule"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Step, ...]:
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_step(parser)))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda step: printer.print_string(str(step)))


def _parse_step(parser: AttrParser) -> Step:
    position = parser.pos
    keyword = parser.parse_identifier("step of a schedule")
    kind = STEPS.get(keyword) or ADDED.load(keyword)
    if kind is None:
        known = ", ".join((*STEPS, *ADDED.names()))
        parser.raise_error(f"expected a step of a schedule ({known}), got {keyword}", position, parser.pos)
    return kind.parse(parser)
