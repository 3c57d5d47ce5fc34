"""The memory maps of `stillpool analyze`: an SVG, and a page that needs nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from long_model import long_model

from stillpool import compile
from stillpool.cli import main
from stillpool.report.picture.page import memory_page
from stillpool.report.picture.svg import memory_map
from stillpool.report.report import report
from stillpool.report.timeline import Entry, entry, occupied
from stillpool.targets.interfaces.description import Buffer, Constants, Description, LostChannels, Operator, Pool

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
SVG = "{http://www.w3.org/2000/svg}"


def analyze(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["analyze", str(MODEL), *map(str, arguments)])


def rectangles(svg: str, style: str = "buffer") -> list[ElementTree.Element]:
    return [rect for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect") if rect.get("class") == style]


def inline_svg(page: str) -> str:
    return page[page.index("<svg") : page.index("</svg>") + len("</svg>")]


def number(rect: ElementTree.Element, key: str) -> float:
    return float(rect.get(key, "nan"))


def facts(rect: ElementTree.Element) -> tuple[Any, ...]:
    numbers = (int(rect.get(f"data-{key}", "-1")) for key in ("offset", "bytes", "first", "last"))
    return rect.get("data-name"), rect.get("data-pool"), *numbers


def places(buffers: tuple[Buffer, ...]) -> list[tuple[Any, ...]]:
    return sorted((b.name, b.pool, b.offset, b.bytes, b.first_use, b.last_use) for b in buffers)


def test_every_buffer_stands_at_its_place(tmp_path: Path) -> None:
    result = analyze("--svg", tmp_path / "map.svg", "--html", tmp_path / "map.html", "--overlap", "off")
    assert result.exit_code == 0
    assert result.stdout.startswith("digits: workspace ")
    description = compile(MODEL, overlap="off").description
    page = (tmp_path / "map.html").read_text(encoding="utf-8")
    for svg in ((tmp_path / "map.svg").read_text(encoding="utf-8"), inline_svg(page)):
        rects = rectangles(svg)
        assert sorted(map(facts, rects)) == places(description.buffers)
        # What is drawn follows from what is said: one scale for bytes, one for operators.
        big = max(rects, key=lambda rect: number(rect, "height"))
        scale = number(big, "height") / int(big.get("data-bytes", "0"))
        column = number(big, "width") / (int(big.get("data-last", "0")) - int(big.get("data-first", "0")) + 1)
        bottom = number(big, "y") + number(big, "height") + scale * int(big.get("data-offset", "0"))
        left = number(big, "x") - column * int(big.get("data-first", "0"))
        for rect in rects:
            _, _, offset, size, first, last = facts(rect)
            assert number(rect, "y") == pytest.approx(bottom - scale * (offset + size), abs=0.1)
            assert number(rect, "height") == pytest.approx(max(scale * size, 1), abs=0.1)
            assert number(rect, "x") == pytest.approx(left + column * first, abs=0.1)
            assert number(rect, "width") == pytest.approx(column * (last - first + 1), abs=0.1)


def test_hover_says_tensor_place_and_life(tmp_path: Path) -> None:
    assert analyze("--svg", tmp_path / "map.svg", "-q").exit_code == 0
    image = next(r for r in rectangles((tmp_path / "map.svg").read_text()) if r.get("data-name") == "image")
    words = image.findtext(f"{SVG}title", "").splitlines()
    assert words[0] == "image"
    assert words[1] == f"input: 64 bytes at offset {int(image.get('data-offset', '-1')):,} of workspace"
    assert words[2] == "live at position 0 (CONV_2D, index 1)"


def test_equal_runs_write_equal_files(tmp_path: Path) -> None:
    for run in ("1", "2"):
        assert analyze("--svg", tmp_path / run / "m.svg", "--html", tmp_path / run / "m.html", "-q").exit_code == 0
    for name in ("m.svg", "m.html"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == ["m.html", "m.svg"]


def test_the_page_refers_to_nothing_outside(tmp_path: Path) -> None:
    assert analyze("--html", tmp_path / "m.html", "-q").exit_code == 0
    page = (tmp_path / "m.html").read_text(encoding="utf-8")
    assert page.count('xmlns="http://www.w3.org/2000/svg"') == 1
    rest = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//[a-z]|@import|url\(|\bsrc=|<link|\bhref=", rest)
    assert "prefers-color-scheme: dark" in page


def test_a_model_of_500_operators() -> None:
    model = entry(long_model(500))
    svg, page = memory_map("long", "fits", [model]), memory_page("long", "fits", [model])
    for text in (svg, inline_svg(page)):
        assert sorted(map(facts, rectangles(text))) == places(long_model(500).buffers)
        titles = [peak.findtext(f"{SVG}title") for peak in rectangles(text, "peak")]
        assert titles == [f"peak at position {at} (ADD, index {at})" for at in (77, 78)]
    assert number(ElementTree.fromstring(svg), "width") < 1200
    assert number(ElementTree.fromstring(inline_svg(page)), "width") >= 500 * 18
    assert "5,120 bytes in use at position 77 (ADD, index 77), as many at position 78" in page


def test_shared_bytes_count_once() -> None:
    def at(offset: int, size: int) -> Buffer:
        return Buffer("b", "activation", "p", offset, size, 0, 0)

    assert occupied([]) == 0
    assert occupied([at(0, 10), at(5, 10), at(6, 2), at(20, 1)]) == 16


def test_names_from_a_model_file_cannot_break_the_files() -> None:
    name = '</svg><script>alert("x")</script>&\x00\x1b'
    operator = Operator(0, 0, "<b>", name, 0, "f")
    buffer = Buffer(name, "activation", "<pool>", 0, 16, 0, 0)
    model = Description(
        name, "m", (), (), (Pool("<pool>", "p", "workspace", 16, 16),), (buffer,), (operator,), (), Constants()
    )
    (rect,) = rectangles(memory_map(name, "fits", [entry(model)]))
    assert rect.get("data-name") == name.replace("\x00", "�").replace("\x1b", "�")
    page = memory_page(name, "fits", [entry(model)])
    assert page.count("<script") == page.count("</script") == 1
    assert page.count("</svg>") == 1
    assert "<b>" not in page


def test_a_model_without_buffers() -> None:
    empty = [Entry("empty", (), ())]
    assert "No buffer lies in a pool." in memory_map("empty", "fits", empty)
    assert "No buffer lies in a pool." in memory_page("empty", "fits", empty)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    result = analyze("--svg", tmp_path / "file" / "map.svg")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: cannot write {tmp_path / 'file' / 'map.svg'}: ")
    assert (tmp_path / "file").read_text() == "kept"
    assert analyze("--html", tmp_path).exit_code == 2
    twice = analyze("--svg", tmp_path / "a", "--html", tmp_path / "a")
    assert (twice.exit_code, (tmp_path / "a").exists()) == (2, False)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("digits-memory.svg", ()),
        ("digits-whole.svg", ("--overlap", "off", "--no-views")),
        ("digits-rows.svg", ("--rows", "on")),
    ],
)
def test_the_pictures_in_the_documentation_are_what_the_command_draws(
    name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    analyze("--svg", tmp_path / name, *options)
    shown = MODEL.parents[2] / "docs" / name
    command = f"stillpool analyze examples/digits/digits.tflite {' '.join(options)} --svg docs/{name}"
    assert shown.read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8"), f"run: {command}"


def test_rows_of_a_tensor_have_one_colour_and_the_input_goes_down_in_steps(tmp_path: Path) -> None:
    assert analyze("--svg", tmp_path / "map.svg", "--rows", "on", "--planner-seconds", "0.05").exit_code == 0
    root = ElementTree.fromstring((tmp_path / "map.svg").read_text(encoding="utf-8"))
    buffers = compile(MODEL, rows="on", planner_seconds=0.05).description.buffers
    drawn = {facts(one): one for one in root.iter() if one.get("class") == "buffer"}
    assert sorted(drawn) == places(buffers)
    rows = [buffer for buffer in buffers if buffer.row is not None]
    styles: dict[str, set[str]] = {}
    for (name, *_), one in drawn.items():
        styles.setdefault(name.rsplit("[", 1)[0], set()).add(one.get("style", ""))
    assert len({buffer.tensor for buffer in rows}) == 5 < len(rows)
    assert all(len(of_tensor) == 1 for of_tensor in styles.values())
    assert len({style for of_tensor in styles.values() for style in of_tensor}) > 3
    (image,) = (buffer for buffer in buffers if buffer.kind == "input")
    # Eight rows of eight pixels; a later one is never dead before an earlier one.
    assert [part[:2] for part in image.parts] == [(8 * row, 8) for row in range(8)]
    lasts = [last for *_, last in image.parts]
    assert lasts == sorted(lasts)
    assert lasts[0] < lasts[-1] == image.last_use
    (stairs,) = (one for one in drawn.values() if one.tag == f"{SVG}path")
    assert stairs.get("data-name") == image.name
    assert stairs.get("d", "").count("V") == 2 * len(image.parts)


def test_the_report_names_all_channels_that_went_in_lines_that_fit() -> None:
    gone = tuple(range(0, 200, 2))
    lost = LostChannels(10, "DEPTHWISE_CONV_2D", "c", 156, 256, 123_456_789, 234_567_890, 36, 144, gone, (), (7,))
    lines = report(replace(long_model(3), lost=(lost,))).splitlines()
    assert max(map(len, lines)) <= 100
    (first,) = (number for number, line in enumerate(lines) if line.split()[:2] == ["10", "constant"])
    assert " ".join(lines[first:]).split()[2 : 2 + len(gone)] == list(map(str, gone))
    assert ["10", "twin", "7"] in [line.split() for line in lines]
    assert not any("unused" in line for line in lines)


def test_what_went_of_a_model_is_said_in_a_line() -> None:
    lost = LostChannels(0, "CONV_2D", "c", 4, 8, 1_000, 4_000, 36, 144, (1, 2), (3,), (7,))
    model = replace(long_model(3), lost=(lost,))
    said = "channels: 1,000 of 4,000 MACs and 36 of 144 bytes of weights decide all results of this model"
    for picture in (memory_map("m", "fits", [entry(model)]), memory_page("m", "fits", [entry(model)])):
        assert picture.count(said) == 1
    cells = ("0", "CONV_2D", "4 of 8", "1,000 of 4,000", "36 of 144", "1-2", "3", "7")
    assert "".join(f"<td>{cell}</td>" for cell in cells) in memory_page("m", "fits", [entry(model)])
    for picture in (memory_map("m", "fits", [entry(long_model(3))]), memory_page("m", "fits", [entry(long_model(3))])):
        assert "channels:" not in picture
