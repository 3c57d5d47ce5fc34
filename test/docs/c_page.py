"""The page of the C interface, from the headers that are written for the example `digits`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pages import ROOT

import stillpool
from stillpool.targets.custom_header import CUSTOM_HEADER, custom_header

DIGITS = ROOT / "examples/digits/digits.tflite"
READER = ROOT / "examples/reader/reader.tflite"

VARIANTS: dict[str, dict[str, Any]] = {
    "--workspace-io none": {"workspace_io": "none"},
    "--io double-buffer": {"double_buffer_inputs": True},
    "--io released-callback": {"input_released_callback": True},
    "--io stream=image": {"stream_input": "image"},
    "--builtin-pools": {"builtin_pools": True},
    "--profile-hooks": {"profile_hooks": True},
    "--poison": {"poison": True},
}
"""Options that change the header, as the command line and as Python has them."""

QUICK: dict[str, Any] = {"algorithm": "greedy_by_size", "overlap": "off", "views": False}
"""Nothing of a plan is shown."""

FIXED = {
    "ai_runtime_api.h": ("targets/interfaces/ai/ai_runtime_api.h", "`--interface ai`"),
    "ai_platform.h": ("targets/interfaces/x_cube_ai/ai_platform.h", "`--interface x-cube-ai`"),
    "stai.h": ("targets/interfaces/x_cube_ai/stai.h", "`--interface x-cube-ai`"),
    "stillpool_model.h": ("targets/shims/stillpool_model.h", "`--shim table`"),
    "stillpool_interpreter.hpp": ("targets/shims/stillpool_interpreter.hpp", "`--shim cpp`"),
    "stillpool_packed.h": ("targets/shims/stillpool_packed.h", "`--shim packed`"),
}
"""Headers that are the same for all models: where they are, and what writes them."""


def page() -> str:
    """The page's text."""
    plain = _paragraphs(stillpool.compile(DIGITS, **QUICK).sources.header)
    parts = [
        "What the headers declare, of the model `digits` with the input `image` and the output `scores`; sizes and "
        "positions are the model's own. Who owns what, in words: [c-interface.md](../c-interface.md).\n",
        "## `digits.h`\n",
        *_shown(plain),
    ]
    for option, request in VARIANTS.items():
        changed = _paragraphs(stillpool.compile(DIGITS, **QUICK, **request).sources.header)
        parts += [f"## `digits.h` with `{option}`\n", *_shown([one for one in changed if one not in plain])]
    state = _paragraphs(stillpool.compile(READER, **QUICK).sources.header)
    parts += ["## Of a model with state\n", *_shown([one for one in state if "reset" in one or "STATE" in one])]
    for name, (path, option) in FIXED.items():
        parts += [f"## `{name}`, by {option}\n", *_shown(_paragraphs((ROOT / path).read_text()))]
    parts += [f"## `{CUSTOM_HEADER}`, by `--custom`\n", *_shown(_paragraphs(custom_header()))]
    return "\n".join(parts)


_CONDITION = re.compile(r"^ *#(?:if|ifdef|ifndef|else|elif|endif|include)\b")
_DEEP = re.compile(r"^#ifn?def (?:STILLPOOL_ALIGNED|AI_ALIGNED|__cplusplus)\n.*?^#endif\n(?:#endif\n)?", re.M | re.S)


def _paragraphs(header: str) -> list[str]:
    """What stands between empty lines, without licence, guards and what is for compilers; no size, no position."""
    text = re.sub(r"\A/\*.*?(?:as you like|same for all).*?\*/\n", "", header, flags=re.DOTALL)
    text = _DEEP.sub("", text)
    text = re.sub(
        r"^(#define (?!\w+_ERROR_)\w+(?:SIZE|COUNT|ROWS|AFTER|NUMBER|SCALE|ZERO_POINT)) .*",
        r"\1 ...",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"until position \d+ \([^)]*\)", "until position ... (...)", text)
    lines = [
        line for line in text.splitlines() if not _CONDITION.match(line) and not re.match(r"#define \w+_HP?P?$", line)
    ]
    found = re.split(r"\n{2,}", "\n".join(lines))
    return [one.strip("\n") for one in found if one.strip() and one.strip() not in ('extern "C" {', "}")]


def _shown(paragraphs: list[str]) -> Iterator[str]:
    """The comment before a declaration as text, and the declaration as code."""
    for paragraph in paragraphs:
        comment = re.match(r"/\*(.*?)\*/\n?", paragraph, re.DOTALL)
        code = paragraph[comment.end() :] if comment else paragraph
        if comment:
            yield _prose(comment[1])
        if code.strip():
            yield f"```c\n{code}\n```\n"


def _prose(comment: str) -> str:
    """A comment's text; what is indented in it is code."""
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.split("\n")]
    blocks = re.split(r"\n\s*\n", "\n".join(lines).strip())
    shown: list[str] = []
    for block in blocks:
        if block.startswith("    "):
            shown.append("```c\n" + re.sub("^    ", "", block, flags=re.MULTILINE) + "\n```")
        else:
            shown.append(re.sub(r"\s+", " ", block).replace("<", "\\<").replace("*", "\\*").strip())
    return "\n\n".join(shown) + "\n"
