"""lit's side of `verdicts`."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import lit.Test
from slow import LIST, listed
from verdicts import ROOT, Grounds, Verdicts, grounds_of_ir
from warm.covering import covering
from warm.shtest import WarmShTest
from xdsl.universe import Universe


@cache
def _first(folder: Path) -> set[Path]:
    """The tests of a folder that meet something for the first time."""
    everything = Universe.get_multiverse()
    names = {*everything.all_passes, *everything.all_targets, *everything.all_dialects}
    return covering([*folder.rglob("*.mlir"), *folder.rglob("*.test")], names)


class KnownShTest(WarmShTest):
    """`WarmShTest` that does not run again what passed on the same grounds.

    With `lit --param shell=1`, or where STILLPOOL_FRESH is set, everything runs. `--param quick=1` leaves out what is
    slow, `--param shell=first` what meets no pass, target or dialect for the first time.
    """

    def __init__(self, modules: list[str]):
        super().__init__(modules)
        # Each test has a copy.
        self.program = Grounds().program
        self.slow = listed(LIST.read_text(encoding="utf-8"))

    def execute(self, test: Any, litConfig: Any) -> Any:
        """Run one test, if it is not known."""
        if litConfig.params.get("quick") and "/".join(test.path_in_suite) in self.slow:
            return lit.Test.Result(lit.Test.EXCLUDED, "slow")
        shell = litConfig.params.get("shell")
        if shell == "first" and Path(test.getSourcePath()) not in _first(Path(test.suite.source_root) / "test"):
            return lit.Test.Result(lit.Test.EXCLUDED, "not the first")
        if shell:
            return super().execute(test, litConfig)
        name, verdicts = test.getFullName(), Verdicts(ROOT / "build" / "verdicts")
        grounds = grounds_of_ir(self.program, Path(test.getSourcePath()))
        if not os.environ.get("STILLPOOL_FRESH") and verdicts.knows(name, grounds):
            return lit.Test.Result(lit.Test.PASS, "known")
        result = super().execute(test, litConfig)
        code = result[0] if isinstance(result, tuple) else result.code
        if code is lit.Test.PASS:
            verdicts.keep(name, grounds)
        return result
