"""Which forms a task's schedule may have on a processor, what each trades for what, and the form chosen for a nest."""

from __future__ import annotations

from enum import Enum

from xdsl.utils.exceptions import PassFailedException

from ...dialects import task_keys
from ...dialects.task import NestOp
from ...errors import one_of
from ...machines.cpus import Cpu


class Variant(Enum):
    """Form of a nest: how constants of sums of products are packed, and the limit of a schedule's code."""

    PLAIN = "plain"
    """The nest as it is, in loops in order."""
    SHORT = "short"
    """Rewritten as for `SMALL`, in loops in order."""
    SMALL = "small"
    """Constants as in `COMPACT`, in the shortest code."""
    COMPACT = "compact"
    """Bytes, taken apart where they are used; where these do not hold them, as `FAST`."""
    FAST = "fast"
    """Constants as they are multiplied when they are loaded."""
    WINOGRAD = "winograd"
    """Transformed for fewer products where there are three taps side by side; elsewhere as `FAST`."""
    LEAN = "lean"
    """Constants as in `FAST`, of one point at a time, which takes less scratch memory, or none."""
    LOOPS = "loops"
    """Loops as compilers find vectors: over what lies side by side, one table for each thing."""

    @property
    def has_steps(self) -> bool:
        """Whether nests get schedules."""
        return self not in (Variant.PLAIN, Variant.SHORT)

    @property
    def is_short(self) -> bool:
        """Whether code is as short as it can be."""
        return self in (Variant.SHORT, Variant.SMALL)

    @property
    def records(self) -> bool:
        """Whether factors per channel may stand in records, and code may be longer for fewer instructions."""
        return self in (Variant.COMPACT, Variant.FAST, Variant.WINOGRAD, Variant.LEAN)


def variants(cpu: Cpu, *, winograd: bool = False, lean: bool = False) -> tuple[Variant, ...]:
    """Return the variants with schedules that differ on a processor, the fastest last.

    With `winograd` there are those that transform constants, too, with `lean` those that take less scratch memory.
    """
    if cpu.vectorises:
        return (Variant.LOOPS,)
    found = [*([Variant.LEAN] if lean else []), *([Variant.COMPACT] if cpu.swar or cpu.dsp else []), Variant.FAST]
    return (*found, Variant.WINOGRAD) if winograd and cpu.dsp and not cpu.swar else tuple(found)


def form_of(nest: NestOp, default: Variant) -> Variant:
    """The form that stands on a nest, for what rewrites and schedules it; a default where none does.

    Raises:
        PassFailedException: it is not one.
    """
    if not task_keys.FORM.within(nest.attributes):
        return default
    text, texts = task_keys.FORM.get(nest.attributes), [variant.value for variant in Variant]
    if text not in texts:
        raise PassFailedException(
            f"'{nest.name}' op has an unknown '{task_keys.FORM.name}'; {one_of(text or '', texts)}"
        )
    return Variant(text)


def put_form(nest: NestOp, form: Variant, *, measured: bool = False) -> None:
    """Write a form on a nest, and whether schedules that were measured count for it."""
    task_keys.FORM.put(nest.attributes, form.value)
    if measured and form.has_steps:
        task_keys.MEASURED.put(nest.attributes, True)
