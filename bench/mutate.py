"""Does a test notice when a line is wrong? Changes one operator or constant at a time and runs the tests beside it.

    python bench/mutate.py [FILE-OR-FOLDER ...] [--each N] [--jobs N]

Every change is made in a copy of the checkout below `build/mutants`. The tests of `transforms/usmp/views.py` are those
in `test/transforms/usmp`, or in the nearest folder above that exists: lit first, then pytest to the first failure.
Prints the changes that no test notices, and ends with 1 if there are any.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import queue
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = (
    "planner", "transforms/usmp", "transforms/rows", "transforms/tasks", "lowering/schedule",
    "lowering/nn/requantise.py",
)  # fmt: skip
TIMEOUT = 600
"""Seconds after which a test that does not end has noticed."""

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LEFT_ALONE = (ast.JoinedStr, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)
"""Words, and what cannot be wrong without an error: nothing within is changed."""


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: Path
    """Relative to the root."""
    line: int
    before: str
    after: str
    text: str
    """The whole file, changed."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


def mutants(path: Path, text: str) -> Iterator[Mutant]:
    """All changes of a file, from its top."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    data = text.encode()
    for node in _expressions(ast.parse(text)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        for changed in _changes(node):
            after = ast.unparse(changed)
            whole = data[:start] + f"({after})".encode() + data[end:]
            yield Mutant(path, node.lineno, " ".join(data[start:end].decode().split()), after, whole.decode())


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, _LEFT_ALONE):
        return
    if isinstance(node, ast.expr):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _expressions(child)


def _changes(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                changed = copy.deepcopy(node)
                changed.ops[index] = _SWAPS[type(op)]()
                yield changed
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in _SWAPS:
            changed = copy.deepcopy(node)
            changed.op = _SWAPS[type(op)]()
            yield changed
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMES:
            yield ast.Name(_NAMES[name], ast.Load())
        case _:
            pass


def files_of(root: Path, places: list[str]) -> list[Path]:
    """The Python files of folders, and files, relative to the root."""
    found = [[root / place] if (root / place).is_file() else (root / place).rglob("*.py") for place in places]
    return sorted({path.relative_to(root) for paths in found for path in paths})


def tests_of(root: Path, path: Path) -> Path:
    """The folder of the tests of a file, relative to the root."""
    folder = Path("test") / path.parent
    while not (root / folder).is_dir():
        folder = folder.parent
    return folder


def is_noticed(root: Path, tests: Path) -> bool:
    """Whether a test of a folder fails in a checkout."""
    tools = Path(sys.executable).parent
    commands = [[sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(tests)]]
    if any((root / tests).rglob("*.mlir")):
        commands.insert(0, [str(tools / "lit"), "-q", "-j1", "--max-failures=1", str(tests)])
    path = os.pathsep.join((str(tools), os.environ.get("PATH", "")))
    environment = {**os.environ, "PYTHONPATH": str(root / ".typing"), "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    for command in commands:
        try:
            done = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return True
        # pytest ends with 5 where a folder has no tests for it.
        if done.returncode not in (0, 5):
            return True
    return False


def copied(root: Path, target: Path) -> Path:
    """A copy of a checkout without what is made in it."""
    shutil.rmtree(target, ignore_errors=True)
    made = shutil.ignore_patterns(".venv", ".git", "build", "__pycache__", ".*_cache", "*.egg-info")
    shutil.copytree(root, target, symlinks=True, ignore=made)
    return target


def survivors(root: Path, chosen: list[Mutant], jobs: int) -> Iterator[Mutant]:
    """Mutants of the chosen ones that no test notices."""
    folders = [copied(root, root / "build" / "mutants" / str(number)) for number in range(jobs)]
    for tests in sorted({tests_of(root, mutant.path) for mutant in chosen}):
        if is_noticed(folders[0], tests):
            sys.exit(f"error: {tests} fails before anything is changed")
    copies = queue.SimpleQueue[Path]()
    for folder in folders:
        copies.put(folder)

    def survives(mutant: Mutant) -> bool:
        checkout = copies.get()
        try:
            (checkout / mutant.path).write_text(mutant.text, encoding="utf-8")
            return not is_noticed(checkout, tests_of(root, mutant.path))
        finally:
            shutil.copyfile(root / mutant.path, checkout / mutant.path)
            copies.put(checkout)

    with ThreadPoolExecutor(jobs) as workers:
        for mutant, alive in zip(chosen, workers.map(survives, chosen), strict=True):
            if alive:
                yield mutant


def sample(path: Path, text: str, each: int) -> list[Mutant]:
    """At most so many changes of a file, equal ones on every machine; all if `each` is 0."""
    all_of_file = list(mutants(path, text))
    if not each or len(all_of_file) <= each:
        return all_of_file
    chosen = random.Random(path.as_posix()).sample(range(len(all_of_file)), each)
    return [all_of_file[index] for index in sorted(chosen)]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Print the mutants that live."""
    parser = argparse.ArgumentParser(
        description="change one operator or constant at a time: which does no test notice?"
    )
    parser.add_argument("places", nargs="*", default=list(ROOMS), help="files and folders; default: %(default)s")
    parser.add_argument("--each", type=int, default=2, help="changes of each file, 0 for all; default: %(default)s")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="side by side; default: %(default)s")
    options = parser.parse_args(arguments)
    paths = files_of(root, options.places)
    texts = {path: (root / path).read_text(encoding="utf-8") for path in paths}
    chosen = [mutant for path, text in texts.items() for mutant in sample(path, text, options.each)]
    alive = 0
    for mutant in survivors(root, chosen, options.jobs):
        alive += 1
        print(mutant, flush=True)
    print(f"{alive} of {len(chosen)} changes in {len(paths)} files are not noticed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
