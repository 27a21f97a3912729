import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from crawler_project.reports.colours import STRATEGY_COLOURS, strategy_colour
from crawler_project.reports.figures import Bar, Line, Trail, draw_curves, draw_distribution, draw_trails, line_styles
from crawler_project.strategies import STRATEGIES

HOSTILE = "<script>alert(1)</script>\"'&$x^{2$"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def line(strategy: str, *shares: float, style: str = "-") -> Line:
    return Line(strategy, strategy, style, np.arange(1, len(shares) + 1), np.array(shares))


def test_distribution_shows_labels_and_shares_as_text() -> None:
    svg = draw_distribution([Bar("Korean", 3, 0.75, True), Bar("English", 1, 0.25, False)], "control", "d1")
    assert {"Korean", "English", "75.00 %", "25.00 %", "share of pages downloaded (%)"} <= set(texts(svg))
    assert svg.count("fill: #0072b2") == 1


def test_distribution_escapes_what_a_language_label_holds() -> None:
    svg = draw_distribution([Bar(HOSTILE, 1, 1, False)], "control", "d1")
    assert "<script" not in svg
    assert HOSTILE in texts(svg)


def test_curves_have_labelled_axes_and_thousands_separators() -> None:
    svg = draw_curves([line("control", *[0.5] * 3000)], "harvest rate", "h1", cut=1000)
    assert {"pages downloaded", "harvest rate (%)", "100", "1,000"} <= set(texts(svg))


def test_plots_take_colours_and_fonts_of_the_page_and_ask_for_nothing() -> None:
    svg = draw_curves([line("control", 0.5, 0.4)], "coverage", "c1")
    assert "currentColor" in svg
    assert not re.search(r"#0[123]0[123]0[123]|font-family|<style|<metadata|<\?xml|http://(?!www\.w3\.org)", svg)
    assert re.match(r'<svg aria-hidden="true" focusable="false" [^>]*viewBox="[^"]*"[^>]*>', svg)
    assert not re.match(r"<svg[^>]* (width|height)=", svg)


def test_ids_of_two_plots_in_one_page_differ() -> None:
    found = [set(re.findall(r'id="([^"]+)"', draw_curves([line("control", 1, 0)], "x", name))) for name in ("a", "b")]
    assert found[0]
    assert found[0].isdisjoint(found[1])


def test_plots_are_the_same_each_time() -> None:
    assert draw_curves([line("lswc", 0.1, 0.2)], "x", "a") == draw_curves([line("lswc", 0.1, 0.2)], "x", "a")


@pytest.mark.parametrize(
    "ends", [(1.3, 1.29, 1.28, 1.27, 1.31, 1.2), (-0.1, -0.1, -0.1), (0.5,), (2.0, -2.0, 2.0, 2.0)]
)
def test_trails_are_numbered_at_their_ends_apart_and_within_the_plot(ends: tuple[float, ...]) -> None:
    svg = draw_trails([Trail("a", [100, 120, 144], [0.1, 0.2, end]) for end in ends], "log-odds", "t1")
    found = re.findall(r'text-anchor: start[^>]* y="([\d.]+)"[^>]*>(\d)</text>', svg)
    assert sorted(number for _, number in found) == [str(number) for number in range(1, len(ends) + 1)]
    heights = sorted(float(height) for height, _ in found)
    assert all(lower - upper > 8 for upper, lower in pairwise(heights))


@pytest.mark.parametrize(
    ("pages", "ticks"), [([100, 120], 2), ([100, 120, 144, 173], 2), ([100, 450], 2), ([100, 1000, 10_000], 5)]
)
def test_trails_have_more_than_one_number_of_pages(pages: list[int], ticks: int) -> None:
    svg = draw_trails([Trail("a", pages, [0.5] * len(pages))], "log-odds", "t1")
    shown = [text for text in texts(svg) if re.fullmatch(r"[\d,]{3,}", text)]
    assert len(shown) >= ticks


def test_line_styles_tell_crawls_of_one_strategy_apart() -> None:
    assert line_styles(["control", "lswc", "lswc", "control", "lswc"]) == ["-", "-", "--", "--", "-."]


def test_every_strategy_has_a_colour_of_its_own() -> None:
    assert set(STRATEGIES) <= set(STRATEGY_COLOURS)
    assert len(set(STRATEGY_COLOURS.values())) == len(STRATEGY_COLOURS)


@pytest.mark.parametrize("name", ["my.own.Strategy", "", "\ud800"])
def test_other_strategies_get_one_of_the_colours(name: str) -> None:
    assert strategy_colour(name) in STRATEGY_COLOURS.values()
