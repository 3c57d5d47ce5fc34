"""Constants that are stored sparsely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ai_edge_litert.schema_py_generated as schema
import numpy as np
from case import Case, samples_of
from hypothesis import strategies as st
from numpy.typing import NDArray
from tflite_build import Operator, Tensor, options, write_model
from window_specs import SEEDS

DENSE, COMPRESSED = 0, 1


def tree(
    array: NDArray[Any], order: tuple[int, ...], blocks: dict[int, int], formats: tuple[int, ...]
) -> tuple[NDArray[Any], Any]:
    """The stored elements and how they are stored; `blocks` gives the size of the blocks of a dimension."""
    rank = array.ndim
    divided = [extent // blocks.get(d, 1) for d, extent in enumerate(array.shape)]
    split = [extent for d in range(rank) for extent in (divided[d], blocks.get(d, 1))]
    inner = [2 * d + 1 for d in sorted(blocks)]
    rest = [2 * d + 1 for d in range(rank) if d not in blocks]
    axes = [2 * d for d in range(rank)] + inner
    expanded = array.reshape(split).transpose([*axes, *rest]).reshape([split[axis] for axis in axes])
    nodes = [expanded.transpose(order)]
    levels = list[Any]()
    for kind in formats:
        level = schema.DimensionMetadataT()
        level.format = kind
        extent = nodes[0].shape[0] if nodes else 1
        if kind == DENSE:
            level.denseSize = extent
            nodes = [node[i] for node in nodes for i in range(extent)]
        else:
            segments, indices, children = [0], list[int](), list[NDArray[Any]]()
            for node in nodes:
                kept = [i for i in range(extent) if np.any(node[i])]
                indices += kept
                segments.append(len(indices))
                children += [node[i] for i in kept]
            level.arraySegmentsType = level.arrayIndicesType = schema.SparseIndexVector.Int32Vector
            level.arraySegments, level.arrayIndices = schema.Int32VectorT(), schema.Int32VectorT()
            level.arraySegments.values, level.arrayIndices.values = segments, indices
            nodes = children
        levels.append(level)
    made = schema.SparsityParametersT()
    made.traversalOrder, made.blockMap, made.dimMetadata = list(order), sorted(blocks), levels
    return np.array([node[()] for node in nodes], array.dtype), made


@dataclass(frozen=True)
class Sparse:
    """DENSIFY of a matrix, then ADD (of half precision, DEQUANTIZE between them)."""

    dtype: str
    extents: tuple[int, int]
    block: int
    """Columns of a block; 1 for none."""
    swapped: bool
    rows_compressed: bool
    density: float
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        shape = self.extents[0], self.extents[1] * self.block
        full = samples_of("int8" if self.dtype == "int8" else "float32", rng, shape)[0].astype(self.dtype)
        full[rng.random(shape) > self.density] = 0
        # Something must be stored.
        full[0, 0] = 1
        order = ((1, 0) if self.swapped else (0, 1)) + ((2,) if self.block > 1 else ())
        formats = (COMPRESSED if self.rows_compressed else DENSE, COMPRESSED, DENSE)[: len(order)]
        stored, sparsity = tree(full, order, {1: self.block} if self.block > 1 else {}, formats)
        scales = ((0.5,), (0,)) if self.dtype == "int8" else ((), ())
        real = "int8" if self.dtype == "int8" else "float32"
        weights = Tensor(shape, self.dtype, *scales, data=stored, sparsity=sparsity)
        dense, wide = Tensor(shape, self.dtype, *scales), Tensor(shape, real, *scales)
        operators = [Operator("DENSIFY", (0,), (1,), options("Densify"))]
        if self.dtype == "float16":
            operators.append(Operator("DEQUANTIZE", (1,), (2,), options("Dequantize")))
        operators.append(Operator("ADD", (2 if self.dtype == "float16" else 1, 3), (4,), options("Add")))
        model = write_model([weights, dense, wide, wide, wide], operators, (3,), (4,))
        return Case(model, (samples_of(real, rng, shape),), oracle="litert")


def matrices(dtype: str) -> st.SearchStrategy[Sparse]:
    """With and without blocks, by rows and by columns."""
    return st.builds(
        Sparse,
        dtype=st.just(dtype),
        extents=st.tuples(st.integers(1, 6), st.integers(1, 6)),
        block=st.sampled_from((1, 1, 2, 4)),
        swapped=st.booleans(),
        rows_compressed=st.booleans(),
        density=st.sampled_from((0.1, 0.5, 1.0)),
        seed=SEEDS,
    )


KINDS = {f"DENSIFY {dtype}": matrices(dtype) for dtype in ("float32", "float16", "int8")}
