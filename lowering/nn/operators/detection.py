"""`nn.detection_postprocess`: decoding, then non-maximum suppression on a shrinking list of candidates.

Nothing is sorted: the best candidate is searched, and a pass that moves the others up drops those that overlap it. What
TensorFlow Lite takes from its stable sorts comes out the same, as candidates stay in the order of boxes.

Source: TensorFlow Lite Micro `detection_postprocess.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects import math as mlir_math
from xdsl.dialects.builtin import IndexType, f32, f64, i32
from xdsl.ir import SSAValue

from ....dialects.nn import DetectionPostprocessOp
from ....dialects.nn.interfaces import shape_of
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..scalar_types import extremum, less

Score = Callable[[Value], SSAValue]
"""The score of a box."""


@lowers(DetectionPostprocessOp, (f32,))
def lower_detection_postprocess(op: DetectionPostprocessOp, k: Kernel) -> None:
    """Boxes that are not found are 0 throughout."""
    encodings = k.input(op.encodings, "encodings", shape_of(op.encodings)[1:])
    predictions = k.input(op.predictions, "predictions", shape_of(op.predictions)[1:])
    anchors = k.input(op.anchors, "anchors")
    limit, number = op.max_detections.value.data, shape_of(op.anchors)[0]
    results = Results(k, op, limit)
    boxes = k.scratch([number, 4], f32, "decoded")
    _decode(k, op, encodings, anchors, boxes, number)
    suppression = Suppression(k, op, boxes, number)
    if op.per_class is None:
        size = _fast(k, op, predictions, results, suppression)
    else:
        size = _regular(k, op, predictions, results, suppression, op.per_class.value.data)
    with k.loop("d", 0, size) as d:
        place = k.i32_to_index(k.load(results.places, [d]))
        with k.loop("c", 0, 4) as c:
            k.store(k.load(boxes, [place, c]), results.boxes, [d, c])
    k.store(_as_float(k, size), results.count, [0])


class Results:
    """The result buffers, cleared, and the boxes that the detections found so far stand for."""

    def __init__(self, k: Kernel, op: DetectionPostprocessOp, limit: int):
        self.boxes = k.output(op.boxes, "boxes", [limit, 4])
        self.classes = k.output(op.classes, "classes", [limit])
        self.scores = k.output(op.scores, "scores", [limit])
        self.count = k.output(op.count, "count")
        self.places = k.scratch([limit], i32, "places")
        self.limit = limit
        zero = k.floating(0.0)
        with k.loop("d", 0, limit) as d:
            with k.loop("c", 0, 4) as c:
                k.store(zero, self.boxes, [d, c])
            k.store(zero, self.classes, [d])
            k.store(zero, self.scores, [d])

    def put(self, k: Kernel, at: Value, place: SSAValue, kind: SSAValue, score: SSAValue) -> None:
        """Write a detection but for its corners."""
        k.store(k.index_to_i32(place), self.places, [at])
        k.store(kind, self.classes, [at])
        k.store(score, self.scores, [at])

    def insert(self, k: Kernel, size: SSAValue, place: SSAValue, kind: SSAValue, score: SSAValue) -> SSAValue:
        """Put a detection behind all that are not worse; the last one goes if there is no room. The new size."""

        def count(d: Value, before: SSAValue) -> SSAValue:
            worse = less(k, k.load(self.scores, [d]), score)
            return k.select(worse, before, k.add(before, 1))

        position = k.reduce("d", 0, size, k.index(0), count, "position")
        with k.when(k.compare("slt", position, self.limit)):
            last = k.index(k.min(size, self.limit - 1, "last"))
            with k.loop("s", 0, k.sub(last, position)) as s:
                target = k.sub(last, s)
                source = k.sub(target, 1)
                for values in (self.places, self.classes, self.scores):
                    k.store(k.load(values, [source]), values, [target])
            self.put(k, position, place, kind, score)
        return k.index(k.min(k.add(size, 1), self.limit, "size"))


class Suppression:
    """Non-maximum suppression of decoded boxes."""

    def __init__(self, k: Kernel, op: DetectionPostprocessOp, boxes: SSAValue, number: int):
        self._op = op
        self._boxes = boxes
        self._number = number
        self._candidates = k.scratch([number], i32, "candidates")

    def run(
        self,
        k: Kernel,
        score: Score,
        limit: int,
        size: SSAValue,
        take: Callable[[SSAValue, SSAValue, SSAValue], SSAValue],
    ) -> SSAValue:
        """Call `take(size, box, score)`, which gives the new size, for up to `limit` boxes; the last size."""
        found = self._collect(k, score)

        def step(_: Value, state: list[SSAValue]) -> Sequence[SSAValue]:
            left, size = state

            def some() -> Sequence[SSAValue]:
                place, best = self._best(k, score, left)
                return [self._others(k, place, left), take(size, place, best)]

            return k.either(k.compare("sgt", left, 0), some, state)

        rounds = k.min(found, limit, "rounds")
        return k.reduce_several("round", 0, rounds, [found, size], step, ("left", "size"))[1]

    def _collect(self, k: Kernel, score: Score) -> SSAValue:
        """List the boxes whose scores are high enough; their number."""

        def step(row: Value, count: SSAValue) -> SSAValue:
            enough = k.comparef("oge", score(row), k.floating(self._op.score_threshold.value.data))
            with k.when(enough):
                k.store(k.index_to_i32(k.index(row)), self._candidates, [count])
            return k.select(enough, k.add(count, 1), count)

        return k.reduce("row", 0, self._number, k.index(0), step, "found")

    def _candidate(self, k: Kernel, position: Value) -> SSAValue:
        return k.index(k.i32_to_index(k.load(self._candidates, [position])))

    def _best(self, k: Kernel, score: Score, left: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The first candidate of the highest score, and the score."""
        first = self._candidate(k, 0)

        def step(position: Value, state: list[SSAValue]) -> Sequence[SSAValue]:
            best, place = state
            other = self._candidate(k, position)
            value = score(other)
            better = less(k, best, value)
            return [k.select(better, value, best, "best"), k.select(better, other, place, "place")]

        best, place = k.reduce_several("position", 1, left, [score(first), first], step, ("best", "place"))
        return place, best

    def _others(self, k: Kernel, place: SSAValue, left: SSAValue) -> SSAValue:
        """Keep the candidates that are not the given box and do not overlap it too much; their number."""
        corners = [k.load(self._boxes, [place, c]) for c in range(4)]
        area = _area(k, corners)

        def step(position: Value, kept: SSAValue) -> SSAValue:
            other = self._candidate(k, position)
            theirs = [k.load(self._boxes, [other, c]) for c in range(4)]
            overlap = _overlap(k, corners, area, theirs)
            much = k.comparef("ogt", overlap, k.floating(self._op.iou_threshold.value.data))
            stays = k.compare("eq", k.select(k.compare("eq", other, place), 1, k.extend_unsigned(much)), 0)
            with k.when(stays):
                k.store(k.index_to_i32(other), self._candidates, [kept])
            return k.select(stays, k.add(kept, 1), kept)

        return k.reduce("position", 0, left, k.index(0), step, "kept")


def _fast(
    k: Kernel, op: DetectionPostprocessOp, predictions: SSAValue, results: Results, suppression: Suppression
) -> SSAValue:
    """Each box competes with the score of its best class."""
    number = shape_of(op.predictions)[1]
    best_scores = k.scratch([number], f32, "best_scores")
    best_kinds = k.scratch([number], i32, "best_classes")
    with k.loop("row", 0, number) as row:

        def step(kind: Value, state: list[SSAValue]) -> Sequence[SSAValue]:
            best, place = state
            value = k.load(predictions, [row, k.add(kind, op.background)])
            better = less(k, best, value)
            return [k.select(better, value, best, "best"), k.select(better, k.index(kind), place, "kind")]

        start = [k.load(predictions, [row, op.background]), k.index(0)]
        best, kind = k.reduce_several("class", 1, op.num_classes.value.data, start, step, ("best", "kind"))
        k.store(best, best_scores, [row])
        k.store(k.index_to_i32(kind), best_kinds, [row])

    def take(size: SSAValue, place: SSAValue, score: SSAValue) -> SSAValue:
        results.put(k, size, place, k.to_float(k.load(best_kinds, [place])), score)
        return k.index(k.add(size, 1))

    return suppression.run(k, lambda row: k.load(best_scores, [row]), results.limit, k.index(0), take)


def _regular(
    k: Kernel,
    op: DetectionPostprocessOp,
    predictions: SSAValue,
    results: Results,
    suppression: Suppression,
    per_class: int,
) -> SSAValue:
    """Class by class; what each one finds goes into the list of the best."""

    def step(kind: Value, size: SSAValue) -> SSAValue:
        column = k.add(kind, op.background)
        real = _as_float(k, k.index(kind))

        def take(size: SSAValue, place: SSAValue, score: SSAValue) -> SSAValue:
            return results.insert(k, size, place, real, score)

        return suppression.run(k, lambda row: k.load(predictions, [row, column]), per_class, size, take)

    return k.reduce("class", 0, op.num_classes.value.data, k.index(0), step, "size")


def _decode(
    k: Kernel, op: DetectionPostprocessOp, encodings: SSAValue, anchors: SSAValue, boxes: SSAValue, number: int
) -> None:
    """Centres and sizes to corners."""
    scales = [float(scale) for scale in op.scales.get_values()]
    with k.loop("row", 0, number) as row:
        given = [_double(k, k.load(encodings, [row, c])) for c in range(4)]
        anchor = [_double(k, k.load(anchors, [row, c])) for c in range(4)]
        steps = [k.divf(v, k.floating(scale, f64)) for v, scale in zip(given, scales, strict=True)]
        for axis in range(2):
            size = anchor[axis + 2]
            center = _single(k, k.addf(k.mulf(steps[axis], size), anchor[axis]))
            grown = k.emit(mlir_math.ExpOp(steps[axis + 2]))
            half = _single(k, k.mulf(k.mulf(k.floating(0.5, f64), grown), size))
            k.store(k.subf(center, half), boxes, [row, axis])
            k.store(k.addf(center, half), boxes, [row, axis + 2])


def _double(k: Kernel, value: SSAValue) -> SSAValue:
    return k.emit(arith.ExtFOp(value, f64))


def _single(k: Kernel, value: SSAValue) -> SSAValue:
    return k.emit(arith.TruncFOp(value, f32))


def _as_float(k: Kernel, value: SSAValue) -> SSAValue:
    assert isinstance(value.type, IndexType), "counts are of index type"
    return k.to_float(k.index_to_i32(value))


def _area(k: Kernel, corners: Sequence[SSAValue]) -> SSAValue:
    y0, x0, y1, x1 = corners
    return k.mulf(k.subf(y1, y0), k.subf(x1, x0))


def _overlap(k: Kernel, mine: Sequence[SSAValue], area: SSAValue, theirs: Sequence[SSAValue]) -> SSAValue:
    """Intersection over union; 0 if a box has no area."""
    zero = k.floating(0.0)
    other = _area(k, theirs)
    sides = [
        extremum(
            k,
            k.subf(
                extremum(k, mine[c + 2], theirs[c + 2], largest=False),
                extremum(k, mine[c], theirs[c], largest=True),
            ),
            zero,
            largest=True,
        )
        for c in range(2)
    ]
    common = k.mulf(sides[0], sides[1])
    ratio = k.divf(common, k.subf(k.addf(area, other), common))
    for part in (area, other):
        ratio = k.select(k.comparef("ole", part, zero), zero, ratio)
    return ratio
