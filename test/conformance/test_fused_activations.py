"""Every operator before every activation: clean-ups may make one of the two, the results stay as they were."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from itertools import cycle, islice, product

import pytest
import sweeps
from activations import BOUNDS, Activated, by_operator, by_option
from case import Case, Spec, agree
from host_batch import run_batch
from kinds import KINDS
from tflm_oracle import run_oracle
from varied import examples
from xdsl.irdl import IRDLOperation

from stillpool.dialects.nn import Nn
from stillpool.dialects.nn.activation import ClampOp
from stillpool.dialects.nn.interfaces import FusesClamp
from stillpool.dialects.nn.quantise import RescaleOp
from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

Activate = Callable[[Case, str], Activated | None]

TAKEN = [kind for kind in KINDS if not {"int32", "int64", "bool"} & set(kind.split()[1:2])]
"""Kinds of elements that activations take."""


def may_fuse(case: Case) -> bool:
    """Whether an activation stands behind an operator that has a property for one."""
    for op in import_tflite(case.model, "m").walk():
        producer = op.operands[0].owner if isinstance(op, ClampOp | RescaleOp) else None
        if isinstance(producer, IRDLOperation) and "clamp" in producer.get_irdl_definition().properties:
            return True
    return False


def check(specs: Sequence[Spec], names: Sequence[str], *, every: bool) -> int:
    """Compare with the reference; gives the number of cases. `every`: not only what clean-ups may change, and without
    them too.
    """
    found: list[tuple[str, Activated]] = []
    for spec, name, activate in product(specs, names, (by_operator, by_option) if every else (by_operator,)):
        one = activate(spec.case(), name)
        try:
            if one is not None and (every or may_fuse(one.case)):
                import_tflite(one.case.model, "m")
                found.append((f"{spec} {name} {activate.__name__}", one))
        except UnsupportedError:
            continue
    if not found:
        return 0
    wrong: list[str] = []
    references = run_oracle([one.reference for _, one in found])
    for no_clean_up in ((), ("all",)) if every else ((),):
        got = run_batch([one.case for _, one in found], no_clean_up=no_clean_up)
        for (name, one), ours, theirs in zip(found, got, references, strict=True):
            why = agree(one.case, ours, [one.clip(theirs[0]), *theirs[1:]])
            wrong += [f"{name} {'without' if no_clean_up else 'with'} clean-ups\n    {why}"] if why else []
    assert not wrong, f"{len(wrong)} results differ:\n" + "\n".join(wrong[:8])
    return len(found)


FIRST = list({kind.split()[0]: kind for kind in reversed(TAKEN)}.values())
"""The first kind of each operator."""


def test_activations_of_every_operator() -> None:
    """Each operator meets one of the activations."""
    activations = list(BOUNDS)
    specs = {
        name: [spec for kind in FIRST[n :: len(BOUNDS)] for spec in examples(KINDS[kind], 1, kind)]
        for n, name in enumerate(activations)
    }
    assert sum(check(chosen, [name], every=False) for name, chosen in specs.items()) >= 10


KINDS_EACH, ACTIVATIONS_EACH = sweeps.size(1, long=len(TAKEN)), sweeps.size(1, long=len(BOUNDS))
"""Kinds of an operator that the sweep takes, and activations that each of them meets."""

OPERATORS = sorted({kind.split()[0] for kind in TAKEN})


@pytest.mark.sweep
@pytest.mark.parametrize("operator", OPERATORS)
def test_sweep_activations_of_every_operator(operator: str) -> None:
    """The first kinds of each operator meet an activation (in a long sweep all), with clean-ups and without."""
    kinds = [kind for kind in TAKEN if kind.split()[0] == operator][:KINDS_EACH]
    names = list(islice(cycle(BOUNDS), OPERATORS.index(operator), OPERATORS.index(operator) + ACTIVATIONS_EACH))
    check([spec for kind in kinds for spec in examples(KINDS[kind], 1, kind)], names, every=True)


def test_what_has_a_clamp_says_whether_it_takes_another() -> None:
    """An operation with a property for bounds must say when its lowering keeps to them: the clean-up asks it."""
    for op in Nn.operations:
        assert issubclass(op, IRDLOperation), op.name
        has_clamp = "clamp" in op.get_irdl_definition().properties
        assert issubclass(op, FusesClamp) == has_clamp, op.name
