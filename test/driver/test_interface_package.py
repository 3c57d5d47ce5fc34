"""A package adds an interface by an entry point: here one that has a single function and knows no structs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from models import example

PACKAGE = """
from dataclasses import dataclass

from stillpool.targets.interfaces.caller import Caller, Memory
from stillpool.targets.interfaces.interface import Asked, Interface


@dataclass(frozen=True)
class PlainCaller(Caller):
    plain: "Plain"

    @property
    def include(self):
        return self.plain.header_name

    def storage(self, *, guarded=False):
        model = self.plain.model
        tensors = [("input", t) for t in model.inputs] + [("output", t) for t in model.outputs]
        return "".join(f"static {t.c_type} {side}_{t.identifier}[{t.count}];\\n" for side, t in tensors)

    def setup(self, *, guarded=False):
        return []

    def call(self):
        model = self.plain.model
        names = [f"input_{t.identifier}" for t in model.inputs] + [f"output_{t.identifier}" for t in model.outputs]
        return f"{self.plain.run_function}({', '.join(names)})"

    def elements(self, side, tensor):
        return f"{side}_{tensor.identifier}"

    def memories(self):
        return [Memory(self.plain.builtin_pool(p), p.bytes, ".bss", p.name) for p in self.plain.model.pools]

    def place(self, side, tensor):
        return f"{side}_{tensor.identifier}", 0


@dataclass(frozen=True)
class Plain(Interface):
    style = "plain"
    workspace_io = "none"

    @classmethod
    def builds_pools_in(cls, asked: Asked) -> bool:
        return True

    @property
    def run_function(self):
        return f"{self.stem}_predict"

    @property
    def reserved(self):
        return frozenset({self.run_function})

    @property
    def header_name(self):
        return f"{self.stem}.h"

    def _declaration(self):
        model = self.model
        given = [f"const {t.c_type} *{t.identifier}" for t in model.inputs]
        taken = [f"{t.c_type} *{t.identifier}" for t in model.outputs]
        return f"int32_t {self.run_function}({', '.join([*given, *taken])})"

    def header(self):
        return f"#include <stdbool.h>\\n#include <stdint.h>\\n{self._declaration()};\\n"

    def wrapper(self):
        model = self.model
        arrays = "".join(f"static int8_t {self.builtin_pool(p)}[{p.bytes or 1}];\\n" for p in model.pools)
        names = {
            "pool": lambda a: self.builtin_pool(model.pools[a.index]),
            "input": lambda a: model.inputs[a.index].identifier,
            "output": lambda a: model.outputs[a.index].identifier,
        }
        arguments = ", ".join(names[a.kind](a) for a in model.arguments)
        body = f"{{ {self.network}({arguments}); return 0; }}"
        return f"{arrays}{self._declaration()}\\n{body}\\n"

    @property
    def caller(self):
        return PlainCaller(self)
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder as `pip install` leaves it."""
    folder = tmp_path / "packages"
    information = folder / "plain_interface-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "plain_interface.py").write_text(PACKAGE)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plain-interface\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[stillpool.interfaces]\nplain = plain_interface:Plain\n")
    return folder


def test_a_package_adds_an_interface(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(packages))
    stillpool = Path(sys.executable).with_name("stillpool")
    tree = tmp_path / "tree"
    subprocess.run([stillpool, "compile", "-q", example(), "--interface", "plain", "-o", tree], check=True)
    assert "digits_predict(const int8_t *image" in (tree / "include" / "digits.h").read_text()
    done = subprocess.run(["make", "-s", "-C", tree / "test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PASS: ")
