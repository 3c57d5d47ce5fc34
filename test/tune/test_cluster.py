"""The same search on a Dask cluster: a scheduler and two workers, processes of their own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pretending import network, tasks

from stillpool.errors import StillpoolError, UsageError
from stillpool.lowering.schedule.known.database import Record, read_database
from stillpool.tune.job import Way
from stillpool.tune.session import Session
from stillpool.tune.store import Store
from stillpool.tune.workers import InProcess, Workers

pytestmark = [pytest.mark.extra("tune"), pytest.mark.extra("emulate")]
TRIALS = 4


class LocalCluster:
    """`dask scheduler` and `dask worker`, started as a user would."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._programs: list[subprocess.Popen[bytes]] = []
        scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._said(scheduler, r"Scheduler at:\s+(tcp://\S+)")
        self.workers = [self._worker(number) for number in range(2)]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments]
        log = self._folder / f"{len(self._programs)}.log"
        with log.open("w") as stream:
            program = subprocess.Popen(command, stderr=stream, cwd=self._folder, start_new_session=True)
        self._programs.append(program)
        return program

    def _worker(self, number: int) -> subprocess.Popen[bytes]:
        folder = ("--local-directory", str(self._folder / f"worker{number}"))
        threads = ("--nthreads", "1", "--no-dashboard")
        worker = self._start("worker", self.address, "--host", "127.0.0.1", *threads, *folder)
        self._said(worker, r"(Registered to)")
        return worker

    def _said(self, program: subprocess.Popen[bytes], pattern: str) -> str:
        log = self._folder / f"{self._programs.index(program)}.log"
        end = time.monotonic() + 600
        while (found := re.search(pattern, log.read_text())) is None:
            assert program.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        return found[1]

    def kill_scheduler(self) -> None:
        os.killpg(self._programs[0].pid, signal.SIGKILL)

    def close(self) -> None:
        for program in self._programs[::-1]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    """One that lives as long as a test."""
    made = LocalCluster(tmp_path)
    yield made
    made.close()


def found(path: Path, workers: Workers) -> dict[object, Record]:
    session = Session(tasks(network(path.parent)), Store(path), Way("cortex-m4"), trials=TRIALS, seed=0)
    try:
        session.run(workers)
    finally:
        workers.close()
    return {**read_database(path).records}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[object, Record]:
    """What the search finds in one process."""
    return found(tmp_path_factory.mktemp("here") / "s.jsonl", InProcess())


def test_two_workers_find_the_same(cluster: LocalCluster, here: dict[object, Record], tmp_path: Path) -> None:
    from stillpool.tune.cluster import Cluster

    assert found(tmp_path / "s.jsonl", Cluster(cluster.address)) == here


def test_a_worker_that_is_killed_loses_nothing(
    cluster: LocalCluster, here: dict[object, Record], tmp_path: Path
) -> None:
    from stillpool.tune.cluster import Cluster

    path = tmp_path / "s.jsonl"

    def kill() -> None:
        end = time.monotonic() + 600
        while not (path.exists() and path.read_text().count("\n") >= 2) and time.monotonic() < end:
            time.sleep(0.05)
        os.killpg(cluster.workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    assert found(path, Cluster(cluster.address)) == here
    killer.join()
    assert cluster.workers[0].wait(10) == -signal.SIGKILL
    assert cluster.workers[1].poll() is None


def test_nobody_at_the_address() -> None:
    from stillpool.tune import cluster as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SECONDS_TO_CONNECT", 1)
        with pytest.raises(UsageError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
            module.Cluster("tcp://127.0.0.1:9")


def test_a_cluster_without_workers_ends_the_search(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from stillpool.tune import cluster as module

    monkeypatch.setattr(module, "_SECONDS_TO_LOOK", 0.5)
    monkeypatch.setattr(module, "_SECONDS_WITHOUT_WORKERS", 1)
    waiting = module.Cluster(cluster.address)
    for worker in cluster.workers:
        os.killpg(worker.pid, signal.SIGKILL)
    with pytest.raises(StillpoolError, match="the cluster has had no worker for 1 s; start one"):
        found(tmp_path / "s.jsonl", waiting)
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_that_is_killed_ends_the_search(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from stillpool.tune import cluster as module

    monkeypatch.setattr(module, "_SECONDS_TO_LOOK", 0.5)
    waiting = module.Cluster(cluster.address)
    cluster.kill_scheduler()
    with pytest.raises(StillpoolError, match=r"the Dask scheduler at 'tcp://.*' is gone"):
        found(tmp_path / "s.jsonl", waiting)
    assert "Traceback" not in capfd.readouterr().err
