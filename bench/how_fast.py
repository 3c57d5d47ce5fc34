"""The tables of docs/how-fast.md: public models on an emulated Cortex-M4, beside TFLite Micro with CMSIS-NN.

Usage: python bench/how_fast.py [--write] [MODEL ...]
Each model is compiled as a user does: with the default options, for speed, and for RAM. `--write` puts the tables into
the page. The models are those of ../shared/models beside the repository, the peer's figures ../shared/peers/tflm.json.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from peers import Peers

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
PAGE = ROOT / "docs" / "how-fast.md"
MODELS = ("ad01_int8", "kws_int8", "micro_speech_quantized", "person_detect", "trained_lstm_int8")
WAYS = {"balanced": (), "speed": ("--optimize", "speed"), "ram": ("--optimize", "ram")}
SIZES = "RAM without the stack, and flash, in bytes. TFLite Micro has its interpreter and kernels in both:"
BEGIN, END = "<!-- figures: python bench/how_fast.py --write -->", "<!-- end of figures -->"


def measured(model: Path, options: tuple[str, ...]) -> dict[str, Any]:
    """Return what `stillpool run` says of one run."""
    with tempfile.TemporaryDirectory() as folder:
        words = [str(Path(sys.executable).with_name("stillpool")), "run", str(model), "--target", "cortex-m4", *options]
        done = subprocess.run(
            [*words, "--json", "-q", "--output-dir", folder], capture_output=True, text=True, check=True
        )
    return json.loads(done.stdout)["runtime"]


def tables(models: list[Path]) -> str:
    """Both tables as Markdown."""
    peers = Peers.read(SHARED / "peers" / "tflm.json")
    fast = ["| model | default | `--optimize speed` | `--optimize ram` | TFLite Micro |", "|---|---:|---:|---:|---:|"]
    small = ["| model | RAM | RAM, `--optimize ram` | RAM, TFLite Micro | flash | flash, TFLite Micro |"]
    small += ["|---|---:|---:|---:|---:|---:|"]
    for model in models:
        found = {way: measured(model, options) for way, options in WAYS.items()}
        peer = peers.emulated(model, "cortex-m4") or {}
        print(model.stem, {way: one["instructions"] for way, one in found.items()}, file=sys.stderr, flush=True)
        instructions = [*(one["instructions"] for one in found.values()), peer.get("instructions")]
        ram = [found["balanced"]["ram"]["total"], found["ram"]["ram"]["total"], peer.get("ram_bytes")]
        flash = [found["balanced"]["flash"]["total"], peer.get("flash_bytes")]
        fast.append(f"| {' | '.join([model.stem, *map(_cell, instructions)])} |")
        small.append(f"| {' | '.join([model.stem, *map(_cell, [*ram, *flash])])} |")
    parts = ["Instructions of one inference:", "\n".join(fast), SIZES, "\n".join(small)]
    return "\n\n".join(parts)


def _cell(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def main() -> None:
    """Measure, and print or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    given = parser.parse_args()
    made = tables(given.models or [SHARED / "models" / f"{name}.tflite" for name in MODELS])
    if not given.write:
        print(made)
        return
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(f"{BEGIN}.*{END}", f"{BEGIN}\n\n{made}\n\n{END}", text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
