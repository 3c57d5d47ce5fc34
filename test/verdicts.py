"""Tests that passed are known by all that their verdicts depend on, and are not run again where nothing of it changed.

The program counts, the test, helpers, all other files, settings, tools and packages. Comments and docstrings of the
program count for those tests only that read texts of programs. Only a test that passed is known.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from programs.kept import NOISE, packages

ROOT = Path(__file__).parents[1]
LEFT_OUT = frozenset({"build", "dist", "__pycache__"})
"""Folders that are made; those whose names begin with a dot are not looked into either, but for `.ci`."""
WORDED = frozenset({"cli"})
"""Rooms whose docstrings are what users read."""
READS_TEXTS = re.compile(r"\*\.py\b|(import|from) (ast|inspect|tokenize)\b|__doc__|getdoc|getsource")
"""What a test says that may read the program's text, or a docstring."""


class Grounds:
    """What verdicts depend on, read once.

    Args:
        root: the repository.
        env: the environment that tests run in.
    """

    def __init__(self, root: Path = ROOT, env: dict[str, str] | None = None):
        self.root = root
        self._env = dict(os.environ if env is None else env)
        self._stamps = self._stamped()

    def still_hold(self) -> bool:
        """Whether nobody has changed a file of the repository since."""
        return self._stamped() == self._stamps

    def _stamped(self) -> dict[str, tuple[int, int]]:
        return {path: _stamp(Path(path)) for path in _files_below(self.root)}

    def of(self, path: Path) -> bytes:
        """A digest of all that the verdicts of a file of tests depend on."""
        texts = [path, *_modules_beside(path)]
        reads = any(READS_TEXTS.search(text.read_text(encoding="utf-8")) for text in (*texts, *self._imported(path)))
        return _digest([self._everything if reads else self._with_ir, *(text.read_bytes() for text in texts)])

    @cached_property
    def _everything(self) -> bytes:
        """Every byte."""
        return _digest([self._around, *(f"{name}".encode() + data for name, data in sorted(self._files.items()))])

    @cached_property
    def program(self) -> bytes:
        """The program as Python runs it, and the bytes of all other files but tests."""
        found = [self._around]
        for name, data in sorted(self._files.items()):
            first, *inner = name.split("/")
            if name.endswith(".py") and (not inner or f"{first}/__init__.py" in self._files):
                data = code_of(data, keeps_docstrings=first in WORDED)
            elif first == "test" and (_is_of_tests(name) or _is_ir(name)):
                continue
            found.append(name.encode() + data)
        return _digest(found)

    @cached_property
    def _with_ir(self) -> bytes:
        """The same with the tests that are IR, which others may read."""
        return _digest([self.program, *(data for name, data in sorted(self._files.items()) if _is_ir(name))])

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """All files of the repository."""
        return {os.path.relpath(path, self.root): Path(path).read_bytes() for path in _files_below(self.root)}

    @cached_property
    def _around(self) -> bytes:
        """Settings, packages, and which files are where programs and models are looked for."""
        settings = sorted((name, value) for name, value in self._env.items() if not NOISE.fullmatch(name))
        folders = self._env.get("PATH", "").split(os.pathsep)
        folders += [value for name, value in settings if name.startswith("STILLPOOL_") and os.path.isdir(value)]
        tools = [(entry.path, *_stamp(entry)) for folder in folders for entry in _entries(folder)]
        models = [(path, *_stamp(Path(path))) for path in _files_below(self.root.parent / "shared")]
        return _digest([repr((sys.version, settings, packages(), sorted(tools), sorted(models))).encode()])

    def _imported(self, path: Path, seen: set[Path] | None = None) -> Iterator[Path]:
        """The helpers that a module imports, and those that they import; all of `conftest.py` on the way to it."""
        seen = {path} if seen is None else seen
        names = re.findall(r"^\s*(?:from|import) ([\w, ]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        words = {word.strip() for name in names for word in name.split(" import")[0].split(",")}
        test = self.root / "test"
        folders = [folder for folder in path.parents if test in (folder, *folder.parents)]
        helpers = [folder / f"{word}.py" for folder in (*folders, *_rooms(test), self.root / "bench") for word in words]
        helpers += [folder / "conftest.py" for folder in folders if folder != test]
        for helper in helpers:
            if helper not in seen and helper.is_file():
                seen.add(helper)
                yield helper
                yield from self._imported(helper, seen)


class Verdicts:
    """The tests that passed, as empty files of a folder that several processes share, and that may be deleted.

    Args:
        folder: is made when a test is kept.
        most: tests that `prune` leaves.
    """

    def __init__(self, folder: Path, most: int = 20_000):
        self.folder = folder
        self.most = most

    def names(self) -> list[str]:
        """All that is known, as `name_of` says it."""
        return [entry.name for entry in _entries(str(self.folder))]

    def knows(self, test: str, grounds: bytes) -> bool:
        """Whether a test passed on these grounds."""
        return (self.folder / name_of(test, grounds)).exists()

    def keep(self, test: str, grounds: bytes) -> None:
        """A test has passed on these grounds."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name_of(test, grounds)).touch()

    def prune(self) -> None:
        """Forget what is oldest, where there is too much."""
        found = sorted((info.st_mtime, entry.path) for entry in _entries(str(self.folder)) for info in [entry.stat()])
        for _, path in found[: -self.most or None]:
            Path(path).unlink(missing_ok=True)


def name_of(test: str, grounds: bytes) -> str:
    """What a verdict is kept as."""
    return _digest([test.encode(errors="surrogateescape"), grounds]).hex()


def code_of(data: bytes, *, keeps_docstrings: bool) -> bytes:
    """A module without its comments, and unless asked for without texts that stand as statements."""
    try:
        tree = ast.parse(data)
    except SyntaxError:
        return data
    return ast.dump(tree if keeps_docstrings else _Undocumented().visit(tree)).encode(errors="surrogateescape")


class _Undocumented(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node


def grounds_of_ir(program: bytes, path: Path) -> bytes:
    """Those of a file that lit runs, and of what stands beside it where it names such files."""
    around = sorted(path.parent.iterdir()) if "%S" in path.read_text(encoding="utf-8") else [path]
    return _digest([program, *(text.read_bytes() for text in around if text.is_file())])


def _is_of_tests(name: str) -> bool:
    return name.rpartition("/")[2].startswith("test_") and name.endswith(".py")


def _is_ir(name: str) -> bool:
    return name.startswith("test/") and name.endswith((".mlir", ".test"))


def _modules_beside(path: Path) -> list[Path]:
    """Other files of tests that one imports from."""
    names = re.findall(r"^\s*(?:from|import) (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [beside for name in names if (beside := path.with_name(f"{name}.py")).is_file()]


def _rooms(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir() and path.name not in LEFT_OUT]


def _files_below(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [
            name for name in folders if name == ".ci" or not (name in LEFT_OUT or name.startswith(".") or "egg" in name)
        ]
        yield from (os.path.join(parent, name) for name in names if not os.path.islink(os.path.join(parent, name)))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return list(entries)
    return []


def _stamp(entry: os.DirEntry[str] | Path) -> tuple[int, int]:
    try:
        info = entry.stat()
    except OSError:
        return 0, 0
    return info.st_size, info.st_mtime_ns


def _digest(parts: Iterable[bytes]) -> bytes:
    found = blake2b(digest_size=20)
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()
