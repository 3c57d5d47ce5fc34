"""Stack and sizes are measured with constants that are all zero: they are those of the code that is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import stillpool
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.build import build
from stillpool.run.emulate.figures import measured_sizes, worst_case_stack

DIGITS = Path(__file__).parents[3] / "examples" / "digits" / "digits.tflite"


POOLS = {"pools": ["ram:size=64K", "flash:kind=constant"]}
WAYS = [
    *((target, cc, {}) for target in ("cortex-m4", "cortex-m0plus", "rv32imc") for cc in ("gcc", "zig")),
    *(("cortex-m4", "gcc", how) for how in ({"weights": "incbin"}, POOLS)),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("target", "cc", "how"), WAYS, ids=str)
def test_sizes_and_stack_are_the_same(target: str, cc: str, how: dict[str, object], tmp_path: Path) -> None:
    artifact = stillpool.compile([stillpool.load(DIGITS)], target=target, **how)  # pyright: ignore
    assert isinstance(artifact, Artifact)
    cpu = get_cpu(target)
    try:
        filled, unfilled = (
            build(one, cpu, tmp_path / name, cc=cc) for name, one in (("a", artifact), ("b", artifact.unfilled))
        )
    except UsageError as error:
        pytest.skip(str(error))
    assert measured_sizes(filled) == measured_sizes(unfilled)
    assert worst_case_stack(filled) == worst_case_stack(unfilled) is not None


def test_nothing_but_values_is_missing() -> None:
    artifact = stillpool.compile([stillpool.load(DIGITS)])
    assert isinstance(artifact, Artifact)
    data = artifact.sources.data
    assert data is not None
    code, less = artifact.code, artifact.unfilled.code
    (path,) = [path for path, text in code.items() if less[path] != text]
    assert path.endswith("_data.c")
    names = [line.split("=")[0].strip() for line in data.splitlines() if line.startswith("const ") and "=" in line]
    assert names
    assert all(f"{name};" in less[path].decode() for name in names)
