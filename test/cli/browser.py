"""A real browser, where one is installed, and what it draws in both themes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
THEMES = {"light": 1, "dark": 0}
"""What Blink calls them."""


def browse(tmp_path: Path, url: str, *arguments: str, size: str = "1200,900", theme: str = "light") -> tuple[str, str]:
    """The browser's output and log."""
    assert BROWSER is not None, "tests are skipped without a browser"
    quiet = "gpu quic background-networking component-update sync".split()
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--no-first-run",
        *(f"--disable-{what}" for what in quiet),
        f"--user-data-dir={tmp_path / 'profile'}",
        f"--window-size={size}",
        f"--blink-settings=preferredColorScheme={THEMES[theme]}",
        "--enable-logging=stderr",
        "--virtual-time-budget=2000",
        *arguments,
        url,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return done.stdout, done.stderr


def brightness(colour: str) -> float:
    """The mean of the three parts of `rgb(...)`."""
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3
