"""The reference interpreters of TFLite files.

TFLite Micro is the reference. What it lacks (legacy uint8, hybrid models, some operators), or all where its wheel is
not installed, LiteRT computes: by its reference kernels, and what these lack by its usual ones without delegates. A
network that the first one installed refuses as a whole is run operator by operator, each on the values before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...driver.models.model_file import TfliteFile
from ...errors import InputError, install_extra
from ...progress import tell
from ...targets.interfaces.description import Description
from ..samples import Array
from ..undisturbed import temporary_folder
from .oracle import SECONDS, Judged, Oracle, OracleMissing, Reference
from .split import Network
from .steps import WORDS, Step, Taken, take


@dataclass(frozen=True)
class TfliteOracle(Oracle):
    """Reference of a TFLite file by its interpreters."""

    file: TfliteFile

    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """The outputs by the first interpreter that runs the network, or of the operators one by one.

        Raises:
            OracleMissing: none is installed.
            InputError: none runs an operator, or one takes too long.
        """
        network = Network(self.file.data)
        tensors = {name: network.tensor(name) for name in further}
        asked = {name: tensor for name, tensor in tensors.items() if tensor is not None and tensor in network.computed}
        samples = len(inputs[0]) if inputs else 1
        for oracle, words in WORDS.items():
            tell(f"comparing with {words}")
            model = network.whole(list(asked.values())) if asked else self.file.data
            wanted = (*network.outputs, *asked.values())
            # The outputs' places, not their tensors: an output may be an input too, or stand twice.
            places = tuple(-1 - place for place in range(len(wanted)))
            step = Step(model, network.inputs, places, (oracle,))
            (taken,), found = _take([step], dict(zip(network.inputs, inputs, strict=True)), places, samples, timeout)
            if taken.oracle is not None:
                arrays = [found[place] for place in places]
                return _reference(words, network, arrays, list(asked))
            if taken.refusals:
                return _one_by_one(network, inputs, asked, samples, timeout)
        raise OracleMissing("no reference interpreter is installed", remedy=install_extra("verify"))


def _one_by_one(
    network: Network, inputs: Sequence[Array], further: Mapping[str, int], samples: int, timeout: float
) -> Reference:
    """Run operator by operator, each by the first interpreter that has it."""
    tell("comparing operator by operator")
    parts = network.parts()
    steps = [Step(network.part(part), part.inputs, part.outputs, tuple(WORDS)) for part in parts]
    known = dict(zip(network.inputs, inputs, strict=True))
    visible = {tensor for part in parts for tensor in part.outputs}
    asked = {name: tensor for name, tensor in further.items() if tensor in visible}
    wanted = {*network.outputs, *asked.values()} & (visible | known.keys())
    taken, found = _take(steps, known, wanted, samples, timeout)
    if taken and taken[-1].oracle is None:
        raise _refused(network, parts[len(taken) - 1].operators, taken[-1])
    judged = [
        Judged(operator, network.kind(operator), network.first_output(operator), WORDS[one.oracle])
        for part, one in zip(parts, taken, strict=True)
        for operator in part.operators
        if one.oracle is not None
    ]
    constants = {tensor: network.constant(tensor) for tensor in network.outputs if tensor not in found}
    found |= {tensor: np.stack([array] * samples) for tensor, array in constants.items()}
    arrays = [found[tensor] for tensor in (*network.outputs, *asked.values())]
    ((most, _),) = Counter(one.oracle for one in judged).most_common(1)
    return _reference(most, network, arrays, list(asked), tuple(judged))


def _take(
    steps: Sequence[Step], known: Mapping[int, Array], wanted: Sequence[int] | set[int], samples: int, timeout: float
) -> tuple[list[Taken], dict[int, Array]]:
    with temporary_folder() as folder:
        return take(folder, steps, known, wanted, samples, timeout)


def _reference(
    words: str, network: Network, arrays: Sequence[Array], further: Sequence[str], judged: tuple[Judged, ...] = ()
) -> Reference:
    count = len(network.outputs)
    return Reference(words, tuple(arrays[:count]), dict(zip(further, arrays[count:], strict=True)), judged)


_UNKNOWN = "unresolved custom op"
"""Words of interpreters on a custom operator that is not theirs."""


def _refused(network: Network, operators: Sequence[int], taken: Taken) -> InputError:
    named = " to ".join(
        f"operator {number} {network.kind(number)} (output '{network.first_output(number)}')"
        for number in dict.fromkeys((operators[0], operators[-1]))
    )
    if any(_UNKNOWN in reason for reason in taken.refusals.values()):
        return InputError(f"no reference interpreter knows {named}")
    reasons = "; ".join(f"{WORDS[oracle]}: {reason}" for oracle, reason in taken.refusals.items())
    remedy = "other values may do: give some with --input" if taken.failed.issuperset(taken.refusals) else None
    return InputError(f"no reference interpreter runs {named}: {reasons}", remedy=remedy)
