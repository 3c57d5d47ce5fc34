"""Runs of hostile commands: an answer or one line of error, in little time and memory, or what broke.

`python test/cli/hostile_runs.py 20000 7` runs that many of seed 7 and keeps what broke in folders under the system's
temporary folder; `python test/cli/hostile_runs.py 1 7 1234` runs one of them again.
A child process runs a batch, as a compiler's process would; a child that dies or says nothing for long is a finding.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from click.testing import CliRunner
from hostile_jobs import Job, job, prepare

from stillpool.cli import main as stillpool
from stillpool.cli import opt

SECONDS = 60
"""Of the processor, whatever else runs on the machine."""
WAITING = 600
"""Seconds after which a job that takes no time of the processor hangs."""
MOST_BYTES = 2 << 30
BATCH = 100
_ALLOWED = (0, 1, 2, 3, 5)
_DIFFERS = 4
"""Allowed of programs that are not as planned; a model that is not as its reference would be a finding."""


def attempt(one: Job, folder: Path) -> str | None:
    """Run one command in a folder; what is wrong with how it ended, or None."""
    for name, data in one.files.items():
        (folder / name).write_bytes(data)
    os.chdir(folder)
    code, said = _opt(one.arguments[1:]) if one.arguments[0] == "opt" else _stillpool(one.arguments)
    if code not in _ALLOWED and (one.arguments[0], code) != ("audit", _DIFFERS):
        return f"exit code {code}: {said[-300:]}"
    if "Traceback" in said:
        return f"a traceback: {said[-300:]}"
    if code in (1, 3) and said.count("error: ") and said.rstrip("\n").rpartition("error: ")[2].count("\n"):
        return f"more than one line: {said[-300:]}"
    return None


def _stillpool(arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(stillpool, list(map(str, arguments)))  # type: ignore[call-overload]
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return 70, f"{type(done.exception).__name__}: {done.exception}"
    return done.exit_code, done.stderr


def _opt(arguments: object) -> tuple[int, str]:
    said = io.StringIO()
    sys.argv = ["stillpool-opt", *map(str, arguments)]  # type: ignore[call-overload]
    code: object = 0
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            opt.main()
        except SystemExit as left:
            code = left.code
    return code if isinstance(code, int) else 0, said.getvalue()


def _child(seed: int, numbers: range, write: int, quick: bool) -> None:
    """Run a batch; a line per job to the parent: its number before, what broke and the memory after it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    gc.freeze()
    with os.fdopen(write, "w") as out:
        for number in numbers:
            print(json.dumps([number]), file=out, flush=True)
            one = job(seed, number, quick=quick)
            with tempfile.TemporaryDirectory() as folder:
                start = _spent()
                resource.setrlimit(resource.RLIMIT_CPU, (int(start) + SECONDS + 15, resource.RLIM_INFINITY))
                wrong = attempt(one, Path(folder))
                spent = _spent() - start
                os.chdir("/")
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            if wrong is None and spent > SECONDS:
                wrong = f"{spent:.0f} s"
            if wrong is None and used > MOST_BYTES:
                wrong = f"{used >> 20} MB"
            print(json.dumps([number, wrong, one.arguments[0], round(spent, 2)]), file=out, flush=True)
            if used > MOST_BYTES:
                return


def _spent() -> float:
    """Seconds of the processor that this process and those that it waited for have taken."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def runs(seed: int, count: int, *, quick: bool = False, first: int = 0) -> tuple[dict[int, str], Counter[str], float]:
    """Run jobs; what broke by number, how many of each verb, and the longest one's seconds."""
    broken: dict[int, str] = {}
    verbs: Counter[str] = Counter()
    longest, number, end = 0.0, first, first + count
    prepare(quick=quick)
    while number < end:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(read)
                _child(seed, range(number, min(number + BATCH, end)), write, quick)
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        begun = number
        with os.fdopen(read) as lines:
            while select.select([lines], [], [], WAITING)[0] and (line := lines.readline()):
                found = json.loads(line)
                begun = found[0]
                if len(found) > 1:
                    verbs[found[2]] += 1
                    longest = max(longest, found[3])
                    number = begun + 1
                    if found[1] is not None:
                        broken[begun] = found[1]
                    if os.environ.get("HOSTILE_SHOW") and found[3] > 5:
                        print(found, flush=True)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if number <= begun and number < end:
            broken[begun] = f"no answer: the process ended with status {status}"
            number = begun + 1
    return broken, verbs, longest


def main(count: int, seed: int, first: int = 0) -> int:
    """Run, keep what broke, and print a summary."""
    start, total, verbs, longest = time.monotonic(), 0, Counter[str](), 0.0
    kept = Path(tempfile.gettempdir()) / f"hostile_{seed}"
    for begin in range(first, first + count, 1000):
        broken, ran, slowest = runs(seed, min(1000, first + count - begin), first=begin)
        verbs += ran
        longest = max(longest, slowest)
        total += len(broken)
        for number, wrong in broken.items():
            one = job(seed, number)
            print(f"{number} {' '.join(one.arguments)[:200]!r}: {wrong}", flush=True)
            shutil.rmtree(kept / str(number), ignore_errors=True)
            (kept / str(number)).mkdir(parents=True)
            for name, data in one.files.items():
                (kept / str(number) / name).write_bytes(data)
        print(f"-- {sum(verbs.values())} runs, {total} broken, {time.monotonic() - start:.0f} s", flush=True)
    print(dict(verbs), f"{total} broken, longest {longest} s")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
