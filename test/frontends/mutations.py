"""Structured damage to models: one field of the file is changed, everything else stays consistent.

`python test/frontends/mutations.py 20000` tries that many; the tests try fewer. Each must give a model that lowers to
loops, or one of stillpool's errors, within seconds and little memory.
"""

from __future__ import annotations

import copy
import random
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import flatbuffers
from ai_edge_litert import schema_py_generated as schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance"))

from field_changes import MUTATIONS, Impossible
from outcome import BYTES, outcome

from stillpool.frontends.tflite import import_tflite


def mutants(bases: Sequence[bytes], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Damaged models with a name that makes them again."""
    rng, models = random.Random(seed), trees(bases)
    for _ in range(count):
        yield mutant(models, rng)


def trees(bases: Sequence[bytes]) -> Sequence[Any]:
    """Models as trees of their fields."""
    return [schema.ModelT.InitFromObj(schema.Model.GetRootAs(base, 0)) for base in bases]


def mutant(models: Sequence[Any], rng: random.Random) -> tuple[str, bytes]:
    """A damaged one of the models."""
    while True:
        number = rng.randrange(len(models))
        model = copy.deepcopy(models[number])
        chosen = [rng.choice(MUTATIONS) for _ in range(rng.choice((1, 1, 1, 2)))]
        try:
            for mutation in chosen:
                mutation(model, rng)
            builder = flatbuffers.Builder(1024)
            builder.Finish(model.Pack(builder), b"TFL3")
        except (Impossible, TypeError, ValueError, IndexError, OverflowError):
            # What the writer refuses is no file.
            continue
        return f"base {number}: {', '.join(mutation.__name__ for mutation in chosen)}", bytes(builder.Output())


def bases() -> list[bytes]:
    """One model of every kind of conformance case, and the shipped network."""
    from hypothesis import HealthCheck, Phase, given, settings
    from kinds import KINDS  # type: ignore[import-not-found]

    drawn: list[bytes] = []

    def draw(strategy: Any) -> None:
        @settings(
            database=None,
            derandomize=True,
            max_examples=1,
            phases=[Phase.generate],
            deadline=None,
            suppress_health_check=list(HealthCheck),  # type: ignore[arg-type]
        )
        @given(strategy)
        def case(spec: Any) -> None:
            drawn.append(spec.case().model)

        case()

    for strategy in KINDS.values():
        draw(strategy)
    shipped = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
    return [*drawn, shipped.read_bytes()]


def main(count: int, seed: int) -> int:
    """Try; print what failed and a summary."""
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    for name, data in mutants(bases(), count, seed):
        try:
            outcomes[outcome(partial(import_tflite, data, "net"))] += 1
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
            Path(tempfile.gettempdir(), f"mutant_{len(failures)}.tflite").write_bytes(data)
    for failure in failures:
        print(failure.splitlines()[0][:300])
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(dict(outcomes), f"{len(failures)} failures, {used >> 20} MB")
    return 1 if failures or used > BYTES else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
