"""Figures of TFLite Micro on the same models, measured elsewhere and read from `tflm.json`.

Models are recognised by the MD5 digest of their file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TARGETS = {
    "cortex-m0plus": "cortex-m0plus (run on M3 model)",
    "cortex-m3": "cortex-m3",
    "cortex-m4": "cortex-m4",
    "cortex-m55": "cortex-m55",
}
"""The file's names of our targets."""
BUILDS = (("cmsis8", "def"), ("cmsis", "def"), ("cmsis8", "O3"), ("cmsis", "O3"))
"""Kernels and `-O` level, the strongest first: CMSIS-NN with int8 operators alone, at its default flags (-O2)."""
HOST_RUNTIMES = ("tflm_ref", "litert_builtin_no_delegate", "litert_xnnpack")


@dataclass(frozen=True)
class Peers:
    """All figures of the file; `document` is empty where there is none."""

    document: dict[str, Any]

    @staticmethod
    def read(path: Path) -> Peers:
        """The figures in a file, none if there is no such file."""
        return Peers(json.loads(path.read_text(encoding="utf-8")) if path.exists() else {})

    @property
    def compiler(self) -> str | None:
        """Return the compiler of the peers."""
        found: str | None = self.document.get("versions", {}).get("gcc")
        return found

    def has(self, target: str) -> bool:
        """Whether the file has figures of a processor."""
        return any(entry["target"] == TARGETS.get(target) for entry in self.document.get("qemu", []))

    def name(self, model: Path) -> str | None:
        """The file's name of a model; None where it has no figures of it."""
        digest = hashlib.md5(model.read_bytes(), usedforsecurity=False).hexdigest()
        models: dict[str, Any] = self.document.get("models", {})
        return next((name for name, entry in models.items() if entry["md5"] == digest), None)

    def emulated(self, model: Path, target: str) -> dict[str, Any] | None:
        """The strongest build's figures on a processor."""
        name, runs = self.name(model), self.document.get("qemu", [])
        if name is None or target not in TARGETS:
            return None
        for kernels, opt in BUILDS:
            for entry in runs:
                key = (entry["model"], entry["target"], entry["kernels"], entry["opt"], entry["mode"], entry["rc"])
                if key == (name, TARGETS[target], kernels, opt, "time", 0):
                    return self._figures(entry)
        return None

    def _figures(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {
            "build": f"{entry['kernels']} {entry['opt']}",
            "instructions": entry["insns_per_inference"],
            "stack_bytes": entry["stack_invoke"],
            "code_bytes": entry["code_flash_bytes"],
            "flash_bytes": entry["total_flash_bytes"],
            "ram_bytes": entry["arena_used_bytes"] + entry["static_ram_data_bss_excl_arena"],
        }

    def on_host(self, model: Path) -> dict[str, float]:
        """Microseconds of one inference by runtime, on the machine that the file names."""
        found = self.document.get("host", {}).get(self.name(model) or "", {})
        medians = {runtime: _median(found.get(runtime)) for runtime in HOST_RUNTIMES}
        return {runtime: median for runtime, median in medians.items() if median is not None}


def _median(entry: Any) -> float | None:
    """Return the median of the first of several series; None where a runtime refused the model."""
    first = entry[0] if isinstance(entry, list) and entry else entry
    return float(first["median_us"]) if isinstance(first, dict) and "median_us" in first else None
