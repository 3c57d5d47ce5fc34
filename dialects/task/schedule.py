"""Schedules: in which loops a task runs, as a list of steps that can be read and edited by hand.

A nest without a schedule runs its space dimensions in order, outermost first, and inside them its fold dimensions.
Example: `#task.schedule<split oc 4, order (oy, ox, oc_o, ky, kx, oc_i), jam oc_i>`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...plugins import Plugins, is_subclass
from .step import KNOWN, Domain, Macro, Step, known_step, loops_in_order

ADDED: Plugins[type[Step]] = Plugins(
    "stillpool.steps",
    "a subclass of stillpool.dialects.task.step.Step",
    is_subclass(Step),
    name_of=lambda step: step.keyword,
)
"""Steps of other packages, by their keywords."""


@irdl_attr_definition
class ScheduleAttr(Data[tuple[Step, ...]]):
    """The steps, applied one after the other."""

    name = "task.schedule"

    @staticmethod
    def of(nest: Domain, steps: Sequence[Step]) -> ScheduleAttr:
        """The schedule of a nest, with the steps that macros are short for.

        Raises:
            ValueError: a macro or a step before it is not legal where it stands.
        """
        if not any(isinstance(step, Macro) for step in steps):
            return ScheduleAttr(tuple(steps))
        found, loops = list[Step](), loops_in_order(nest)
        # Steps in order, the next one last, each with the macros that it is of.
        waiting: list[tuple[Step, tuple[Step, ...]]] = [(step, ()) for step in reversed(steps)]
        while waiting:
            step, macros = waiting.pop()
            if step in macros:
                raise ValueError(f"{step}: it is short for itself")
            if isinstance(step, Macro):
                waiting += [(one, (*macros, step)) for one in reversed(step.steps(nest, loops))]
            else:
                loops = step.planned(nest, loops)
                found.append(step)
        return ScheduleAttr(tuple(found))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Step, ...]:
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_step(parser)))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda step: printer.print_string(str(step)))


def _parse_step(parser: AttrParser) -> Step:
    position = parser.pos
    keyword = parser.parse_identifier("step of a schedule")
    kind = known_step(keyword) or ADDED.load(keyword)
    if kind is None:
        known = ", ".join((*KNOWN, *ADDED.names()))
        parser.raise_error(f"expected a step of a schedule ({known}), got {keyword}", position, parser.pos)
    return kind.parse(parser)
