"""`verify --input`: the user's samples, one or several stacked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from json_schemas import validator

from stillpool.cli import main

MODEL = Path(__file__).resolve().parents[2] / "examples/digits/digits.tflite"
pytestmark = pytest.mark.extra("verify")


def verify(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["verify", str(MODEL), *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def saved(array: np.ndarray, folder: Path) -> Path:
    np.save(folder / "a.npy", array)
    return folder / "a.npy"


@pytest.mark.parametrize(("stacked", "samples"), [((), 1), ((5,), 5)], ids=str)
def test_samples_of_the_user(stacked: tuple[int, ...], samples: int, tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(-128, 128, (*stacked, 1, 8, 8)).astype(np.int8)
    code, out, err = verify("--input", saved(pixels, tmp_path), "--json")
    assert code == 0, err
    document = json.loads(out)
    validator("verify").validate(document)
    facts = [document[key] for key in ("inputs", "samples", "seed", "exact", "oracles")]
    assert facts == ["given", samples, None, True, []]
    _, out, _ = verify("--input", saved(pixels, tmp_path))
    assert out.startswith(
        f"digits: bit-exact on {samples} given input{'s' if samples > 1 else ''}, compared with TFLite"
    )


@pytest.mark.parametrize("option", ["--seed", "--samples"])
def test_options_of_random_inputs_are_refused_beside_it(option: str, tmp_path: Path) -> None:
    code, _, err = verify("--input", saved(np.zeros((1, 8, 8), np.int8), tmp_path), option, "3")
    assert code == 2
    assert f"{option} has no effect" in err


def test_another_shape_is_refused(tmp_path: Path) -> None:
    code, _, err = verify("--input", saved(np.zeros((2, 8, 8), np.int8), tmp_path))
    assert code == 1
    assert "expected int8 of shape [2, 1, 8, 8], got int8 of shape [2, 8, 8]" in err
