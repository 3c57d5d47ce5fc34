"""Forms of constants: which requests make sense, and the files of bytes of constant pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import UsageError
from ...targets.interfaces.description import Description
from ...targets.interfaces.interface import Interface
from ...targets.weights.blob import Blob, Part, blob
from .options import Weights
from .pool_spec import PoolSpec

DEFAULT_POOL = "constants"
"""The constant pool where constants are to be in one and nobody names any."""


def with_constant_pool(pools: tuple[PoolSpec, ...], weights: Weights) -> tuple[PoolSpec, ...]:
    """The pools of a compilation: with a constant pool if there must be one."""
    if weights != "binary" or any(pool.kind == "constant" for pool in pools):
        return pools
    return (*pools, PoolSpec(DEFAULT_POOL, "constant"))


def check_weights(
    weights: Weights, pools: Sequence[PoolSpec], interface: type[Interface], *, is_built_in: bool
) -> None:
    """Refuse what nobody could make of constants.

    Raises:
        UsageError: the constants are to be in pools and in the sources' arrays, or the reverse.
    """
    constant = [pool.name for pool in pools if pool.kind == "constant"]
    if weights == "incbin" and constant:
        raise UsageError(
            f"--weights incbin is for constants outside pools, and there is the constant pool '{constant[0]}'",
            remedy="use --weights binary, or leave out the pool",
        )
    if weights == "binary" and (is_built_in or interface.builds_constants_in):
        what = "--builtin-pools" if is_built_in else f"--interface {interface.style}"
        raise UsageError(
            f"--weights binary leaves it to the application where constants are, and {what} builds them in",
            remedy=f"use --weights incbin, or leave out {what}",
        )


def pool_blobs(description: Description, contents: Mapping[str, bytes], stem: str) -> dict[Blob, bytes]:
    """The files with the contents of the constant pools; `contents` by pool name, `stem` begins the names of files."""
    return {
        blob(
            f"{stem}_{pool.identifier}.bin",
            contents[pool.name],
            pool.alignment,
            [
                Part(buffer.name, buffer.offset, buffer.bytes)
                for buffer in description.buffers
                if buffer.kind == "constant" and buffer.pool == pool.name
            ],
            pool=pool.name,
        ): contents[pool.name]
        for pool in description.constant_pools
    }
