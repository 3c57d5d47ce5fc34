"""Which forms a task's schedule may have on a processor, what each trades for what, and the form chosen for a nest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.utils.exceptions import PassFailedException

from ...dialects import task_keys
from ...dialects.task import NestOp
from ...errors import one_of
from ...machines.cpus import Cpu


class Variant(Enum):
    """Way to pack the constants of sums of products, and the limit of a schedule's code."""

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


def variants(cpu: Cpu, *, winograd: bool = False, lean: bool = False) -> tuple[Variant, ...]:
    """Return the variants that differ on a processor, the fastest last.

    With `winograd` there are those that transform constants, too, with `lean` those that take less scratch memory.
    """
    if cpu.vectorises:
        return (Variant.LOOPS,)
    if lean:
        return Variant.LEAN, *variants(cpu, winograd=winograd)
    if cpu.swar:
        return Variant.COMPACT, Variant.FAST
    if not cpu.dsp:
        return (Variant.FAST,)
    return (Variant.COMPACT, Variant.FAST, *((Variant.WINOGRAD,) if winograd else ()))


_PLAIN, _SHORT = "plain", "short"
_TEXTS = (_PLAIN, _SHORT, *(variant.value for variant in Variant))


@dataclass(frozen=True)
class Form:
    """Form that a nest is to have, as it stands on the nest for what rewrites and schedules it."""

    variant: Variant | None
    """None leaves the nest as it is."""
    has_steps: bool = True
    """Whether it gets a schedule; the short form of `SMALL` may run in loops in order."""
    measured: bool = True
    """Whether schedules that were measured count for it."""

    @property
    def records(self) -> bool:
        """Whether factors per channel may stand in records, and code may be longer for fewer instructions."""
        return self.variant not in (None, Variant.SMALL, Variant.LOOPS)

    @staticmethod
    def of(nest: NestOp, default: Variant) -> Form:
        """The form that stands on a nest; a variant where none does.

        Raises:
            PassFailedException: it is not one.
        """
        if not task_keys.FORM.within(nest.attributes):
            return Form(default)
        text = task_keys.FORM.get(nest.attributes)
        if text not in _TEXTS:
            raise PassFailedException(
                f"'{nest.name}' op has an unknown '{task_keys.FORM.name}'; {one_of(text or '', _TEXTS)}"
            )
        if text in (_PLAIN, _SHORT):
            return Form(None if text == _PLAIN else Variant.SMALL, has_steps=False, measured=False)
        return Form(Variant(text), measured=task_keys.MEASURED.within(nest.attributes))

    def put(self, nest: NestOp) -> None:
        """Write the form on a nest."""
        text = _PLAIN if self.variant is None else self.variant.value if self.has_steps else _SHORT
        task_keys.FORM.put(nest.attributes, text)
        if self.measured and self.has_steps and self.variant is not None:
            task_keys.MEASURED.put(nest.attributes, True)


def remove_form(nest: NestOp) -> None:
    """Take away what was chosen for a nest, once it has become that."""
    task_keys.FORM.remove(nest.attributes)
    task_keys.MEASURED.remove(nest.attributes)
