"""Models with one field changed, through every verb that reads models."""

from __future__ import annotations

import importlib.util
import itertools
import time
from pathlib import Path

import pytest
import sweeps
from click.testing import CliRunner

from stillpool.cli import main

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_litert") is None or importlib.util.find_spec("tflite_micro") is None,
    reason="the models that are changed need the extra 'verify'",
)

VERBS = {
    "ops": (),
    "analyze": (),
    "compile": ("--emit", "c"),
    "run": ("--repeat", "0"),
    "fit": ("--board", "single-sram-m4"),
    "verify": ("--samples", "1"),
    "profile": ("--target", "cortex-m4"),
}
SECONDS = 60
BLOCKS, EACH = 2, sweeps.size(20, long=600)


def attempt(verb: str, file: Path) -> str | None:
    """What is wrong with what a verb says of a file; None if nothing is."""
    start = time.process_time()
    done = CliRunner().invoke(main, [verb, str(file), *VERBS[verb]])
    if done.exit_code not in (0, 1, 2, 3, 4, 5):
        return f"exit code {done.exit_code}: {done.stderr[-300:]}"
    if done.exit_code == 4:
        return f"a wrong result: {done.stdout[-300:]}"
    if done.exit_code and not (done.stderr.splitlines() or [""])[-1].startswith("error: "):
        return f"no line of error: {done.stderr[-300:]}"
    spent = time.process_time() - start
    return f"takes {spent:.0f} s" if spent > SECONDS else None


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(BLOCKS))
def test_sweep_changed_models_in_every_verb(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "frontends"))
    from mutations import bases, mutants

    file, wrong = tmp_path / "net.tflite", list[str]()
    verbs = itertools.cycle(VERBS)
    for (name, data), verb in zip(mutants(bases(), EACH, seed=700 + block), verbs, strict=False):
        file.write_bytes(data)
        why = attempt(verb, file)
        wrong += [f"{verb}, {name}: {why}"] if why is not None else []
    assert not wrong, "\n".join(wrong)
