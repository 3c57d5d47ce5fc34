"""The flame graph by itself: order, proportion, and colours that can be read in light and dark."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from browser import BROWSER, THEMES, brightness, browse

from stillpool.run.emulate.call_tree import Node
from stillpool.run.emulate.flame_graph import flame_graph

TREE = Node(
    "net",
    100,
    (
        Node("0 ADD", 20, (Node("add_0", 18, ()),)),
        Node("1 CONV_2D", 70, (Node("conv", 30, ()), Node("requantise", 35, ()))),
        Node("2 ADD", 5, ()),
    ),
)
PROBE = """
<script>
const colour = (element, key) => getComputedStyle(element)[key];
const boxes = [...document.querySelectorAll(".box")], words = document.querySelector("svg g text");
document.body.dataset.found = JSON.stringify({
  ground: colour(document.querySelector(".ground"), "fill"),
  ink: colour(words, "fill"),
  boxes: boxes.map(box => colour(box, "fill")),
});
</script>
"""


def test_boxes_of_one_row_stand_in_order_of_size() -> None:
    found = re.findall(r'<title>([^:]+): (\d+) .*?x="([\d.]+)" y="(\d+)" width="([\d.]+)"', flame_graph(TREE, "t"))
    assert {name for name, *_ in found} == {"net", "0 ADD", "add_0", "1 CONV_2D", "conv", "requantise", "2 ADD"}
    rows: dict[int, list[tuple[float, int, float]]] = {}
    for _, count, x, y, width in found:
        rows.setdefault(int(y), []).append((float(x), int(count), float(width)))
    by_place = [[count for _, count, _ in sorted(row)] for _, row in sorted(rows.items(), reverse=True)]
    assert by_place == [[100], [70, 20, 5], [35, 30, 18]]
    (whole,) = rows[max(rows)]
    for row in rows.values():
        for _, count, width in row:
            assert width == pytest.approx(whole[2] * count / 100, abs=0.06)


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed: chromium")
@pytest.mark.parametrize("theme", THEMES)
def test_it_can_be_read_in_both_themes(theme: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><body>{flame_graph(TREE, 't')}{PROBE}</body>", encoding="utf-8")
    dom, log = browse(tmp_path, page.as_uri(), "--dump-dom", theme=theme)
    told = re.search(r'data-found="([^"]*)"', dom)
    assert told, log
    found = json.loads(unescape(told[1]))
    assert len(found["boxes"]) == 7
    ground, ink = brightness(found["ground"]), brightness(found["ink"])
    assert (ground < 60 and ink > 180) if theme == "dark" else (ground > 200 and ink < 100)
    for box in found["boxes"]:
        # Letters stand on the box, the box stands out from the ground.
        assert abs(brightness(box) - ink) > 80, (box, found["ink"])
        assert abs(brightness(box) - ground) > 15, (box, found["ground"])
