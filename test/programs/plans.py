"""Plans of memory that processes of tests share, as they share what programs did.

A question is the problem with all that `plan` is told, the text of the planner, and all packages installed. Tests of
the planner itself call `plan`, which is always asked.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from stillpool.planner import Placement, Plan, Problem, recall

from .kept import ROOT, Store, packages


class Plans:
    """Stands in the place of `plan` where plans are looked for that were made before.

    Args:
        store: where plans are kept among other answers.
        planner: the folder of the planner's modules.
    """

    def __init__(self, store: Store, planner: Path = ROOT / "planner"):
        self.folder = store.folder / "plans"
        self._text = text_of(planner)
        self._plan = recall.plan

    def __call__(
        self, problem: Problem, algorithm: str, seconds: float, known: Sequence[Placement] | None = None
    ) -> Plan:
        """Return the plan.

        Raises:
            PoolShort: as `plan`; that is found out each time.
        """
        path = self._path(problem, algorithm, seconds, known)
        try:
            found: Plan = pickle.loads(zlib.decompress(path.read_bytes()))
        except (OSError, zlib.error, pickle.UnpicklingError, EOFError, AttributeError):
            found = self._plan(problem, algorithm, seconds, known)
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(zlib.compress(pickle.dumps(found), 1))
            os.replace(file.name, path)
        return found

    def _path(self, problem: Problem, algorithm: str, seconds: float, known: Sequence[Placement] | None) -> Path:
        blocks = [list(block.offsets.items()) for block in problem.blocks]
        conflicts = None if problem.conflicts is None else sorted(problem.conflicts)
        posed = problem.buffers, problem.pools, list(problem.leads.items()), conflicts, blocks
        told = posed, algorithm, seconds, None if known is None else list(known)
        question = repr((told, sys.version, packages(), self._text))
        return self.folder / blake2b(question.encode(errors="surrogateescape"), digest_size=20).hexdigest()


def text_of(folder: Path) -> bytes:
    """A digest of all modules below a folder."""
    found = blake2b(digest_size=20)
    for path in sorted(folder.rglob("*.py")):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.digest()


def share(store: Store) -> None:
    """Look for plans in a store from here on."""
    recall.plan = Plans(store)
