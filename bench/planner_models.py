"""The least workspace of models, inputs and outputs included: with whole tensors apart, and with outputs over inputs.

`tensors` is what stillpool plans with `--overlap off`, `overlap` what it plans by default; times are CPU seconds of
planning alone.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any


def planned(path: Path, overlap: str) -> dict[str, Any]:
    """Bytes, bound and time of one model's plan; pools that keep state between runs count apart."""
    from stillpool.driver.compile.prepare import prepare
    from stillpool.transforms.usmp.analysis.structure import pools

    compilation = prepare(path, overlap=overlap)
    module = compilation.module("memref")
    start = time.process_time()
    compilation.place(module)
    seconds = round(time.process_time() - start, 2)
    found = [pool for name, pool in pools(module).items() if name != "state"]
    return {
        "bytes": sum(pool.size.value.data for pool in found if pool.size),
        "lower_bound_bytes": sum(pool.lower_bound.value.data for pool in found if pool.lower_bound),
        "proved_optimal": all(pool.optimal is not None for pool in found),
        "cpu_seconds": seconds,
    }


def models(folder: Path) -> list[dict[str, Any]]:
    """All models of a folder."""
    return [
        {"name": path.stem, "tensors": planned(path, "off"), "overlap": planned(path, "full")}
        for path in sorted(folder.glob("*.tflite"))
    ]


def table(rows: list[dict[str, Any]]) -> str:
    """The figures as a Markdown table."""
    lines = ["| model | tensor-level bound | ours | overlap bound | ours |", "| --- | ---: | ---: | ---: | ---: |"]
    for row in rows:
        cells = [f"{row[kind][key]:,}" for kind in ("tensors", "overlap") for key in ("lower_bound_bytes", "bytes")]
        lines.append(f"| {row['name']} | {' | '.join(cells)} |")
    return "\n".join(lines)
