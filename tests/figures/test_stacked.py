"""Two curves one below the other on a page: their places, numbers and points."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.figures.layout import areas
from pe_explorer.figures.page import PageText, Polyline
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.pictures.distances import DistancesOptions
from tests.support.cases import for_each
from tests.support.figures import check_texts, figures_of, items_of, measure, page_with, words_of

PINS = (
    Pin(encodings.create("sinusoidal", base=100.0), "a base of 100, and a long name", "magenta"),
    Pin(encodings.create("rope"), "RoPE", "green"),
)
SIZES = ["84x60mm", "84x110mm", "174x60mm", "174x100mm"]
NOTEBOOK = encodings.create("sinusoidal", dim=512, layout="concatenated", spacing="endpoint")
FIELDS = {"encoding": NOTEBOOK, "count": 50, "reference": 20, "metric": "dot"}
FONT = 8.0  # points, the usual size


def below(metric, part="curve"):
    return {"distances": DistancesOptions(part=part, below=metric)}


def table():
    rates = 1e4 ** -(np.arange(256) / 255)
    angles = np.arange(50)[:, None] * rates
    return np.hstack([np.sin(angles), np.cos(angles)])


@for_each("part", ["curve", "both"])
@for_each("size", SIZES)
def test_both_areas_are_equal_and_one_has_the_numbers_across(part, size):
    size = parse_figure_size(size)
    fields = {**FIELDS, "options": below("sse", part), "size": size}
    figures = figures_of("distances", **fields)
    ((upper, lower, *matrix),) = areas(figures, Style(), *size.in_points, measure)
    assert (upper.left, upper.width) == pytest.approx((lower.left, lower.width))
    assert upper.height == pytest.approx(lower.height)
    assert 0 < lower.top - upper.bottom < 2 * FONT
    assert min(upper.width, upper.height) >= 3 * FONT
    page = page_with("distances", **fields)
    check_texts(page)
    level = [text for text in items_of(page, PageText) if not text.upward]
    titles = [text for text in level if text.text == "position"]
    between = [text for text in level if upper.bottom < text.y - text.size / 2 < lower.top]
    assert len(titles) == 1 + len(matrix)
    assert not [text for text in between if text.anchor == "middle"]
    assert [area.width > 40 for area in matrix] == [True] * (part == "both")


@for_each("start", [0, 10**9 + 3, -(10**15)])
@for_each("legend", ["auto", "inside", "below"])
def test_texts_and_the_legend_have_room(start, legend):
    style = Style(legend=legend)
    for size in ("84x60mm", "174x90mm"):
        fields = {"options": below("correlation"), "start": start, "reference": start}
        page = page_with(
            "distances", style=style, size=parse_figure_size(size), pins=PINS, **fields
        )
        check_texts(page)
        assert " ".join(words_of(page)).count("RoPE") == 1


def test_the_points_on_paper_are_the_dot_products_and_the_squared_errors():
    size = parse_figure_size("84x60mm")
    fields = {**FIELDS, "options": below("sse"), "size": size}
    (figure,) = figures_of("distances", **fields)
    ((upper, lower),) = areas([figure], Style(), *size.in_points, measure)
    lines = [line for line in items_of(page_with("distances", **fields), Polyline) if line.clip]
    rows = table()
    wanted = rows @ rows[20], ((rows - rows[20]) ** 2).sum(axis=1)
    for area, panel, numbers in zip((upper, lower), figure.panels, wanted, strict=True):
        (curve,) = [each for each in lines if each.clip == area and len(each.points) == 50]
        across, down = curve.points.T
        x = (across - area.left) / area.width * 50 - 0.5
        y = panel.y.low + (1 - (down - area.top) / area.height) * panel.y.length
        np.testing.assert_allclose(x, np.arange(50), atol=1e-9)
        np.testing.assert_allclose(y, numbers, atol=1e-9)
        marks = [each for each in lines if each.clip == area and len(each.points) == 2]
        place = area.left + (20 + 0.5) / 50 * area.width
        assert [mark.points[:, 0].tolist() for mark in marks] == [[pytest.approx(place)] * 2]


def test_the_second_curve_alone_has_numbers_title_and_legend():
    fields = {"options": below("sse", "both"), "pins": PINS}
    page = page_with("distances-second-curve", **fields)
    words = words_of(page)
    assert {"position", "0", "RoPE"} <= set(words)
    assert any(word.startswith("sum of squared errors") for word in words)
    assert not any(word.startswith("cosine") for word in words)
    check_texts(page)
    first = words_of(page_with("distances-curve", **fields))
    assert {"position", "cosine distance", "from position 0", "RoPE"} <= set(first)


def test_a_sentence_stands_in_the_panel_that_has_no_curve():
    size = parse_figure_size("174x120mm")
    fields = {"encoding": encodings.create("index"), "metric": "sse", "size": size}
    options = below("cosine")
    ((upper, lower),) = areas(
        figures_of("distances", options=options, **fields), Style(), *size.in_points, measure
    )
    page = page_with("distances", options=options, **fields)
    (line, *_) = [text for text in items_of(page, PageText) if "only zeros" in text.text]
    assert upper.bottom < lower.top < line.y < lower.bottom
    check_texts(page)


def test_a_plate_has_room_for_two_curves_beside_a_heatmap():
    size = parse_figure_size("174x110mm")
    fields = {**FIELDS, "options": below("sse"), "size": size}
    page = page_with("distances", "heatmap", **fields)
    check_texts(page)
    assert {"dot product with", "sum of squared errors", "position 20", "from position 20"} <= set(
        words_of(page)
    )
