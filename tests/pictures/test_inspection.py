"""What pictures say of the cursor, against the sums written out."""

import math
import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis.distance import METRICS
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from tests.support.cases import for_each
from tests.support.measures import brief, usual_distances
from tests.support.samples import sample

RUNNING = threading.Event()


def state(options=None, view="heatmap", **fields):
    intention = pictures.with_options(Exploration(**fields), view, **(options or {}))
    return resolve(intention, DirectStore())


def inspect(view, **fields):
    return pictures.find(view).inspect(state(**fields), RUNNING)


def texts(found):
    return {value.name: value.text for value in found.values}


WITH_PICTURE = [
    (view, name)
    for view in pictures.names()
    for name in encodings.names()
    if not pictures.find(view).lack(state(encoding=sample(name)))
]


@for_each(("view", "name"), WITH_PICTURE)
def test_every_picture_says_something_of_every_encoding(view, name):
    found = inspect(view, encoding=sample(name))
    assert found.brief
    assert found.values[0].name == pictures.find(view).main_number
    assert found.number or found.lack


def test_a_cell_has_its_value_with_all_digits():
    found = inspect("heatmap", position=20, dimension=9)
    expected = math.cos(20 / 10000 ** (8 / 128))
    assert float(found.number) == pytest.approx(expected, rel=1e-15)
    assert found.values[0].text == repr(float(found.number))
    assert found.formula


def test_beside_the_value_is_what_is_compared():
    e, other = encodings.create("sinusoidal", dim=8), encodings.create("sinusoidal", dim=8, base=99)
    fields = {"encoding": e, "pins": (Pin(other),), "position": 3, "dimension": 2}
    here, there = (math.sin(3 / base ** (2 / 8)) for base in (10000, 99))
    found = texts(inspect("heatmap", show="difference", **fields))
    assert float(found["Value"]) == pytest.approx(here, rel=1e-15)
    assert float(found["Difference"]) == pytest.approx(here - there, rel=1e-13)
    found = texts(inspect("heatmap", show="pinned", **fields))
    assert float(found["Pinned"]) == pytest.approx(there, rel=1e-15)


@pytest.mark.parametrize("metric", METRICS)
def test_distances_are_those_of_the_two_rows(metric):
    e = encodings.create("sinusoidal", dim=32)
    fields = {"encoding": e, "position": 7, "second": 30, "reference": 2, "metric": metric}
    found = inspect("distances", **fields)
    rows = e.table([7, 30, 2])
    second, reference = usual_distances(metric, rows[:1], rows[1:])[0]
    numbers = texts(found)
    assert float(numbers["d(p, q)"]) == pytest.approx(second)
    assert float(numbers["d(p, r)"]) == pytest.approx(reference)
    assert found.number == numbers["d(p, q)"]
    assert numbers["q − p"] == "23"
    assert numbers["Metric"] == brief(metric)
    assert not found.lack


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("index", {"position": 0}, "zeros"),
        ("learned", {"second": 10**6}, "has no row"),
        ("learned", {"reference": 10**6}, "has no row"),
    ],
)
def test_a_distance_that_is_undefined_says_why(name, fields, sentence):
    found = inspect("distances", encoding=sample(name), **fields)
    assert "undefined" in texts(found).values()
    assert sentence in found.lack
    assert found.lack.endswith(".")


def test_the_metric_and_not_the_wish_to_compare_decides_what_takes_long():
    wide = encodings.create("sinusoidal", dim=65_536)
    distances = pictures.find("distances")
    assert distances.inspecting_takes_long(state(encoding=wide, metric="manhattan"))
    assert not distances.inspecting_takes_long(state())


def test_a_clock_has_pair_angle_turns_and_wavelength():
    found = inspect("clocks", position=20, dimension=9)
    numbers = texts(found)
    turns = 20 / 10000 ** (8 / 128) / math.tau
    assert (numbers["Pair"], numbers["Columns"]) == ("4", "8 and 9")
    assert float(found.number) == pytest.approx(turns % 1 * 360, abs=1e-9)
    assert int(numbers["Whole turns"]) == int(turns)
    wavelength = math.tau * 10000 ** (8 / 128)
    assert float(numbers["Wavelength in positions"]) == pytest.approx(wavelength, rel=1e-11)


def test_a_dimension_without_a_partner_has_no_clock():
    e = encodings.create("sinusoidal", dim=7)
    found = inspect("clocks", encoding=e, dimension=6)
    assert found.lack == "Dimension 6 belongs to no pair, so it has no clock."
    assert not found.number


# -- a cursor that is not shown --------------------------------------------------------------------


@for_each("view", pictures.names())
@for_each(
    ("start", "position", "count"),
    [
        (1000, 20, 50),
        (0, 10**9, 50),
        (0, -(2**53), 50),
        (5, 2**53, 50),
        (-(2**53), 0, 50),
        (2**53, 0, 1),
        (2**53, 2**53 - 100, 1),
        (-(2**53), 2**53, 1),
    ],
)
def test_what_leads_to_the_cursor_shows_it(view, start, position, count):
    before = state(start=start, count=count, position=position)
    picture = pictures.find(view)
    outside = picture.cursor_outside(before)
    assert outside.sentence.startswith("Cursor at ")
    after = before.with_(**outside.fields)
    fitting = 2**53 + 1 - after.start
    assert after.count == (min(count, fitting) if view == "tokens" else before.count)
    assert after.position == position
    assert view == "tokens" or position in after.positions  # a sentence can be longer
    assert picture.cursor_outside(resolve(after, DirectStore())) is None


@pytest.mark.parametrize(
    ("view", "position", "sentence"),
    [
        ("heatmap", 20, "Cursor at 20, above"),
        ("heatmap", 2000, "Cursor at 2,000, below"),
        ("distances", 20, "Cursor at 20, to the left"),
        ("distances", 2000, "Cursor at 2,000, to the right"),
        ("clocks", 20, "Cursor at 20, earlier"),
        ("heatmap", 2**53, "Cursor at 2⁵³, below"),
        ("heatmap", 2**40, "Cursor at 1.100·10¹², below"),
    ],
)
def test_the_sentence_says_where(view, position, sentence):
    outside = pictures.find(view).cursor_outside(state(start=1000, position=position))
    assert outside.sentence == sentence


def test_in_a_matrix_alone_the_cursor_goes_down():
    alone = state({"part": "matrix"}, "distances", start=1000, position=20)
    assert pictures.find("distances").cursor_outside(alone).where == "20, above"


@pytest.mark.parametrize(
    ("first", "dimension", "position", "where"),
    [
        (0, 90, 3, "dimension 90, to the right"),
        (40, 2, 3, "dimension 2, to the left"),
        (40, 2, 70, "70, below; dimension 2, to the left"),
        (40, 45, 3, None),
    ],
)
def test_the_heatmap_says_so_of_dimensions_too(first, dimension, position, where):
    options = {"first": first, "dimensions": 20}
    before = state(options, dimension=dimension, position=position)
    heatmap = pictures.find("heatmap")
    outside = heatmap.cursor_outside(before)
    assert (outside and outside.where) == where
    if outside:
        after = resolve(before.with_(**outside.fields), DirectStore())
        assert heatmap.cursor_outside(after) is None
        assert heatmap.options(after).dimensions == 20
