"""MkDocs hook: links from pages to files of the repository that are not part of the site.

With `repo_url` in `mkdocs.yml` they lead there, without it their text says the path.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]*)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """The page's text with links out of `docs/` replaced."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def shown(match: re.Match[str]) -> str:
        text, target = match[1], posixpath.normpath(posixpath.join(folder, match[2]))
        if target.startswith("docs/"):
            return match[0]
        if config.repo_url:
            return f"[{text}]({config.repo_url.rstrip('/')}/blob/HEAD/{target})"
        path = text.strip("`").removeprefix("../").rstrip("/")
        return f"`{target}`" if path == target else f"{text} (`{target}`)"

    return _LINK.sub(shown, markdown)
