"""The memory maps in a real browser: what it draws, what hovering shows, in both themes, without any network."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browser import BROWSER, THEMES, brightness, browse
from click.testing import CliRunner
from long_model import long_model

from stillpool.cli import main
from stillpool.report.picture.page import memory_page
from stillpool.report.timeline import entry

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no browser is installed: chromium")

LISTENER = '<script>addEventListener("error", event => document.body.dataset.error = event.message);</script>'
PROBE = """
<script>
{
const rects = [...document.querySelectorAll("rect.buffer")];
const box = rects[0].getBoundingClientRect();
rects[0].dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + 2, clientY: box.top + 2, bubbles: true}));
const tip = document.getElementById("tip");
const style = element => getComputedStyle(element);
document.body.dataset.found = JSON.stringify({
  drawn: rects.filter(rect => rect.getBoundingClientRect().height > 0).length,
  rects: rects.length,
  tip: tip.hidden ? "" : tip.textContent,
  tipInside: tip.getBoundingClientRect().right <= innerWidth,
  peak: document.querySelector("rect.peak").getBoundingClientRect().left,
  width: innerWidth,
  overflow: document.documentElement.scrollWidth - innerWidth,
  ground: style(document.body).backgroundColor,
  ink: style(document.body).color,
  requests: performance.getEntriesByType("resource").length,
});
}
</script>
"""


ZOOM = """
<script>
{
const map = document.querySelector(".map"), drawing = map.querySelector("svg"), fit = document.getElementById("fit");
const box = () => drawing.getBoundingClientRect();
const press = name => { document.getElementById(name).click(); return box().width; };
const bar = document.querySelector("rect.buffer");
const bars = () => bar.getBoundingClientRect().width / bar.getBoundingClientRect().height;
const natural = box().width, form = bars();
const inside = press("zoom-in"), out = press("zoom-out");
const outer = map.getBoundingClientRect();
const x = outer.left + 40, under = (x - box().left) / box().width;
const turned = (init) => map.dispatchEvent(new WheelEvent("wheel", {deltaY: -300, clientX: x, clientY: box().top + 9,
  bubbles: true, cancelable: true, ...init}));
const scrolls = turned({}), unturned = box().width;
const kept = !turned({ctrlKey: true}), wheel = box().width;
const moved = Math.abs((x - box().left) / box().width - under) * box().width;
for (let i = 0; i < 20; ++i) press("zoom-in");
const most = box().width;
const same = Math.abs(bars() / form - 1);
fit.checked = true;
fit.dispatchEvent(new Event("change"));
const fitted = box().width, room = map.clientWidth;
document.body.dataset.found = JSON.stringify(
  {natural, inside, out, scrolls, unturned, kept, wheel, moved, most, same, fitted, room});
}
</script>
"""


def probe(tmp_path: Path, page: str, script: str = PROBE, **options: str) -> dict[str, Any]:
    """What a script finds in the drawn page."""
    path = tmp_path / "page.html"
    page = page.replace("<head>", f"<head>{LISTENER}").replace("</body>", f"{script}</body>")
    path.write_text(page, encoding="utf-8")
    dom, log = browse(tmp_path, path.as_uri(), "--dump-dom", **options)
    assert "data-error" not in dom
    assert not re.search(r"CONSOLE.*(error|Uncaught)", log, re.IGNORECASE), log
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found, dom[:500]
    return json.loads(unescape(found[1]))


def digits(tmp_path: Path) -> tuple[str, Path]:
    """The page, and the file of the picture."""
    page, picture = tmp_path / "memory.html", tmp_path / "memory.svg"
    result = CliRunner().invoke(main, ["analyze", str(MODEL), "--html", str(page), "--svg", str(picture)])
    assert result.exit_code == 0, result.output
    return page.read_text(encoding="utf-8"), picture


def test_the_page_in_both_themes(tmp_path: Path) -> None:
    page, _ = digits(tmp_path)
    light, dark = (probe(tmp_path, page, theme=theme) for theme in THEMES)
    for found in (light, dark):
        assert found["drawn"] == found["rects"] == 10
        assert "bytes" in found["tip"]
        assert found["tipInside"]
        assert found["requests"] == 0
        assert found["overflow"] <= 0
        assert abs(brightness(found["ground"]) - brightness(found["ink"])) > 150
    assert brightness(dark["ground"]) < 60 < 200 < brightness(light["ground"])


def test_a_narrow_window_scrolls_the_map_alone(tmp_path: Path) -> None:
    page, _ = digits(tmp_path)
    found = probe(tmp_path, page, size="500,900")
    assert found["overflow"] <= 0
    assert 0 <= found["peak"] < found["width"]


def test_five_hundred_operators(tmp_path: Path) -> None:
    found = probe(tmp_path, memory_page("long", "fits", [entry(long_model(500))]))
    assert found["drawn"] == found["rects"] == 500
    # The page opens at the peak, and only the map is wider than the window.
    assert 0 <= found["peak"] < found["width"]
    assert found["overflow"] <= 0


def test_the_map_zooms(tmp_path: Path) -> None:
    found = probe(tmp_path, memory_page("long", "fits", [entry(long_model(60))]), ZOOM)
    natural = found["natural"]
    assert (found["inside"], found["out"]) == (pytest.approx(1.5 * natural), pytest.approx(natural))
    # The wheel alone scrolls the page; with Ctrl it zooms, and what is below the pointer stays there.
    assert (found["scrolls"], found["unturned"]) == (True, pytest.approx(natural))
    assert (found["kept"], found["wheel"]) == (True, pytest.approx(2.718 * natural, rel=0.01))
    assert found["moved"] < 2
    assert found["most"] == pytest.approx(16 * natural)
    assert found["same"] < 0.02
    assert found["fitted"] <= found["room"]


def test_the_picture_alone(tmp_path: Path) -> None:
    _, picture = digits(tmp_path)
    shots: list[bytes] = []
    for theme in THEMES:
        shot = tmp_path / f"{theme}.png"
        _, log = browse(tmp_path, picture.as_uri(), f"--screenshot={shot}", theme=theme)
        assert shot.exists(), log
        shots.append(shot.read_bytes())
    # An empty window of this size is a few kilobytes.
    assert min(map(len, shots)) > 15_000
    assert shots[0] != shots[1]
