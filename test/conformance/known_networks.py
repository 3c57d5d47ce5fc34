"""Small networks of the shapes that people run: random weights, the operators and branches of the real ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from case import Case, samples_of
from deep_networks import DeepBuilder
from tflite_build import NONE, RELU6, VALID, Operator, Tensor, options, write_model

INT32 = 2
"""As the schema counts types of elements."""


class KnownBuilder(DeepBuilder):
    """A graph under construction."""

    most: int | None = None
    """Blocks of one kind after each other, at most; those behind them are left out."""

    def resize_to(self, given: int, height: int, width: int) -> int:
        """An image in another size; gives the result."""
        batch, _, _, channels = self.shape(given)
        made = options("ResizeBilinear", alignCorners=False, halfPixelCenters=True)
        self.add("RESIZE_BILINEAR", [given, self.numbers((height, width))], [(batch, height, width, channels)], made)
        return self.made[-1]

    def separable(self, count: int, stride: int) -> int:
        """Each channel by itself, then all of a pixel."""
        self.convolve_by(self.newest()[1][3], 3, stride, each=True, activation=RELU6)
        return self.convolve_by(count, 1, 1, activation=RELU6)

    def of(self, image: int) -> KnownBuilder:
        """Go on with an image that was made before."""
        self.made.append(image)
        return self

    def mean(self) -> int:
        """Over the newest image, which stays an image of one pixel."""
        given, (batch, _, _, channels) = self.newest()
        self.add("MEAN", [given, self.numbers([1, 2])], [(batch, 1, 1, channels)], options("Reducer", keepDims=True))
        return self.made[-1]

    def dense(self, count: int) -> int:
        """A product with all that there is."""
        given = self.made[-1]
        batch, *rest = self.shape(given)
        size = int(np.prod(rest))
        operands = [given, *self.parameters((count, size), count, 0)]
        self.add("FULLY_CONNECTED", operands, [(batch, count)], options("FullyConnected"))
        return self.made[-1]

    def beside(self, images: list[int]) -> int:
        """Images side by side along channels."""
        batch, height, width, _ = self.shape(images[0])
        channels = sum(self.shape(image)[3] for image in images)
        shape = (batch, height, width, channels)
        self.add("CONCATENATION", images, [shape], options("Concatenation", axis=3))
        return self.made[-1]

    def as_list(self, image: int, size: int) -> int:
        """An image as a list of vectors, some for each pixel."""
        shape = (1, int(np.prod(self.shape(image))) // size, size)
        self.add("RESHAPE", [image, self.numbers(shape)], [shape], options("Reshape", newShape=list(shape)))
        return self.made[-1]

    def after_each_other(self, lists: list[int]) -> int:
        """Lists as one."""
        shape = (1, sum(self.shape(one)[1] for one in lists), self.shape(lists[0])[2])
        self.add("CONCATENATION", lists, [shape], options("Concatenation", axis=1))
        return self.made[-1]

    def real(self, given: int) -> int:
        """Integers as reals; reals as they are."""
        if self.dtype == "float32":
            return given
        self.tensors.append(Tensor(self.shape(given), "float32"))
        result = len(self.tensors) - 1
        self.operators.append(Operator("DEQUANTIZE", [given], [result], options("Dequantize")))
        return result

    def softmax(self, given: int) -> int:
        """Over the last dimension."""
        self.add("SOFTMAX", [given], [self.shape(given)], options("Softmax", beta=1.0))
        if self.dtype == "int8":
            self.tensors[self.made[-1]] = Tensor(self.shape(given), "int8", (1 / 256,), (-128,))
        return self.made[-1]


def mobilenet_v1(g: KnownBuilder) -> list[int]:
    """Separable convolutions, the mean, a classifier."""
    g.convolve_by(8, 3, 2, activation=RELU6)
    for count, stride in ((16, 1), (24, 2), (24, 1), (32, 2), (32, 1), (32, 1))[: g.most]:
        g.separable(count, stride)
    g.mean()
    return [g.dense(10)]


def mobilenet_v2(g: KnownBuilder) -> list[int]:
    """Inverted residuals."""
    g.convolve_by(8, 3, 2, activation=RELU6)
    for count, stride in ((8, 1), (12, 2), (12, 1), (16, 2), (16, 1))[: g.most]:
        g.inverted_residual(count, 6, 3, stride)
    g.convolve_by(32, 1, 1, activation=RELU6)
    g.mean()
    return [g.dense(10)]


def mcunet(g: KnownBuilder) -> list[int]:
    """Inverted residuals of mixed sizes and widths."""
    g.convolve_by(8, 3, 2, activation=RELU6)
    g.convolve_by(8, 3, 1, each=True, activation=RELU6)
    for count, factor, size, stride in ((8, 3, 7, 2), (8, 5, 5, 1), (16, 4, 7, 2), (16, 5, 3, 1))[: g.most]:
        g.inverted_residual(count, factor, size, stride)
    g.mean()
    return [g.dense(2)]


def resnet(g: KnownBuilder) -> list[int]:
    """Residuals of two convolutions, at three sizes."""
    g.convolve_by(12, 3, 1)
    for count, stride in ((12, 1), (12, 1), (12, 1), (16, 2), (16, 1), (24, 2), (24, 1))[: g.most]:
        g.residual(count, stride)
    g.mean()
    return [g.dense(10)]


def lenet(g: KnownBuilder) -> list[int]:
    """Convolutions, pools, and a product with the whole image."""
    for count in (8, 12):
        g.convolve_by(count, 3, 1)
        given, (batch, height, width, channels) = g.newest()
        made = options("Pool2D", padding=VALID, strideW=2, strideH=2, filterWidth=2, filterHeight=2)
        g.add("MAX_POOL_2D", [given], [(batch, height // 2, width // 2, channels)], made)
    g.convolve_by(12, 3, 1)
    return [g.dense(10)]


def deeplab(g: KnownBuilder) -> list[int]:
    """A backbone, the image's mean beside it, a class for every pixel of the input."""
    _, (_, height, width, _) = g.newest()
    g.convolve_by(8, 3, 2, activation=RELU6)
    for count, stride in ((12, 2), (12, 1), (16, 2), (16, 1))[: g.most]:
        g.inverted_residual(count, 4, 3, stride)
    features, (_, rows, columns, _) = g.newest()
    wide = g.convolve_by(16, 1, 1, activation=RELU6)
    g.of(features).mean()
    g.convolve_by(16, 1, 1, activation=RELU6)
    pooled = g.resize_to(g.made[-1], rows, columns)
    g.beside([pooled, wide])
    g.convolve_by(16, 1, 1, activation=RELU6)
    classes = g.convolve_by(5, 1, 1, activation=NONE)
    scores = g.resize_to(classes, height, width)
    operands = [scores, g.numbers(3)]
    g.tensors.append(Tensor((1, height, width), "int32"))
    result = len(g.tensors) - 1
    g.operators.append(Operator("ARG_MAX", operands, [result], options("ArgMax", outputType=INT32)))
    return [result]


def movenet(g: KnownBuilder) -> list[int]:
    """A pyramid that goes up again, and several heads."""
    g.convolve_by(8, 3, 2, activation=RELU6)
    lateral: list[int] = []
    for count in (8, 12, 16):
        g.inverted_residual(count, 4, 3, 2)
        lateral.append(g.made[-1])
    top = g.of(lateral[-1]).convolve_by(12, 1, 1, activation=NONE)
    for image in reversed(lateral[:-1]):
        _, height, width, _ = g.shape(image)
        larger = g.resize_to(top, height, width)
        g.of(image)
        g.join(larger, g.convolve_by(12, 1, 1, activation=NONE))
        top = g.separable(12, 1)
    heads: list[int] = []
    for count in (1, 4, 8):
        g.of(top).separable(12, 1)
        heads.append(g.convolve_by(count, 1, 1, activation=NONE))
    return heads


def ssd(g: KnownBuilder) -> list[int]:
    """Boxes and scores of classes for anchors at three sizes, each as one list of reals."""
    g.convolve_by(16, 3, 2, activation=RELU6)
    for count, stride in ((20, 1), (24, 2), (24, 1), (32, 2))[: g.most]:
        g.separable(count, stride)
    features = [g.made[-1]]
    for count in (32, 32):
        g.of(features[-1]).separable(count, 2)
        features.append(g.made[-1])
    lists: list[list[int]] = [[], []]
    for image in features:
        for made, size in zip(lists, (4, 6), strict=True):
            g.of(image).convolve_by(3 * size, 3, 1, activation=NONE)
            made.append(g.as_list(g.made[-1], size))
    boxes, classes = (g.after_each_other(one) for one in lists)
    return [g.real(boxes), g.real(g.softmax(classes))]


def blazeface(g: KnownBuilder) -> list[int]:
    """Residuals of separable convolutions; places and scores of faces at two sizes."""
    g.convolve_by(12, 5, 2)
    for count, stride in ((12, 1), (16, 2), (16, 1), (24, 2), (24, 1))[: g.most]:
        given = g.made[-1]
        result = g.separable(count, stride)
        if g.shape(result) == g.shape(given):
            g.join(given, result)
    features = [g.made[-1], g.of(g.made[-1]).separable(32, 2)]
    lists: list[list[int]] = [[], []]
    for image in features:
        for made, size in zip(lists, (16, 1), strict=True):
            g.of(image).convolve_by(2 * size, 1, 1, activation=NONE)
            made.append(g.as_list(g.made[-1], size))
    places, scores = (g.after_each_other(one) for one in lists)
    g.add("LOGISTIC", [scores], [g.shape(scores)])
    if g.dtype == "int8":
        g.tensors[g.made[-1]] = Tensor(g.shape(scores), "int8", (1 / 256,), (-128,))
    return [g.real(places), g.real(g.made[-1])]


KNOWN: Mapping[str, tuple[Callable[[KnownBuilder], list[int]], int]] = {
    "mobilenet_v1": (mobilenet_v1, 48),
    "mobilenet_v2": (mobilenet_v2, 48),
    "mcunet": (mcunet, 48),
    "resnet": (resnet, 32),
    "lenet": (lenet, 28),
    "deeplab": (deeplab, 48),
    "movenet": (movenet, 48),
    "ssd": (ssd, 64),
    "blazeface": (blazeface, 64),
}
"""Networks by name, with the rows and columns of their input."""


def known_network(name: str, *, dtype: str = "int8", side: int = 0, most: int | None = None) -> Case:
    """A network with samples; `side` rows and columns instead of its own, at most so many blocks of one kind."""
    build, own = KNOWN[name]
    rng = np.random.default_rng(len(name))
    g = KnownBuilder(rng, dtype)
    g.most = most
    source = g.tensor((1, side or own, side or own, 3))
    outputs = build(g)
    data = write_model(g.tensors, g.operators, [source], outputs)
    samples = samples_of(dtype, rng, g.shape(source))
    return Case(data, (samples,), 1e-5 if dtype == "float32" else 0.0, outputs=len(outputs))
