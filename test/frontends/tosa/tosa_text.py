"""Writes TOSA modules as text, as `mlir-opt` prints them: networks for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ELEMENTS = {"int8": "i8", "int16": "i16", "int32": "i32", "float32": "f32", "bool": "i1"}


class Text:
    """A function that grows."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.types: dict[str, str] = {}
        self.arguments: list[str] = []
        self.globals: list[str] = []

    def input(self, dtype: str, *shape: int) -> str:
        """An input."""
        name = f"%in{len(self.arguments)}"
        self.types[name] = _type(ELEMENTS[dtype], shape)
        self.arguments.append(name)
        return name

    def constant(self, values: object, dtype: str, element: str | None = None) -> str:
        """A constant."""
        array = np.asarray(values, dtype)
        name, type = f"%{len(self.lines)}", _type(element or ELEMENTS[dtype], array.shape)
        words = {"True": "true", "False": "false"}
        numbers = [words.get(str(value), repr(value)) for value in array.reshape(-1).tolist()]
        self.types[name] = type
        self.lines.append(
            f'{name} = "tosa.const"() <{{values = dense<{_nested(numbers, array.shape)}> : {type}}}> : () -> {type}'
        )
        return name

    def shape(self, values: Sequence[int]) -> str:
        """Extents."""
        name, type = f"%{len(self.lines)}", f"!tosa.shape<{len(values)}>"
        self.types[name] = type
        dense = f"dense<{list(values)}> : tensor<{len(values)}xindex>"
        self.lines.append(f"{name} = tosa.const_shape {{values = {dense}}} : () -> {type}")
        return name

    def op(self, kind: str, operands: Sequence[str], dtype: str, shape: Sequence[int], attributes: str = "") -> str:
        """An operation with one result."""
        name = f"%{len(self.lines)}"
        self.types[name] = _type(ELEMENTS.get(dtype, dtype), shape)
        braces = f" {{{attributes}}}" if attributes else ""
        given = ", ".join(self.types[operand] for operand in operands)
        self.lines.append(f"{name} = tosa.{kind} {', '.join(operands)}{braces} : ({given}) -> {self.types[name]}")
        return name

    def shape_of(self, value: str) -> list[int]:
        """The extents of a value."""
        return [int(extent) for extent in self.types[value][7:-1].split("x")[:-1]]

    def rescale(
        self,
        value: str,
        multiplier: int | Sequence[int],
        shift: int | Sequence[int],
        zero_points: tuple[int, int] = (0, 0),
        dtype: str = "int8",
        rounding: str = "SINGLE_ROUND",
        unsigned: tuple[bool, bool] = (False, False),
    ) -> str:
        """RESCALE."""
        source = self.types[value][:-1].split("x")[-1]
        numpy_of = {"i8": "int8", "i16": "int16", "i32": "int32"}
        per_channel = not isinstance(multiplier, int)
        wide = source == "i48"
        operands = [
            value,
            self.constant(np.atleast_1d(multiplier), "int16" if wide else "int32"),
            self.constant(np.atleast_1d(shift), "int8"),
            self.constant([zero_points[0]], "int64" if wide else numpy_of[source], "i48" if wide else None),
            self.constant([zero_points[1]], dtype),
        ]
        flags = {
            "input_unsigned": unsigned[0],
            "output_unsigned": unsigned[1],
            "per_channel": per_channel,
            "scale32": not wide,
        }
        words = ", ".join(f"{name} = {str(flag).lower()}" for name, flag in flags.items())
        return self.op("rescale", operands, dtype, self.shape_of(value), f"{words}, rounding_mode = {rounding}")

    def conv(
        self,
        kind: str,
        value: str,
        weights: np.ndarray,
        bias: np.ndarray,
        zero_points: tuple[int, int],
        shape: Sequence[int],
        acc: str,
        **attributes: Sequence[int],
    ) -> str:
        """A convolution of floats, or its sums."""
        source = {"i32": "int8", "i48": "int16", "f32": "float32"}[acc]
        operands = [
            value,
            self.constant(weights, weights.dtype.name),
            self.constant(bias, "int64" if acc == "i48" else bias.dtype.name, acc if acc == "i48" else None),
            self.constant([zero_points[0]], source),
            self.constant([zero_points[1]], weights.dtype.name),
        ]
        words = "".join(f", {name} = array<i64: {', '.join(map(str, v))}>" for name, v in attributes.items())
        return self.op(kind, operands, acc, shape, f"acc_type = {acc}{words}")

    def module(self, *outputs: str) -> str:
        """The text."""
        given = ", ".join(f"{name}: {self.types[name]}" for name in self.arguments)
        made = ", ".join(self.types[name] for name in outputs)
        lines = [*self.lines, f"return {', '.join(outputs)} : {made}"]
        body = "\n".join(f"    {line}" for line in lines)
        head = "".join(f"  {line}\n" for line in self.globals)
        return f"module {{\n{head}  func.func @main({given}) -> ({made}) {{\n{body}\n  }}\n}}\n"


def _type(element: str, shape: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def _nested(numbers: Sequence[str], shape: Sequence[int]) -> str:
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0]
    parts = [_nested(numbers[step * row : step * (row + 1)], shape[1:]) for row in range(shape[0])]
    return f"[{', '.join(parts)}]"
