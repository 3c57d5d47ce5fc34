"""What programs did is kept by what they were given, and done again without running them.

A question is all that an answer can depend on: the words of the command, the environment, the bytes of all files in its
folder, and what the program is. Paths of folders for a while are no part of it. Asked are

- compilers, which are told by their path, size, time and what they say with `--version`;
- programs that such a compiler has made;
- scripts that import nothing of this repository (`SCRIPTS`), told by their text and by all packages installed.

An answer is what was written: to the standard streams, and in the folder. Only success is kept.

Answers are in `build/kept`. A run with `STILLPOOL_FRESH` begins with none: its processes share a folder that is made
for it, and deleted after it.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zlib
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPTS = tuple(
    str(ROOT / path)
    for path in ("run/oracles/worker.py", "run/emulate/unicorn_runner.py", "test/conformance/guarded.py")
)
_COMPILER = re.compile(r"([\w.]+-)*(cc|gcc|c99|c\+\+|g\+\+|clang|clang\+\+)(-\d+)?")
_ZIG = [sys.executable, "-m", "ziglang"]
_PREFIX = re.compile(r"-[ILTo]|-(?:include|isystem)=?|@")
NOISE = re.compile(r"PYTEST_.*|_|COLUMNS|LINES|M(AKE)?FLAGS|MAKELEVEL|OLDPWD|PWD|SHLVL|TMPDIR|TERM")
"""Variables that no answer depends on."""
_TEMPORARY = os.path.join(os.path.realpath(tempfile.gettempdir()), "")
_LASTING = tuple(os.path.join(os.path.realpath(folder), "") for folder in (ROOT, sys.prefix))
_MOST_FILES, _MOST_BYTES, _MOST_SAID = 2000, 64 << 20, 60_000
"""Beyond these a question is not asked, or an answer not kept: a pipe holds what is said."""


@dataclass(frozen=True)
class Answer:
    """What a program did."""

    out: bytes
    errors: bytes
    files: dict[str, tuple[int, bytes]]
    """Permissions and bytes of all that it has written, by paths in the folder."""
    gone: tuple[str, ...]
    """What it has deleted."""


@dataclass
class Question:
    """A command that is about to be run."""

    key: str
    folder: Path
    before: dict[str, bytes] = field(repr=False)
    """Digests of the files there."""
    is_compiler: bool

    def outcome(self, out: bytes, errors: bytes) -> Answer | None:
        """What the program has done by now; None if that is too much."""
        after = _digests(self.folder)
        if after is None:
            return None
        changed = [path for path, digest in after.items() if self.before.get(path) != digest]
        files = {path: ((self.folder / path).stat().st_mode, (self.folder / path).read_bytes()) for path in changed}
        return Answer(out, errors, files, tuple(self.before.keys() - after.keys()))

    def repeat(self, answer: Answer) -> None:
        """Do what the program did."""
        for path, (mode, data) in answer.files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            # Another file, as a compiler makes it: the old one may be loaded.
            target.unlink(missing_ok=True)
            target.write_bytes(data)
            target.chmod(mode & 0o7777)
        for path in answer.gone:
            (self.folder / path).unlink(missing_ok=True)


class Store:
    """Answers in a folder that several processes share, and that may be deleted.

    Args:
        folder: is made when something is kept.
        most: bytes that `prune` leaves.
    """

    def __init__(self, folder: Path, most: int = 512 << 20):
        self.folder = folder
        self.most = most
        self.hits = self.misses = 0

    def get(self, question: Question) -> Answer | None:
        """What is known; None for nothing."""
        path = self._path(question)
        try:
            answer: Answer = pickle.loads(zlib.decompress(path.read_bytes()))
            os.utime(path)
        except (OSError, zlib.error, pickle.UnpicklingError, EOFError, AttributeError):
            self.misses += 1
            return None
        self.hits += 1
        _note(question, answer)
        return answer

    def put(self, question: Question, out: bytes, errors: bytes) -> None:
        """Keep what a program has just done."""
        if len(out) > _MOST_SAID or len(errors) > _MOST_SAID:
            return
        answer = question.outcome(out, errors)
        if answer is None:
            return
        _note(question, answer)
        path = self._path(question)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(zlib.compress(pickle.dumps(answer), 1))
        os.replace(file.name, path)

    def prune(self) -> None:
        """Forget what was asked longest ago, where all is more than fits."""
        entries = sorted((info.st_mtime, info.st_size, path) for path, info in self._entries())
        total = sum(size for _, size, _ in entries)
        for _, size, path in entries:
            if total <= self.most:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _entries(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self.folder.glob("*/*"):
            with suppress(OSError):
                yield path, path.stat()

    def _path(self, question: Question) -> Path:
        return self.folder / question.key[:2] / question.key[2:]


RUN = "PYTEST_STILLPOOL_RUN"
"""The variable that names the folder of a run that begins with no answers."""


def store_of_run(env: MutableMapping[str, str]) -> tuple[Store, bool]:
    """The store of a run of tests, and whether its folder was made for it.

    Args:
        env: the environment of this process, where its workers find the folder.
    """
    if not env.get("STILLPOOL_FRESH"):
        return Store(ROOT / "build" / "kept"), False
    is_first = RUN not in env
    if is_first:
        env[RUN] = tempfile.mkdtemp(prefix="stillpool-run-")
    return Store(Path(env[RUN])), is_first


_made = set[bytes]()
"""Digests of what compilers have made, as far as this process knows."""


def _note(question: Question, answer: Answer) -> None:
    if question.is_compiler:
        _made.update(_digest(data, question.folder) for mode, data in answer.files.values() if mode & 0o100)


def question_of(command: Sequence[str], cwd: str | None, env: Mapping[str, str]) -> Question | None:
    """The question that a command is, None where its answer is not kept; `cwd` is where it is told to start."""
    is_given, cwd = cwd is not None, cwd or os.getcwd()
    folder = _folder(command, cwd, is_given=is_given)
    if folder is None or (before := _digests(folder)) is None:
        return None
    compiler = _compiler(command, env)
    who = compiler or _script(command) or _program(command, folder, before)
    if who is None or (compiler and not _writes_there(command, cwd, folder)):
        return None
    outside = _outside(command, cwd, folder)
    if outside is None:
        return None
    # A program that is not given a folder to start in is told by words where its files are.
    where = os.path.relpath(cwd, folder) if _is_in(cwd, folder) else ""
    settings = sorted((name, value) for name, value in env.items() if not NOISE.fullmatch(name))
    told = repr((who, list(command), where, settings)).replace(str(folder), "@folder")
    key = blake2b(repr((told, sorted(before.items()), outside)).encode(errors="surrogateescape"), digest_size=20)
    return Question(key.hexdigest(), folder, before, compiler is not None)


def _compiler(command: Sequence[str], env: Mapping[str, str]) -> str | None:
    """What a compiler is told by; None for another program."""
    if list(command[:3]) == _ZIG:
        return f"{command[3:4]} {packages()}"
    if not _COMPILER.fullmatch(os.path.basename(command[0])):
        return None
    found = shutil.which(command[0], path=env.get("PATH"))
    # What a test has written itself is no compiler.
    return None if found is None or _is_for_a_while(found) else compiler_at(found)


@cache
def compiler_at(path: str) -> str:
    """What the compiler at a path is told by."""
    real = Path(path).resolve()
    info = real.stat()
    return f"{path} {real} {info.st_size} {info.st_mtime_ns} {version_of(path)}"


def version_of(path: str) -> str:
    """What a program says of itself."""
    return subprocess.run([path, "--version"], cwd="/", capture_output=True, text=True, check=False).stdout


def _script(command: Sequence[str]) -> str | None:
    if command[0] != sys.executable:
        return None
    words = [word for word in command[1:-1] if word not in ("-P", "-W", "ignore")]
    if len(words) < 1 or words[0] not in SCRIPTS:
        return None
    return f"{sys.version} {packages()} {Path(words[0]).read_text()}"


def _program(command: Sequence[str], folder: Path, before: Mapping[str, bytes]) -> str | None:
    path = os.path.relpath(command[0], folder) if os.sep in command[0] else ""
    digest = before.get(path)
    return None if digest is None or digest not in _made else digest.hex()


@cache
def packages() -> str:
    """All that is installed for this Python."""
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return repr(sorted(name for one in folders for name in os.listdir(one) if name.endswith(".dist-info")))


def _folder(command: Sequence[str], cwd: str, *, is_given: bool) -> Path | None:
    """The folder for a while that a command works in; where it is given one to start in, that has to be it."""
    if command[0] == sys.executable and len(command) > 2:
        words = command[-1:]
    else:
        words = (*_operands(command, "-o"), *command)
    paths = (os.path.join(cwd, word) for word in words)
    found = (path if os.path.isdir(path) else os.path.dirname(path) for path in paths if _is_for_a_while(path))
    folders = [Path(os.path.realpath(path)) for path in found if os.path.isdir(path)]
    if not is_given or (folders and _is_in(cwd, folders[0])):
        return folders[0] if folders else None
    return Path(os.path.realpath(cwd)) if _is_for_a_while(cwd) else None


def _is_for_a_while(path: str) -> bool:
    """Whether a path is below a folder of the one for temporary files, where this repository may be too."""
    real = os.path.realpath(path) + os.sep
    return real.startswith(_TEMPORARY) and not real.startswith(_LASTING)


def _operands(words: Sequence[str], option: str) -> list[str]:
    return [word for before, word in pairwise(words) if before == option]


def _writes_there(command: Sequence[str], cwd: str, folder: Path) -> bool:
    """Whether all that a compiler writes is in the folder."""
    targets = _operands(command, "-o") or ([] if "-fsyntax-only" in command else ["."])
    return all(_is_in(os.path.join(cwd, target), folder) for target in targets)


def _is_in(path: str, folder: Path) -> bool:
    return os.path.realpath(path) == str(folder) or os.path.realpath(path).startswith(f"{folder}{os.sep}")


def _outside(command: Sequence[str], cwd: str, folder: Path) -> list[tuple[str, object]] | None:
    """Digests of what the words of a command name outside of the folder; None where that is too much."""
    found: list[tuple[str, object]] = []
    for word in command[1:]:
        path = os.path.join(cwd, named := _PREFIX.sub("", word, count=1))
        if not named or named.startswith("-") or not os.path.exists(path) or _is_in(path, folder):
            continue
        digests = _digests(Path(path)) if os.path.isdir(path) else {"": _digest(Path(path).read_bytes(), folder)}
        if digests is None:
            return None
        found.append((word, sorted(digests.items())))
    return found


def _digests(folder: Path) -> dict[str, bytes] | None:
    """Digests of all files below a folder by their paths in it; None where they are too many."""
    found: dict[str, bytes] = {}
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with suppress(FileNotFoundError):
                total += os.path.getsize(path)
                if len(found) > _MOST_FILES or total > _MOST_BYTES:
                    return None
                found[os.path.relpath(path, folder)] = _digest(Path(path).read_bytes(), folder)
    return found


def _digest(data: bytes, folder: Path) -> bytes:
    """A digest in which the folder's own path does not count."""
    return blake2b(data.replace(os.fsencode(folder), b"@folder"), digest_size=20).digest()
