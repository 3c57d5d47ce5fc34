"""What was compiled before is not compiled again, and whatever is asked for makes it another compilation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import compiled_once
import pytest

from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.prepare import prepare

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NOVELTY = EXAMPLES / "novelty" / "novelty.tflite"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the models that are compiled while nothing is known."""
    found: list[str] = []
    finish = Compilation.finish

    def noted(compilation: Compilation, *given: Any) -> Any:
        found.append(compilation.model.name)
        return finish(compilation, *given)

    monkeypatch.setattr(Compilation, "finish", noted)
    monkeypatch.setattr(compiled_once, "_known", type(compiled_once._known)())  # pyright: ignore[reportPrivateUsage]
    compiled_once.use(monkeypatch)
    return found


def test_the_same_is_compiled_once(made: list[str]) -> None:
    first, second = (prepare(NOVELTY).result() for _ in range(2))
    assert first.sources == second.sources
    assert len(made) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"overlap": "off"},
        {"workspace_io": "none"},
        {"name": "other"},
        {"poison": True},
        pytest.param({"target": "cortex-m4"}, marks=pytest.mark.sweep),
    ],
)
def test_another_option_is_another_compilation(options: dict[str, Any], made: list[str]) -> None:
    prepare(NOVELTY).result()
    prepare(NOVELTY, **options).result()
    assert len(made) == 2


@pytest.mark.sweep
def test_another_model_is_another_compilation(made: list[str], tmp_path: Path) -> None:
    file = tmp_path / "novelty.tflite"
    for data in (NOVELTY.read_bytes(), (EXAMPLES / "digits" / "digits.tflite").read_bytes()):
        file.write_bytes(data)
        prepare(file).result()
    assert len(made) == 2


def test_bytes_of_plans_are_those_of_the_compilation(made: list[str]) -> None:
    asked = [prepare(NOVELTY).workspace_bytes() for _ in range(2)]
    asked[0].clear()
    assert prepare(NOVELTY).workspace_bytes() == asked[1] != {}
    assert made == []
