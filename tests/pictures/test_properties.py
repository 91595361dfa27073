"""The evidence and the look-alikes, against brute force; those of exhibits among it."""

import re
import threading
from concurrent.futures import CancelledError

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from pe_explorer import encodings, pictures
from pe_explorer.analysis.distance import METRICS
from pe_explorer.colours import maps
from pe_explorer.encodings import LIMIT, Unknown
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures import cost as _cost
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.properties import Properties
from pe_explorer.progress import Progress
from tests.support.cases import for_each
from tests.support.printed import in_ascii
from tests.support.samples import ROWS, sample, samples
from tests.support.sinusoids import sinusoid, sinusoidal as sines
from tests.support.wanted import Drawn


class Definition(Drawn):
    """It needs nothing but rows."""


AREA = Size(1200, 200)
SCIPY = {"manhattan": "cityblock", "sse": "sqeuclidean"}
SHOWN = range(1, 250)
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
PINS = tuple(Pin(e, name) for name, e in FOUR.items())
WISHED = {
    "encoding": sines(dim=1024),
    "pins": PINS,
    "start": 1,
    "count": 249,
    "reference": 1,
    "position": 1,
    "metric": "euclidean",
}


def state_of(options=None, **fields):
    wanted = pictures.with_options(Exploration(**fields), "properties", **(options or {}))
    return resolve(wanted, DirectStore())


def figure_of(options=None, size=AREA, **fields):
    state = state_of(options, **fields)
    return Properties.figure(state, Properties.compute(state, size, threading.Event()))


def column(figure, number=0):
    """Return the texts of an encoding by what their rows are called."""
    return {row[0]: row[1 + number] for row in figure.table.rows}


def details(figure, title, number=0):
    place = [row[0] for row in figure.table.rows].index(title)
    return figure.table.details[place][number]


def rows_of(name, positions):
    """Return rows of an encoding of the second document, by its formula."""
    p = np.array(positions, dtype=float)[:, None]
    if name == "index":
        return np.repeat(p, 16, axis=1)
    if name == "fraction":
        return np.repeat(p / 30, 16, axis=1)
    if name == "binary":
        return (np.array(positions)[:, None] >> np.arange(16) & 1).astype(float)
    if name == "sines":
        return np.sin(p / 1e4 ** (np.arange(1024) / 1024))
    angles = p / 1e4 ** (np.arange(0, 1024, 2) / 1024)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(p), 1024)


def numbers_in(text):
    plain = in_ascii(text).replace(",", "")
    return [float(each) for each in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", plain)]


# -- the wishes of the second document -------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_002_wishes_against_brute_force(metric):
    figure = figure_of(**{**WISHED, "metric": metric})
    assert figure.table.titles[1:] == (
        "sinusoidal, waves = both",
        "index",
        "fraction",
        "binary",
        "sines",
    )
    positions = range(1, 250)
    for number, name in enumerate(["sinusoid", *FOUR]):
        texts, rows = column(figure, number), rows_of(name, positions)
        assert tuple(texts)[:6] == WISHES
        low, high = numbers_in(texts["Between 0 and 1"])
        is_between = rows.min() >= 0 and rows.max() <= 1
        assert texts["Between 0 and 1"].startswith("yes" if is_between else "no: ")
        assert (low, high) == pytest.approx((rows.min(), rows.max()), abs=6e-4)
        distances = squareform(pdist(rows, metric))
        distances[np.abs(distances) < 1e-12] = 0
        steps = np.diff(distances[0]) > 0
        said, words = texts["Distance grows"], details(figure, "Distance grows", number).words
        if steps.all():
            assert numbers_in(said) == [248, 248]
        else:
            falls = positions[int((~steps).argmax()) + 1]
            assert numbers_in(said) == [falls]
            assert numbers_in(words) == [falls, steps.sum(), 248]
        np.fill_diagonal(distances, np.inf)
        closest, one, two = numbers_in(texts["Unique positions"])
        assert closest == pytest.approx(distances.min(), rel=5e-4)
        assert distances[int(one) - 1, int(two) - 1] == pytest.approx(distances.min(), rel=1e-9)


def test_002_wishes_as_exhibits_give_them():
    figure = figure_of(**WISHED)
    grows = [column(figure, number)["Distance grows"] for number in range(5)]
    assert grows == [
        "no: falls first at 70",
        "yes: 248 of 248",
        "yes: 248 of 248",
        "no: falls first at 3",
        "no: falls first at 7",
    ]
    closest = [numbers_in(column(figure, n)["Unique positions"])[0] for n in range(5)]
    assert closest == [5.208, 4, 0.1333, 1, 3.897]
    ranges = [column(figure, number)["Between 0 and 1"] for number in range(5)]
    assert (ranges[0], ranges[4]) == ("no: −1.000 to 1.000", "no: −1 to 1")
    assert ranges[1] == "no: 1 to 249, no bound"
    assert ranges[2] == "no: 0.03333 to 8.3, no bound"
    assert ranges[3] == "yes: 0 to 1"
    (residual,) = numbers_in(column(figure)["Linear shift"])
    assert 0 < residual <= 1.1e-15
    for number in range(1, 5):
        assert column(figure, number)["Linear shift"] == "no: no one matrix"
        reason = details(figure, "Linear shift", number)
        assert reason.in_full
        assert re.search(r"no one matrix|no matrix can add|needs the cosine", reason.sentence)
    by_cosine = figure_of(**{**WISHED, "metric": "cosine"})
    words = [details(by_cosine, "Distance grows", number).words for number in range(5)]
    assert [numbers_in(each)[1] for each in words] == [206, 0, 0, 124, 128]
    assert "stays the same first at" in words[1], "all its rows are parallel"
    wide = figure_of(encoding=sines(dim=4096), start=1, count=250, reference=1, metric="cosine")
    assert column(wide)["Distance grows"] == "no: falls first at 246"


def test_a_fraction_is_between_0_and_1_as_far_as_its_text_goes():
    e = encodings.create("fraction", dim=4, length=30)
    figure = figure_of(encoding=e, start=0, count=31, metric="euclidean")
    assert column(figure)["Between 0 and 1"] == "yes here: 0 to 1, no bound"
    assert "without a bound elsewhere" in details(figure, "Between 0 and 1").words


def test_002_wishes_in_words_where_there_is_room():
    table = figure_of(**WISHED).table.in_words
    grows = dict(zip((row[0] for row in table.rows), table.rows, strict=True))["Distance grows"]
    assert grows[1] == "no: falls first at 70; grows in 206 of 248 steps"
    assert grows[2] == "yes: grows in all 248 steps"
    words = {row[0]: row[1] for row in table.rows}
    assert words["Between 0 and 1"] == "no: all numbers are from −1.000 to 1.000"
    assert words["Length-independent"] == "yes: the length of a text changes no number"
    assert words["Deterministic"] == "yes: made twice, each number is the same"
    assert words["Unique positions"] == "yes: closest pair 1 and 2, distance 5.208"
    assert words["Linear shift"].startswith("yes: one matrix moves every row, residual ")
    assert words["Next to 1"] == "position 2, Euclidean distance 5.208"
    assert table.rows[1][2] == "no: from 1 to 249, without a bound elsewhere"
    assert table.rows[2][3] == "no: in a text twice as long, 8.3 becomes 4.15"


def test_002_wishes_have_curves_that_can_all_be_seen():
    """The plain position is 992 away where the sinusoid is 30: its curve is divided."""
    figure = figure_of(**WISHED)
    (panel,) = figure.panels
    far = [cdist(rows[:1], rows)[0] for name in ["", *FOUR] if len(rows := rows_of(name, SHOWN))]
    assert [curve.name for curve in panel.curves] == [
        "sinusoidal, waves = both",
        "index ÷ 50",
        "fraction",
        "binary × 10",
        "sines",
    ]
    for curve, truth, factor in zip(panel.curves, far, [1, 1 / 50, 1, 10, 1], strict=True):
        np.testing.assert_allclose(curve.y, factor * truth, atol=1e-9)
        assert 0.15 < curve.y.max() / panel.y.high <= 1
    assert "have a scale of their own" in figure.status
    by_cosine = figure_of(**{**WISHED, "metric": "cosine"})
    assert [curve.name for curve in by_cosine.panels[0].curves] == [
        "sinusoidal, waves = both",
        *FOUR,
    ]
    assert "scale" not in by_cosine.status


def test_what_matters_most_comes_first_in_the_status():
    status = figure_of(encoding=sines(dim=8), count=1001).status
    assert status.startswith(
        "Properties: Most like position 0 beyond its neighbours, by the cosine"
    )
    assert status.index("63 (0.947950)") < 90 < status.index("Measured at")


def test_a_click_leads_to_the_place_of_the_evidence():
    figure = figure_of(**WISHED)
    assert details(figure, "Distance grows").fields == {"position": 70, "reference": 1}
    assert details(figure, "Distance grows", 1).fields == {}
    assert details(figure, "Unique positions").fields == {"position": 1, "second": 2}
    assert details(figure, "Between 0 and 1", 1).fields == {"position": 249, "dimension": 0}
    assert details(figure, "Length-independent", 2).fields == {"position": 249, "dimension": 0}
    assert column(figure, 2)["Length-independent"] == "no: 8.3 becomes 4.15"
    there = details(figure, "Between 0 and 1").fields
    row = rows_of("sinusoid", [there["position"]])[0]
    assert abs(row[there["dimension"]]) == pytest.approx(1, abs=1e-6)


def test_two_positions_with_the_same_row():
    figure = figure_of(encoding=encodings.create("binary", dim=3), start=1, metric="euclidean")
    assert column(figure)["Unique positions"] == "no: 0, 1 and 9"
    assert "at a Euclidean distance of 0." in details(figure, "Unique positions").sentence


# -- look-alikes -----------------------------------------------------------------------------------


@for_each(
    ("dim", "position", "likeness", "neighbour", "nearer"),
    [
        (2, 710, 1.0, 0.540302, 6),
        (4, 622, 0.998690, 0.770126, 6),
        (6, 132, 0.982079, 0.846408, 6),
        (8, 63, 0.947950, 0.883814, 6),
        (10, 6, 0.905893, 0.905489, 6),
        (12, 6, 0.865719, 0.919342, None),
        (16, 6, 0.805596, 0.935646, None),
        (32, 6, 0.743, 0.957, None),
        (64, 6, 0.736, 0.966, None),
        (128, 12, 0.662, 0.970, None),
        (512, 44, 0.526, 0.973, None),
        (1024, 69, 0.477, 0.974, None),
    ],
)
def test_x_look_alikes(dim, position, likeness, neighbour, nearer):
    figure = figure_of(encoding=sines(dim=dim), count=1001)
    texts = column(figure)
    alike = 1 - cdist(sinusoid([0], dim), sinusoid(range(1001), dim), "cosine")[0]
    found, brief = numbers_in(texts["Look-alike 1"])
    *_, again, size = numbers_in(details(figure, "Look-alike 1").sentence)
    assert found == again == position
    assert brief == pytest.approx(size, abs=6e-5)
    assert (
        details(figure, "Look-alike 1").words
        == f"position {position}, cosine similarity {brief:.{3 if brief >= 1 else 4}f}"
    )
    tolerance = 6e-7 if dim < 20 else 6e-4
    assert size == pytest.approx(likeness, abs=tolerance)
    assert size == pytest.approx(alike[position], abs=6e-7)
    of, *next_to = numbers_in(details(figure, "Next to 0").sentence)
    assert of == 0
    assert next_to == pytest.approx([1, neighbour], abs=tolerance)
    first = np.flatnonzero(alike[2:] > alike[1])
    assert (first[0] + 2 if len(first) else None) == nearer
    wanted = "none" if nearer is None else str(nearer)
    assert texts["First nearer than next"].split(" ")[0] == wanted
    assert details(figure, "Look-alike 1").fields == {"reference": position}
    beyond = int((np.diff(alike) > 0).argmax())
    peaks = [p for p in range(beyond + 1, 1001) if alike[p] > alike[p - 1]]
    peaks = [p for p in peaks if p == 1000 or alike[p] >= alike[p + 1]]
    ranked = sorted(peaks, key=lambda p: -alike[p])[:5]
    assert [int(numbers_in(texts[f"Look-alike {n}"])[0]) for n in range(1, 6)] == ranked
    (panel,) = figure.panels
    assert [mark.label for mark in panel.marks] == [f"{n}: {p:,}" for n, p in enumerate(ranked, 1)]
    assert [mark.x for mark in panel.marks] == ranked
    np.testing.assert_allclose(panel.curves[0].y, alike, atol=1e-12)
    np.testing.assert_allclose(panel.cells.values[0], alike, atol=1e-12)


@pytest.mark.parametrize(("dim", "position"), [(12, "14,495 (0.936"), (14, "18,246"), (16, "")])
def test_the_first_that_is_nearer_than_the_neighbour(dim, position):
    figure = figure_of(encoding=sines(dim=dim), count=100_001)
    assert column(figure)["First nearer than next"].startswith(position or "none")
    if dim == 12:
        assert "14,495 (0.936144)" in details(figure, "First nearer than next").sentence
    if not position:
        assert "up to 100,000 is nearer" in details(figure, "First nearer than next").sentence


@pytest.mark.parametrize(
    ("base", "places"),
    [
        (1.001, {44: 8.82e-5, 1: 0.45928, 3: 1.98978}),
        (1.1, {44: 1.1877}),
        (2.0, {44: 0.98692, 1: 0.25938}),
        (1e4, {1: 0.02979}),
    ],
)
def test_x_base_near_1(base, places):
    e = sines(dim=128, base=base)
    (panel,) = figure_of(encoding=e, count=101).panels
    truth = cdist(sinusoid([0], 128, base), sinusoid(range(101), 128, base), "cosine")[0]
    np.testing.assert_allclose(1 - panel.curves[0].y, truth, atol=1e-12)
    for place, distance in places.items():
        assert 1 - panel.value_at(place, 0.5) == pytest.approx(distance, rel=5e-4)
    if base == 1.1:
        texts = column(figure_of(encoding=e, count=101))
        assert texts["Look-alike 1"].startswith("13 (0.931")


@pytest.mark.parametrize("metric", [metric for metric in METRICS if "dot" not in metric])
def test_every_metric(metric):
    e = sines(dim=8)
    state = {"encoding": e, "start": 5, "count": 90, "position": 30, "metric": metric}
    figure = figure_of(**state, reference=30)
    rows = sinusoid(range(5, 95), 8)
    name = metric.replace("similarity", "cosine")
    truth = cdist(rows[25:26], rows, SCIPY.get(name, name))[0]
    is_angle = metric in ("cosine", "similarity", "correlation")
    drawn = figure.panels[0].curves[0].y
    np.testing.assert_allclose(1 - drawn if is_angle else drawn, truth, atol=1e-9)
    *_, best, found = numbers_in(details(figure, "Look-alike 1").sentence)
    size = 1 - truth[int(best) - 5] if is_angle else truth[int(best) - 5]
    assert found == pytest.approx(size, abs=1e-5)
    cells = figure.panels[0].cells
    shades = maps.table(cells.colour_map, 255)[cells.indices[0]].sum(axis=1, dtype=int)
    assert shades.argmax() == 25  # bright is alike: most of all the position itself


def test_by_the_inner_product_more_is_alike():
    figure = figure_of(encoding=sines(dim=4), count=1001, metric="dot")
    *_, position, size = numbers_in(details(figure, "Look-alike 1").sentence)
    assert (position, size) == (622, pytest.approx(2 * 0.998690, abs=1e-5))
    assert "Euclidean distance" in details(figure, "Unique positions").sentence
    assert "the dot product with position 0" in figure.status


def test_by_the_cosine_similarity_all_is_as_by_the_cosine_distance():
    fields = {"encoding": sines(dim=8), "start": 7, "count": 200, "position": 7, "reference": 7}
    similarity, cosine = (figure_of(**fields, metric=m) for m in ("similarity", "cosine"))
    assert similarity.table == cosine.table
    assert similarity.panels[0].y == cosine.panels[0].y
    (one,), (other,) = (figure.panels[0].curves for figure in (similarity, cosine))
    np.testing.assert_array_equal(one.y, other.y)
    assert similarity.panels[0].cells.title == "cosine similarity"
    assert "the cosine similarity with position 7" in similarity.status


def test_by_the_normalised_product_more_is_alike():
    figure = figure_of(encoding=sines(dim=4), count=1001, metric="normalised-dot")
    *_, position, size = numbers_in(details(figure, "Look-alike 1").sentence)
    assert (position, size) == (622, pytest.approx(0.998690, abs=1e-5))
    assert "normalised dot product" in details(figure, "Look-alike 1").sentence
    assert "Euclidean distance" in details(figure, "Unique positions").sentence


def test_pins_have_curves_and_columns_of_their_own():
    pins = (Pin(sines(dim=8), "narrow"), Pin(sample("alibi"), "slopes"))
    figure = figure_of(encoding=sines(dim=64), count=200, pins=pins)
    truth = 1 - cdist(sinusoid([0], 8), sinusoid(range(200), 8), "cosine")[0]
    curves = figure.panels[0].curves
    np.testing.assert_allclose(curves[1].y, truth, atol=1e-12)
    assert column(figure, 1)["Look-alike 1"].startswith("63 (0.9479)")
    assert details(figure, "Look-alike 1", 1).sentence.endswith(
        "is position 63: cosine similarity 0.947950."
    )
    assert not curves[2].visible
    assert "offsets" in details(figure, "Between 0 and 1", 2).sentence
    assert column(figure, 2)["Between 0 and 1"] == "–"
    unknown = Pin(Unknown("xpos", {}, "xpos is not known"), "x")
    figure = figure_of(pins=(unknown,))
    assert details(figure, "Between 0 and 1", 1).sentence == "Xpos is not known."


# -- what cannot be measured says why --------------------------------------------------------------


@for_each("e", samples(dim=12, head_dim=12), ids=lambda e: e.name)
@for_each("metric", METRICS)
def test_every_encoding_has_a_table(e, metric):
    first = e.first_range
    place = {"start": first.start, "count": len(first), "position": first[7], "reference": first[5]}
    figure = figure_of(encoding=e, metric=metric, **place)
    assert len(figure.table.rows) == 13
    assert figure.status.endswith(".")
    for row in figure.table.details:
        for detail in row:
            assert detail.sentence.endswith(".")
            assert "nan" not in detail.sentence


def test_a_table_of_a_file_says_where_it_ends():
    figure = figure_of(encoding=sample("learned"), count=200)
    assert column(figure)["Length-independent"] == f"no: rows to {ROWS - 1:,}"
    assert "come from a file" in details(figure, "Linear shift").sentence
    far = figure_of(encoding=sample("learned"), start=10**6, position=10**6)
    assert far.note.rows == sample("learned").domain
    assert "has no rows for the positions shown" in details(far, "Between 0 and 1").sentence
    assert column(far)["Look-alike 1"] in ("none", "–")


def test_without_a_direction_another_metric_is_offered():
    figure = figure_of(encoding=sample("index"), metric="cosine")
    assert figure.note.metric == "euclidean"
    assert "has no cosine distance from any" in details(figure, "Distance grows").sentence


# -- options, time and memory ----------------------------------------------------------------------


def test_parts():
    wishes, alikes = (figure_of({"part": part}) for part in ("wishes", "look-alikes"))
    assert tuple(column(wishes)) == WISHES
    assert list(column(alikes))[:2] == ["Next to 0", "Look-alike 1"]
    assert "Measured at" in wishes.status
    assert "Measured at" not in alikes.status


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_at_any_number_of_positions_it_costs_little(metric):
    fields = {"encoding": sines(dim=8), "count": 10**9, "metric": metric}
    figure = figure_of(size=Size(500, 100), **fields)
    assert "of the 1,000,000,000 shown" in figure.status
    assert "among the nearest" in figure.status
    assert len(figure.panels[0].curves[0].y) == 500
    state = state_of(**fields)
    assert not _cost.takes_long(Properties.cost(state, Properties.coarser(Size(900, 200))))


def test_all_positions_are_told_of():
    every = figure_of(encoding=sines(dim=2), start=-LIMIT, count=LIMIT, position=-LIMIT)
    assert every.status.endswith(".")


def test_while_the_base_is_dragged_look_alikes_come_first():
    """The coarse picture has no evidence, and all of the likeness."""
    fields = {"encoding": sines(dim=512, base=333.0), "count": 2000}
    coarse = figure_of(size=Properties.coarser(AREA), **fields)
    assert set(list(column(coarse).values())[:6]) == {"…"}
    assert "being measured" in coarse.status
    fine = figure_of(**fields)
    assert numbers_in(details(fine, "Distance grows").words)[-1] == 1999
    again = figure_of(size=Properties.coarser(AREA), **{**fields, "position": 5})
    assert column(again)["Distance grows"] == column(fine)["Distance grows"]  # it is kept


def test_it_can_be_cancelled_and_reports():
    state = state_of(encoding=sines(dim=64, waves="sine", base=77.0), count=4000)
    shares = []

    class Stopped(Progress):
        def report(self, share, *_):
            shares.append(share)
            if share > 0.5:
                self.set()

    with pytest.raises(CancelledError):
        Properties.compute(state, AREA, Stopped())
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] < 0.9


def test_a_likeness_that_rounding_decides_is_called_not_determined():
    e = encodings.create("sinusoidal", dim=8, base=1 + 2**-52, scale=1e-6, waves="sine")
    fields = {"encoding": e, "start": 1, "count": 6, "metric": "correlation"}
    figure = figure_of(**fields, position=3, reference=2)
    texts = column(figure)
    assert texts["Next to 3"] == "not determined"
    assert texts["Distance grows"] == "none"
    assert "5 of 6 are not determined: their rows are nearly constant." in figure.status
