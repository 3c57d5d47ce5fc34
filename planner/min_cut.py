"""Minimum cuts of networks of capacities, by Dinic's algorithm (Soviet Mathematics Doklady, 1970)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

ENDLESS = 1 << 60
"""The capacity of what no cut goes through."""


class Cuts:
    """A network of which minimum cuts between different sets of nodes are asked."""

    def __init__(self, nodes: int):
        self._out: list[list[int]] = [[] for _ in range(nodes + 2)]
        self._head: list[int] = []
        self._capacity: list[int] = []
        self._source, self._sink = nodes, nodes + 1

    def edge(self, tail: int, head: int, capacity: int) -> None:
        """Add an edge: what a cut costs that has its tail on the side of the sources, and its head on the other."""
        for end, other, most in ((tail, head, capacity), (head, tail, 0)):
            self._out[end].append(len(self._head))
            self._head.append(other)
            self._capacity.append(most)

    def least(self, sources: Iterable[int], sinks: Iterable[int], enough: int = 0) -> int:
        """The capacity of the minimum cut between two sets of nodes.

        Args:
            sources: nodes on the one side.
            sinks: nodes on the other.
            enough: the answer may be less than the minimum as soon as this much is there; 0 for no such number.
        """
        saved, edges = list(self._capacity), len(self._head)
        ends = [(self._source, node) for node in sources] + [(node, self._sink) for node in sinks]
        for tail, head in ends:
            self.edge(tail, head, ENDLESS)
        flow = 0
        while (not enough or flow < enough) and flow < ENDLESS and self._levelled():
            self._next = [0] * len(self._out)
            while found := self._augment():
                flow += found
        for tail, head in ends:
            self._out[tail].pop()
            self._out[head].pop()
        del self._head[edges:]
        self._capacity = saved
        return flow

    def _levelled(self) -> bool:
        """Distances from the source over edges with something left; says whether the sink is reached."""
        self._level = [-1] * len(self._out)
        self._level[self._source] = 0
        waiting = deque([self._source])
        while waiting:
            node = waiting.popleft()
            for edge in self._out[node]:
                head = self._head[edge]
                if self._capacity[edge] and self._level[head] < 0:
                    self._level[head] = self._level[node] + 1
                    waiting.append(head)
        return self._level[self._sink] >= 0

    def _augment(self) -> int:
        """Send what one shortest path takes; 0 if there is none left."""
        path: list[int] = []
        node = self._source
        while node != self._sink:
            for at in range(self._next[node], len(self._out[node])):
                edge = self._out[node][at]
                head = self._head[edge]
                if self._capacity[edge] and self._level[head] == self._level[node] + 1:
                    self._next[node] = at
                    path.append(edge)
                    node = head
                    break
            else:
                self._next[node] = len(self._out[node])
                if not path:
                    return 0
                node = self._head[path.pop() ^ 1]
                self._next[node] += 1
        most = min(self._capacity[edge] for edge in path)
        for edge in path:
            self._capacity[edge] -= most
            self._capacity[edge ^ 1] += most
        return most
