"""The coarse half of `usmp-check`: pieces of memory, and the last access to each."""

from __future__ import annotations

import numpy as np

from stillpool.transforms.usmp.check.coarse_run import Moments


def test_the_latest_access_of_every_piece() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        edges = np.unique(rng.integers(0, 60, int(rng.integers(1, 30))))
        count = int(rng.integers(0, 20))
        first = rng.integers(0, 60, count)
        end = first + rng.integers(1, 30, count)
        begins = rng.integers(0, 1000, count)
        moments = Moments()
        moments.record(first, end, begins, begins + 5, write=True)
        # Edges are where ranges begin or end, or the ends of what is asked about.
        inner = moments.edges(write=True)
        edges = np.unique([*edges[:1], *inner[inner > edges[0]]])
        for edge, latest, earliest in zip(
            edges, moments.latest(edges, write=True), moments.earliest_write(edges), strict=True
        ):
            over = begins[(first <= edge) & (edge < end)]
            assert latest == (over + 5).max(initial=-1)
            assert earliest == (over.min() if len(over) else np.iinfo(np.int64).max)
