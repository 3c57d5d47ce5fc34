"""All rewrites of tasks that a processor profits from, in order."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects.operations import all_of
from ...dialects.task import NestOp
from ...lowering.constants import Constants
from ...lowering.schedule import is_open
from ...lowering.schedule.variants import Variant, form_of, variants
from ...machines.cpus import Cpu
from .double_early import double_early
from .narrow_sums import narrow_sums
from .rescaling import round_in_floats, shorten_rescaling
from .shorten_byte_sums import shorten_byte_sums
from .shorten_rounding import shorten_rounding
from .split_phases import split_phases


def prepare(module: ModuleOp, cpu: Cpu) -> None:
    """Bring the tasks of a module into their forms; those that have none into that of the fastest schedules.

    Those that stay as they are round in floats where ONNX does and the processor has them.
    """
    constants, fastest = Constants(module), variants(cpu)[-1]
    for nest in all_of(module, NestOp):
        form = form_of(nest, fastest)
        if form is not Variant.PLAIN:
            prepared(nest, constants, cpu, form)
        elif _has_floats(cpu):
            round_in_floats(nest, constants)


def unscheduled(module: ModuleOp, cpu: Cpu) -> ModuleOp:
    """A copy of a module whose tasks all stay as they are."""
    made = module.clone()
    constants = Constants(made)
    if _has_floats(cpu):
        for nest in all_of(made, NestOp):
            round_in_floats(nest, constants)
    return made


def _has_floats(cpu: Cpu) -> bool:
    return cpu.dsp and cpu.fpu


def prepared(nest: NestOp, constants: Constants, cpu: Cpu, form: Variant = Variant.FAST) -> list[NestOp]:
    """A nest in a form, in its place: one nest, or several of its phases."""
    narrow_sums(nest, constants)
    if cpu.in_words and cpu.fpu and not cpu.rounds:
        shorten_rounding(nest)
    if cpu.in_words and form.records:
        shorten_byte_sums(nest)
    low_products, floats = cpu.low_products and form.records, _has_floats(cpu)
    nest = shorten_rescaling(nest, constants, records=form.records, low_products=low_products, floats=floats)
    if cpu.in_words and form.records:
        double_early(nest)
    return split_phases(nest, constants, alone=form.is_short) if is_open(nest) else [nest]
