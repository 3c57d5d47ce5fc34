"""Candidates measured on a Dask cluster (extra `tune`): the scheduler gives what a lost worker had to others."""

# The types hold whether the extra is installed or not.
# pyright: reportMissingImports=false

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import Any

from .. import __version__
from ..errors import StillpoolError, UsageError, install_extra
from .job import Job, Result
from .measure import measured

_SECONDS_TO_CONNECT = 10
_RETRIES = 5
"""Of a candidate whose workers were lost."""


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
        from distributed import as_completed

        # Not pure: equal candidates are measured where they are asked for.
        futures: dict[Any, int] = {
            self._client.submit(measured, job, pure=False, retries=_RETRIES): number for number, job in enumerate(jobs)
        }
        for done in as_completed(list(futures), loop=self._client.loop, raise_errors=False):
            if done.status == "error":
                error = done.exception()
                if isinstance(error, StillpoolError):
                    raise error
                raise StillpoolError(f"the cluster cannot measure a candidate: {error!r}") from error
            if done.status != "finished":
                raise StillpoolError(f"the cluster gave a candidate back: {done.status}")
            yield futures[done], done.result()

    def close(self) -> None:
        """See `Workers`."""
        self._client.close()


def version() -> str:
    """The version of the stillpool of a worker."""
    return __version__
