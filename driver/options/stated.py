"""The options of a compilation as words of the command line: what the files of a project say they were made with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...outside import well_formed
from .options import Options
from .pool_spec import PoolSpec, parse_pool

_DEFAULTS: Mapping[str, object] = {
    "views": True,
    "overlap": "full",
    "interface": "native",
    "target": "host",
    "concurrency": "exclusive",
    "weights": "source",
}
"""Defaults of options where nothing is said."""
_CALLED = {
    "algorithm": "usmp-algorithm",
    "alignments": "align",
    "custom_sources": "custom-source",
    "external_sources": "external-source",
    "externals": "external",
    "pins": "pin",
    "row_segments": "row-segment",
    "shims": "shim",
}
"""Options that the command line calls otherwise."""
_SAID_OTHERWISE = ("name",)
"""Files say the model's name in any case."""


def stated_options(options: Options) -> tuple[str, ...]:
    """The options that are not defaults as words, in alphabetical order; of files their names without folders."""
    words: list[str] = []
    for key, value in sorted(options.items()):
        if key in _SAID_OTHERWISE or value is None or value is _DEFAULTS.get(key, False) or value == _DEFAULTS.get(key):
            continue
        words += _words(key, value)
    return tuple(map(well_formed, words))


def flag_of(key: str) -> str:
    """Name of an option on the command line."""
    return f"--{_CALLED.get(key, key).replace('_', '-')}"


def option_of(key: str) -> str:
    """Name of an option as the help of the verbs lists it."""
    return _LISTED.get(key) or flag_of(key)


_LISTED = {
    "double_buffer_inputs": "--io double-buffer",
    "input_layout": "--io layout",
    "input_released_callback": "--io released-callback",
    "keep_inputs": "--io keep",
    "recompute": "--spend macs",
    "stream_input": "--io stream",
}
"""Names of settings of options that gather others."""


def _words(key: str, value: Any) -> list[str]:
    option = flag_of(key)
    match key:
        case "pools":
            return [word for pool in value for word in _pool(pool)]
        case "views":
            return ["--no-views"]
        case "input_shapes":
            shapes = {name: ",".join(map(str, shape)) for name, shape in value.items()}
            return [word for name, shape in shapes.items() for word in ("--input-shape", f"{name}={shape}")]
        case "custom":
            return [word for name, function in value.items() for word in (option, f"{name}={function}")]
        case "custom_sources" | "external_sources":
            return [word for path in value for word in (option, Path(path).name)]
        case "schedules":
            return [option, Path(value).name]
        case _ if value is True:
            return [option]
        case _ if isinstance(value, str | int | float):
            return [option, str(value)]
        case _:
            return [word for item in value for word in (option, str(item))]


def _pool(pool: PoolSpec | str) -> list[str]:
    spec = parse_pool(pool) if isinstance(pool, str) else pool
    return [f"--{spec.kind}-pool", str(spec)]
