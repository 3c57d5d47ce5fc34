"""Candidates measured on a Dask cluster (extra `tune`): the scheduler gives what a lost worker had to others."""

# The types hold whether the extra is installed or not.
# pyright: reportMissingImports=false

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from ..errors import StillpoolError, UsageError, install_extra
from ..version import __version__
from .job import Job, Result
from .measure import measured

_SECONDS_TO_CONNECT = 10
_SECONDS_TO_LOOK = 5
"""After which it is asked whether there are workers, where nothing comes."""
_SECONDS_WITHOUT_WORKERS = 30
_LOGGERS = ("distributed", "asyncio", "tornado")
_RETRIES = 5
"""Attempts for a candidate whose workers were lost."""


class Cluster:
    """The workers of one scheduler."""

    def __init__(self, address: str):
        """Connect.

        Raises:
            UsageError: Dask is not installed, the scheduler does not answer, or a worker has another stillpool.
        """
        if importlib.util.find_spec("distributed") is None:
            raise UsageError("dask.distributed is not installed: no --scheduler", remedy=install_extra("tune"))
        from distributed import Client

        self._address = address
        # What a lost connection is worth saying is said here, in one line.
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            self._client: Any = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"no Dask scheduler answers at '{address}': {' '.join(str(error).split())}",
                remedy="start one with dask scheduler, and workers with dask worker ADDRESS --nthreads 1",
            ) from error
        self._check_versions(address)

    def _check_versions(self, address: str) -> None:
        try:
            found: dict[str, str] = self._client.run(version)
        except Exception as error:
            self.close()
            raise UsageError(
                f"a worker of the scheduler at '{address}' cannot load stillpool: {error}",
                remedy="install the same stillpool with the extras emulate and tune there",
            ) from error
        others = {where: which for where, which in found.items() if which != __version__}
        if others:
            where, which = next(iter(others.items()))
            self.close()
            raise UsageError(
                f"the worker {where} has stillpool {which}, here it is {__version__}", remedy="install the same version"
            )

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`.

        Raises:
            StillpoolError: the cluster lost a candidate again and again, or all of itself.
        """
        from distributed import wait

        # Not pure: equal candidates are measured where they are asked for.
        futures: dict[Any, int] = {
            self._client.submit(measured, job, pure=False, retries=_RETRIES): number for number, job in enumerate(jobs)
        }
        seen = time.monotonic()
        while futures:
            try:
                with self._client.as_current():
                    found: Any = wait(list(futures), timeout=_SECONDS_TO_LOOK, return_when="FIRST_COMPLETED")
            except TimeoutError:
                seen = self._seen(seen)
                continue
            except (OSError, CancelledError) as error:
                raise self._gone() from error
            seen = time.monotonic()
            for done in found.done:
                yield futures.pop(done), self._result(done)

    def _result(self, done: Any) -> Result:
        if done.status == "error":
            error = done.exception()
            if isinstance(error, StillpoolError):
                raise error
            raise StillpoolError(f"the cluster cannot measure a candidate: {error!r}") from error
        if done.status != "finished":
            raise self._gone()
        return done.result()

    def _seen(self, before: float) -> float:
        """When the cluster was last seen with workers, which was `before` at least.

        Raises:
            StillpoolError: that is too long ago, or the scheduler is gone.
        """
        if self._client.status != "running":
            raise self._gone()
        try:
            if self._client.nthreads():
                return time.monotonic()
        except (OSError, CancelledError) as error:
            raise self._gone() from error
        if time.monotonic() - before > _SECONDS_WITHOUT_WORKERS:
            raise StillpoolError(
                f"the cluster has had no worker for {_SECONDS_WITHOUT_WORKERS} s",
                remedy="start one with dask worker ADDRESS --nthreads 1; what was measured is kept",
            )
        return before

    def _gone(self) -> StillpoolError:
        return StillpoolError(
            f"the Dask scheduler at '{self._address}' is gone", remedy="start it again; what was measured is kept"
        )

    def close(self) -> None:
        """See `Workers`."""
        self._client.close()


def version() -> str:
    """The version of the stillpool of a worker."""
    return __version__
