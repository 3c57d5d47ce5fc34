r"""MkDocs hook: pages are written to be read in the repository too.

Links to files that are not part of the site lead to `repo_url` of `mkdocs.yml`; without it their text says the path.
`\|` within code in a table is a bar, as GitHub's tables have it.
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


def on_page_content(html: str, **_: Any) -> str:
    """The page with bars in the code of tables."""
    return re.sub(r"<td>.*?</td>", lambda cell: cell[0].replace("\\|", "|"), html, flags=re.DOTALL)
