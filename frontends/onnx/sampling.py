"""Definitions of operators that read elements around places between them: cubic Resize and GridSample."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..reasons import Unsupported
from .node import Node
from .parts import LARGEST, few, real
from .resizing import extents, places


def cubic_resize(node: Node) -> str | None:
    """Return sums of four elements along each axis whose extent changes, by weights that are known; columns first."""
    if node.attributes.get("mode", "nearest") != "cubic":
        return None
    shape, scales = extents(node, node.input(0))
    centres = node.attributes.get("coordinate_transformation_mode", "half_pixel")
    if node.attributes.get("antialias", 0):
        raise Unsupported("antialias cannot be compiled")
    curve = np.float32(real(node, "cubic_coeff_a", -0.75))
    outside, lines, value = bool(node.attributes.get("exclude_outside", 0)), [], "x"
    for axis in reversed(range(len(shape))):
        size = node.input(0).shape[axis]
        if shape[axis] == size and scales[axis] == 1:
            continue
        few(max(shape[axis], size), LARGEST)
        at = places(node, centres, size, shape[axis], scales[axis])
        taps = np.floor(at).astype(int)[:, None] + np.arange(-1, 3)
        weights = _cubic_weights((at - np.floor(at)).astype(np.float32), curve)
        if outside:
            weights = np.where((taps >= 0) & (taps < size), weights, 0).astype(np.float32)
            weights = weights / weights.sum(axis=1, keepdims=True, dtype=np.float32)
        taps, behind = np.clip(taps, 0, size - 1), [1] * (len(shape) - axis - 1)
        for each in range(4):
            numbers = ", ".join(repr(float(weight)) for weight in weights[:, each])
            lines.append(f"""
                places{axis}_{each} = Constant <value_ints: ints = {taps[:, each].tolist()}> ()
                weight{axis}_{each} = Constant <value = float{[shape[axis], *behind]} {{{numbers}}}> ()
                part{axis}_{each} = Gather <axis = {axis}> ({value}, places{axis}_{each})
                product{axis}_{each} = Mul (part{axis}_{each}, weight{axis}_{each})
            """)
        lines.append(f"sum{axis} = Sum ({', '.join(f'product{axis}_{each}' for each in range(4))})")
        value = f"sum{axis}"
    return "\n".join([*lines, f"y = Identity ({value})"])


def _cubic_weights(s: npt.NDArray[np.float32], a: np.float32) -> npt.NDArray[np.float32]:
    """Weights of the four elements around places so far behind the second, in float32 as onnxruntime has them."""
    one, two = np.float32(1), np.float32(2)

    def near(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return np.stack([far(s + one), near(s), near(one - s), far(two - s)], axis=1).astype(np.float32)


def grid_sample(node: Node) -> str:
    """Return the image's elements around places that another tensor names, from -1 to 1 over the image."""
    image, grid = node.input(0).shape, node.input(1).shape
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(
        node.attributes.get("mode", "linear"), node.attributes.get("mode", "linear")
    )
    if len(image) != 4 or len(grid) != 4:
        raise Unsupported("samples of a grid of three dimensions cannot be compiled")
    if mode not in ("linear", "nearest", "cubic"):
        raise node.malformed(f"mode is {mode}")
    padding, corners = node.attributes.get("padding_mode", "zeros"), bool(node.attributes.get("align_corners", 0))
    batch, channels, count = image[0], image[1], grid[1] * grid[2]
    lines = [
        f"""
        last = Constant <value_ints: ints = [2]> ()
        zero = Constant <value_float = 0.0> ()
        one = Constant <value_float = 1.0> ()
        two = Constant <value_float = 2.0> ()
        rows = Constant <value_ints: ints = {[batch, image[2] * image[3], channels]}> ()
        channels_last = Transpose <perm = [0, 2, 3, 1]> (x)
        elements = Reshape (channels_last, rows)
        pairs = Constant <value_ints: ints = {[batch, count, 2]}> ()
        flat = Reshape (second, pairs)
        """
    ]
    wide: dict[str, bool] = {}
    for number, (name, size) in enumerate((("x", image[3]), ("y", image[2]))):
        # The image reaches from -0.5 to size - 0.5, or from one corner's centre to the other one's.
        least, most = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
        lines.append(f"""
            begin_{name} = Constant <value_ints: ints = [{number}]> ()
            end_{name} = Constant <value_ints: ints = [{number + 1}]> ()
            size_{name} = Constant <value_float = {float(size)}> ()
            most_{name} = Constant <value_float = {size - 1.0}> ()
            given_{name} = Slice (flat, begin_{name}, end_{name}, last)
            more_{name} = Add (given_{name}, one)
        """)
        if corners:
            lines.append(f"halved_{name} = Div (more_{name}, two) exact_{name} = Mul (halved_{name}, most_{name})")
        else:
            lines.append(f"""
                wide_{name} = Mul (more_{name}, size_{name})
                less_{name} = Sub (wide_{name}, one)
                exact_{name} = Div (less_{name}, two)
            """)
        wide[name] = most > least
        rounded = "Round" if mode == "nearest" else "Identity"
        lines.append(f"place_{name} = {rounded} (exact_{name})")
        lines.append(f"least_{name} = Constant <value_float = {least}> ()")
        lines.append(f"period_{name} = Constant <value_float = {2 * (most - least)}> ()")
        # Cubic curves go on outside of the image: the elements are found there, not the place.
        lines.append(
            _returned(f"place_{name}", f"at_{name}", name, "zeros" if mode == "cubic" else padding, wide[name])
        )
        lines.append(f"tap_{name}_1 = Floor (at_{name}) part_{name} = Sub (at_{name}, tap_{name}_1)")
        lines.append(_tap_weights(mode, name))
    found = "found" if padding == "zeros" else "value"
    taps = {"nearest": [1], "linear": [1, 2], "cubic": [0, 1, 2, 3]}[mode]
    for name in "xy":
        for tap in taps:
            if tap != 1:
                lines.append(f"apart_{name}_{tap} = Constant <value_float = {tap - 1.0}> ()")
                lines.append(f"tap_{name}_{tap} = Add (tap_{name}_1, apart_{name}_{tap})")
            value = f"tap_{name}_{tap}"
            if mode == "cubic":
                lines.append(_returned(value, f"found_{name}_{tap}", name, padding, wide[name]))
                value = f"found_{name}_{tap}"
            lines.append(f"inside_{name}_{tap} = Clip ({value}, zero, most_{name})")
            if padding == "zeros":
                lines.append(f"is_{name}_{tap} = Equal (inside_{name}_{tap}, tap_{name}_{tap})")
    for y in taps:
        lines.append(f"row_{y} = Mul (inside_y_{y}, size_x)")
        for x in taps:
            lines.append(f"""
                number_{y}_{x} = Add (row_{y}, inside_x_{x})
                index_{y}_{x} = Cast <to = 7> (number_{y}_{x})
                {found}_{y}_{x} = GatherND <batch_dims = 1> (elements, index_{y}_{x})
            """)
            if padding == "zeros":
                lines.append(f"is_{y}_{x} = And (is_y_{y}, is_x_{x})")
                lines.append(f"value_{y}_{x} = Where (is_{y}_{x}, found_{y}_{x}, zero)")
            if mode != "nearest":
                lines.append(f"weighted_{y}_{x} = Mul (value_{y}_{x}, weight_x_{x})")
        if mode != "nearest":
            lines.append(f"line_{y} = Sum ({', '.join(f'weighted_{y}_{x}' for x in taps)})")
            lines.append(f"scaled_{y} = Mul (line_{y}, weight_y_{y})")
    total = "Identity (value_1_1)" if mode == "nearest" else f"Sum ({', '.join(f'scaled_{y}' for y in taps)})"
    lines.append(f"""
        total = {total}
        channels_first = Transpose <perm = [0, 2, 1]> (total)
        shape = Constant <value_ints: ints = {[batch, channels, grid[1], grid[2]]}> ()
        y = Reshape (channels_first, shape)
    """)
    return "\n".join(lines)


def _returned(value: str, result: str, name: str, padding: str, is_wide: bool) -> str:
    """Return what brings a coordinate back into the image as the margin says."""
    if padding == "border":
        return f"{result} = Clip ({value}, zero, most_{name})"
    if padding != "reflection" or not is_wide:
        return f"{result} = Identity ({value})"
    return f"""
        signed_{result} = Sub ({value}, least_{name})
        apart_{result} = Abs (signed_{result})
        ratio_{result} = Div (apart_{result}, period_{name})
        whole_{result} = Floor (ratio_{result})
        full_{result} = Mul (whole_{result}, period_{name})
        rest_{result} = Sub (apart_{result}, full_{result})
        back_{result} = Sub (period_{name}, rest_{result})
        nearer_{result} = Min (rest_{result}, back_{result})
        {result} = Add (nearer_{result}, least_{name})
    """


def _tap_weights(mode: str, name: str) -> str:
    """Return the weights of the elements around a place, by how far it lies behind the second of them."""
    if mode == "nearest":
        return ""
    if mode == "linear":
        return f"""
            next_{name} = Add (tap_{name}_1, one)
            weight_{name}_1 = Sub (next_{name}, at_{name})
            weight_{name}_2 = Identity (part_{name})
        """
    a = -0.75
    lines = [f"before_{name} = Add (part_{name}, one) rest_of_{name} = Sub (one, part_{name})"]
    lines.append(f"behind_{name} = Sub (two, part_{name})")
    far, near = [a, -5 * a, 8 * a, -4 * a], [a + 2, -(a + 3), 0.0, 1.0]
    of = (("before", far), ("part", near), ("rest_of", near), ("behind", far))
    for tap, (distance, factors) in enumerate(of):
        value = f"factor_{name}_{tap}_0"
        lines += [f"factor_{name}_{tap}_{k} = Constant <value_float = {f}> ()" for k, f in enumerate(factors)]
        for k in (1, 2, 3):
            lines.append(f"times_{name}_{tap}_{k} = Mul ({value}, {distance}_{name})")
            result = f"weight_{name}_{tap}" if k == 3 else f"partial_{name}_{tap}_{k}"
            lines.append(f"{result} = Add (times_{name}_{tap}_{k}, factor_{name}_{tap}_{k})")
            value = result
    return "\n".join(lines)
