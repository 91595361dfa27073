"""The evidence and the similar positions, against brute force; those of exhibits among it."""

import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings
from pe_explorer.analysis import properties
from pe_explorer.analysis.distance import METRICS
from pe_explorer.colours import maps
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Pin
from pe_explorer.pictures.cost import is_expensive
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.properties import Properties
from pe_explorer.progress import CancelledError, Progress
from tests.support.measures import usual_distances
from tests.support.printed import in_ascii
from tests.support.requirements import PictureRequirements
from tests.support.samples import ROWS, sample, samples
from tests.support.sinusoids import sinusoid, sinusoidal as sines
from tests.support.states import cost_of, figure_of as shown, state_of


class Definition(PictureRequirements):
    """It needs nothing but rows."""


AREA = Size(1200, 200)
WISHES = (
    "Distance grows",
    "Between 0 and 1",
    "Length-independent",
    "Deterministic",
    "Unique positions",
    "Linear shift",
)
FOUR = {
    "index": encodings.create("index", dim=16),
    "fraction": encodings.create("fraction", dim=16, length=30),
    "binary": encodings.create("binary", dim=16),
    "sines": sines(dim=1024, waves="sine"),
}
WISHED = {
    "encoding": sines(dim=1024),
    "pins": tuple(Pin(e, name) for name, e in FOUR.items()),
    "start": 1,
    "count": 249,
    "reference": 1,
    "position": 1,
    "metric": "euclidean",
}


def figure_of(options=None, size=AREA, **fields):
    return shown("properties", options, size, **fields)


def column(figure, number=0):
    """Return the texts of an encoding by what their rows are called."""
    return {row[0]: row[1 + number] for row in figure.table.rows}


def details(figure, title, number=0):
    place = [row[0] for row in figure.table.rows].index(title)
    return figure.table.details[place][number]


def rows_of(name, positions):
    """Return rows of an encoding of the second document, by its formula."""
    p = np.array(positions)[:, None]
    tables = {
        "index": np.repeat(p, 16, axis=1),
        "fraction": np.repeat(p / 30, 16, axis=1),
        "binary": p >> np.arange(16) & 1,
        "sines": np.sin(p / 1e4 ** (np.arange(1024) / 1024)),
        "sinusoid": sinusoid(positions, 1024),
    }
    return tables[name].astype(float)


def numbers_in(text):
    plain = in_ascii(text).replace(",", "")
    return [float(each) for each in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", plain)]


def test_a_fraction_is_between_0_and_1_as_far_as_its_text_goes():
    e = encodings.create("fraction", dim=4, length=30)
    figure = figure_of(encoding=e, start=0, count=31, metric="euclidean")
    assert column(figure)["Between 0 and 1"] == "yes here: 0 to 1, unbounded"
    assert "unbounded" in details(figure, "Between 0 and 1").words


def test_002_wishes_in_words_where_there_is_room():
    figure = figure_of(**WISHED)
    first, *names = figure.table.titles[1:]
    assert names == [*FOUR]
    assert first.startswith("sinusoidal, ")
    assert "both" in first
    assert tuple(column(figure))[:6] == WISHES
    words = {row[0]: row[1:] for row in figure.table.with_long_texts.rows}
    for title, number, said, facts, in_short in (
        ("Distance grows", 0, "no", [70, 206, 248], [70]),
        ("Distance grows", 1, "yes", [248], [248, 248]),
        ("Between 0 and 1", 0, "no", [-1, 1], [-1, 1]),
        ("Between 0 and 1", 1, "no", [1, 249], [1, 249]),
        ("Between 0 and 1", 3, "yes", [0, 1], [0, 1]),
        ("Length-independent", 0, "yes", [], []),
        ("Length-independent", 2, "no", [8.3, 4.15], [8.3, 4.15]),
        ("Deterministic", 0, "yes", [], []),
        ("Unique positions", 0, "yes", [1, 2, 5.21], [5.21, 1, 2]),
        ("Next to 1", 0, "position 2", [2, 5.21], [2, 5.21]),
    ):
        text = words[title][number]
        assert text.startswith(said)
        assert numbers_in(text) == facts
        assert numbers_in(column(figure, number)[title]) == in_short
    for number in range(1, 5):
        assert column(figure, number)["Linear shift"] == "no: no single matrix"
        reason = details(figure, "Linear shift", number)
        assert reason.can_show_sentence
        assert re.search(r"no .*matrix|cosine", reason.sentence)
    (residual,) = numbers_in(column(figure)["Linear shift"])
    assert 0 < residual <= 1.1e-15


def test_002_wishes_have_curves_that_can_all_be_seen():
    """The plain position is 992 away where the sinusoid is 30: its curve is divided."""
    figure = figure_of(**WISHED)
    (panel,) = figure.panels
    tables = (rows_of(name, range(1, 250)) for name in ["sinusoid", *FOUR])
    far = [cdist(rows[:1], rows)[0] for rows in tables]
    names = [figure.table.titles[1], "index ÷ 50", "fraction", "binary × 10", "sines"]
    assert [curve.name for curve in panel.curves] == names
    for curve, exact, factor in zip(panel.curves, far, [1, 1 / 50, 1, 10, 1], strict=True):
        np.testing.assert_allclose(curve.y, factor * exact, atol=1e-9)
        assert 0.15 < curve.y.max() / panel.y.high <= 1
    assert "scale" in figure.status
    by_cosine = figure_of(**{**WISHED, "metric": "cosine"})
    assert [curve.name for curve in by_cosine.panels[0].curves[1:]] == [*FOUR]
    assert "scale" not in by_cosine.status


def test_a_click_leads_to_the_place_of_the_evidence():
    figure = figure_of(**WISHED)
    for title, number, fields in (
        ("Distance grows", 0, {"position": 70, "reference": 1}),
        ("Distance grows", 1, {}),
        ("Unique positions", 0, {"position": 1, "second": 2}),
        ("Between 0 and 1", 1, {"position": 249, "dimension": 0}),
        ("Length-independent", 2, {"position": 249, "dimension": 0}),
    ):
        assert details(figure, title, number).fields == fields
    there = details(figure, "Between 0 and 1").fields
    row = rows_of("sinusoid", [there["position"]])[0]
    assert abs(row[there["dimension"]]) == pytest.approx(1, abs=1e-6)


def test_two_positions_with_the_same_row():
    figure = figure_of(encoding=encodings.create("binary", dim=3), start=1, metric="euclidean")
    assert column(figure)["Unique positions"] == "no: 0 (1 and 9)"
    assert "Euclidean distance of 0." in details(figure, "Unique positions").sentence


@pytest.mark.parametrize("dim", [2, 8, 10, 12, 128, 1024])
def test_look_alikes_are_the_highest_peaks_beyond_the_neighbours(dim):
    figure = figure_of(encoding=sines(dim=dim), count=1001)
    texts = column(figure)
    alike = 1 - cdist(sinusoid([0], dim), sinusoid(range(1001), dim), "cosine")[0]
    found = properties.find_similar_positions(sines(dim=dim), 0, range(1001), limit=5)
    ranked = [each.position for each in found]
    assert [int(numbers_in(texts[f"Similar row {n}"])[0]) for n in range(1, 6)] == ranked
    (panel,) = figure.panels
    labels = [(mark.label, mark.x) for mark in panel.marks]
    assert labels == [(f"{n}: {p:,}", p) for n, p in enumerate(ranked, 1)]
    np.testing.assert_allclose(panel.curves[0].y, alike, atol=1e-12)
    np.testing.assert_allclose(panel.cells.values[0], alike, atol=1e-12)
    detail = details(figure, "Similar row 1")
    assert detail.fields == {"reference": ranked[0]}
    for text in (texts["Similar row 1"], detail.sentence, detail.words):
        position, size = numbers_in(text)[-2:]
        assert position == ranked[0]
        assert size == pytest.approx(alike[ranked[0]], abs=6e-3 if "e" in text else 6e-4)
    next_to = numbers_in(details(figure, "Next to 0").sentence)
    assert next_to == [0, 1, pytest.approx(alike[1], abs=6e-7)]
    nearer = np.flatnonzero(alike[2:] > alike[1])
    first = texts["First closer"].split(" ")[0]
    assert first == (f"{nearer[0] + 2}" if len(nearer) else "none")
    words = first if len(nearer) else "1,000"
    assert words in details(figure, "First closer").sentence
    best, _, measured = figure.status.partition("evidence")
    *_, alike_to = numbers_in(best)
    assert alike_to == ranked[0]
    assert "1,001 positions" in measured


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric(metric):
    e = sines(dim=8)
    figure = figure_of(encoding=e, start=5, count=90, position=30, reference=30, metric=metric)
    rows = sinusoid(range(5, 95), 8)
    exact = usual_distances(metric, rows[25:26], rows)[0]
    alike = 1 - exact if metric in ("cosine", "correlation") else exact
    (panel,) = figure.panels
    np.testing.assert_allclose(panel.curves[0].y, alike, atol=1e-9)
    *_, best, found = numbers_in(details(figure, "Similar row 1").sentence)
    assert found == pytest.approx(alike[int(best) - 5], abs=1e-5)
    shades = maps.table(panel.cells.colour_map, 255)[panel.cells.indices[0]].sum(axis=1, dtype=int)
    assert shades.argmax() == 25  # bright is alike: most of all the position itself
    assert ("Euclidean" in details(figure, "Unique positions").sentence) == (
        metric in ("euclidean", "dot", "normalised-dot")
    )


def test_by_the_cosine_similarity_all_is_as_by_the_cosine_distance():
    fields = {"encoding": sines(dim=8), "start": 7, "count": 200, "position": 7, "reference": 7}
    similarity, cosine = (figure_of(**fields, metric=m) for m in ("similarity", "cosine"))
    assert similarity.table == cosine.table
    assert similarity.panels[0].y == cosine.panels[0].y
    assert similarity.panels[0].cells.title == "cosine similarity"
    assert "the cosine similarity with position 7" in similarity.status


def test_pins_have_curves_and_columns_of_their_own():
    unknown = Pin(Unknown("xpos", {}, "xpos is not known"), "x")
    pins = (Pin(sines(dim=8), "narrow"), Pin(sample("alibi"), "slopes"), unknown)
    figure = figure_of(encoding=sines(dim=64), count=200, pins=pins)
    exact = 1 - cdist(sinusoid([0], 8), sinusoid(range(200), 8), "cosine")[0]
    curves = figure.panels[0].curves
    np.testing.assert_allclose(curves[1].y, exact, atol=1e-12)
    assert column(figure, 1)["Similar row 1"].startswith("63 (0.948)")
    assert numbers_in(details(figure, "Similar row 1", 1).sentence)[-2:] == [63, 0.947950]
    assert [curve.is_visible for curve in curves] == [True, True, False, False]
    assert "offsets" in details(figure, "Between 0 and 1", 2).sentence
    assert column(figure, 2)["Between 0 and 1"] == "–"
    assert details(figure, "Between 0 and 1", 3).sentence == "Xpos is not known."


@pytest.mark.parametrize("e", samples(dim=12, head_dim=12), ids=lambda e: e.name)
def test_every_encoding_has_a_table(e):
    first = e.first_range
    place = {"start": first.start, "count": len(first), "position": first[7], "reference": first[5]}
    for metric in METRICS:
        figure = figure_of(encoding=e, metric=metric, **place)
        assert len(figure.table.rows) == 13
        for detail in (detail for row in figure.table.details for detail in row):
            assert detail.sentence.endswith(".")
            assert "nan" not in detail.sentence


def test_a_table_of_a_file_says_where_it_ends():
    figure = figure_of(encoding=sample("learned"), count=200)
    assert column(figure)["Length-independent"] == f"no: rows end at {ROWS - 1:,}"
    assert "come from a file" in details(figure, "Linear shift").sentence
    far = figure_of(encoding=sample("learned"), start=10**6, position=10**6)
    assert far.note.rows == sample("learned").domain
    assert "has no rows for the positions shown" in details(far, "Between 0 and 1").sentence
    assert column(far)["Similar row 1"] in ("none", "–")


def test_without_a_direction_another_metric_is_offered():
    figure = figure_of(encoding=sample("index"), metric="cosine")
    assert figure.note.metric == "euclidean"
    assert "cosine distance" in details(figure, "Distance grows").sentence


def test_parts():
    wishes, ranked_positions = (figure_of({"part": part}) for part in ("wishes", "look-alikes"))
    assert tuple(column(wishes)) == WISHES
    assert list(column(ranked_positions))[:2] == ["Next to 0", "Similar row 1"]
    assert "50 of 50 positions" in wishes.status
    assert "0 to 49" not in ranked_positions.status


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_at_any_number_of_positions_it_costs_little(metric):
    fields = {"encoding": sines(dim=8), "count": 10**9, "metric": metric}
    figure = figure_of(size=Size(500, 100), **fields)
    assert "of 1,000,000,000 positions" in figure.status
    assert "closest to position 0" in figure.status
    assert len(figure.panels[0].curves[0].y) == 500
    coarse = Properties.coarsen(Size(900, 200))
    assert not is_expensive(cost_of("properties", size=coarse, **fields))


def test_while_the_base_is_dragged_look_alikes_come_first():
    """The coarse picture has no evidence, and all of the likeness."""
    fields = {"encoding": sines(dim=512, base=333.0), "count": 2000}
    coarse = figure_of(size=Properties.coarsen(AREA), **fields)
    assert set(list(column(coarse).values())[:6]) == {"…"}
    assert "being computed" in coarse.status
    fine = figure_of(**fields)
    assert numbers_in(details(fine, "Distance grows").words)[-1] == 1999
    again = figure_of(size=Properties.coarsen(AREA), **{**fields, "position": 5})
    assert column(again)["Distance grows"] == column(fine)["Distance grows"]  # it is kept


def test_it_can_be_cancelled_and_reports():
    e = sines(dim=64, waves="sine", base=77.0)
    shares = []

    class Stopped(Progress):
        def report(self, share, *_):
            shares.append(share)
            if share > 0.5:
                self.set()

    with pytest.raises(CancelledError):
        Properties(state_of("properties", encoding=e, count=4000)).numbers(AREA, Stopped())
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] < 0.9
