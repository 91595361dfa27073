"""The projection against singular values and distances that are computed anew here."""

import threading

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings
from pe_explorer.analysis import umap_process
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.pictures import make_picture
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.projection import ProjectionPicture
from pe_explorer.pictures.trail import Trail
from tests.support.measures import share_of_neighbours
from tests.support.requirements import PictureRequirements
from tests.support.samples import samples
from tests.support.sinusoids import sinusoid, sinusoidal as sines
from tests.support.states import (
    cost_of,
    figure_of,
    inspection_of_view,
    numbers_of_view,
    snapshot,
    state_of,
)
from tests.support.tables_in_files import put


class Definition(PictureRequirements):
    """It needs nothing but rows."""


def figure(options=None, **fields):
    shown = figure_of("projection", options, **fields)
    return make_picture("projection", state_of("projection", options, **fields)).with_cursor(shown)


def points_of(figure):
    (panel,) = figure.panels
    return np.column_stack([panel.trail.x, panel.trail.y])


def components(rows):
    """Return the first two of each row, of either sign, and their shares of the variance."""
    u, s, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    return u[:, :2] * s[:2], s[:2] ** 2 / (s**2).sum()


@pytest.mark.parametrize("dim", [3, 7, 64, 1024])
def test_points_are_the_two_largest_components(dim):
    fields = {"encoding": sines(dim=dim), "count": 1000, "position": 300}
    shown = figure(**fields)
    (panel,) = shown.panels
    points, rows = points_of(shown), sines(dim=dim).table(range(1000))
    expected, shares = components(rows)
    expected *= np.sign((expected * points).sum(axis=0))
    np.testing.assert_allclose(points, expected, atol=1e-9)
    for axis, share in zip((panel.x, panel.y), shares, strict=True):
        assert f"{100 * share:.2f}" in axis.title
    assert f"{100 * shares.sum():.3g} % of the variance" in shown.status
    assert f"{100 * share_of_neighbours(points):.3g} % of 1,000 positions" in shown.status
    assert panel.x.length == panel.y.length
    assert panel.trail.marked_index == 300
    _, values = inspection_of_view("projection", **fields)
    assert [float(values["Across"]), float(values["Up"])] == list(points[300])
    distances = cdist(points[300:301], points)[0]
    distances[300] = np.inf
    nearest = distances.argmin()
    assert values["Nearest point"] == f"position {nearest}, {distances[nearest]:.6g} away"


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_the_axes_show_all_points_and_measure_the_same(e):
    first = e.first_range
    drawn = snapshot("projection", encoding=e, start=first.start, count=len(first))
    (panel,) = drawn.figure.panels
    points = points_of(drawn.figure)
    assert len(points) > 1
    for axis, places in zip((panel.x, panel.y), points.T, strict=True):
        assert axis.low < places.min()
        assert places.max() < axis.high
        assert axis.length == pytest.approx(1.1 * np.ptp(points, axis=0).max())
        assert axis.low + axis.length / 2 == pytest.approx((places.min() + places.max()) / 2)
    for place, (x, y) in enumerate(points):
        at = Pointer("points", x, y)
        there = drawn.picture.find_pointer_fields(drawn, at)["position"]
        distances = np.hypot(*(points - (x, y)).T)
        assert distances[there - panel.trail.counted_items[1]] == 0 or there == first.start + place


@pytest.mark.parametrize(
    ("e", "count", "words"),
    [
        (sines(dim=8), 1, "at least 2"),
        (sines(dim=8, scale=0.0), 50, "Rows are all equal"),
    ],
    ids=str,
)
def test_what_has_no_points_is_a_sentence(e, count, words):
    shown = figure(encoding=e, count=count)
    assert not shown.panels[0].trail.is_visible
    assert words in shown.note.sentence
    assert words in shown.status


@pytest.mark.parametrize(
    ("e", "count"),
    [
        (sines(dim=8), 2),
        (encodings.create("index", dim=1), 5),
        (encodings.create("index", dim=16), 31),
        (encodings.create("fraction", dim=16), 31),
        (sines(dim=1), 50),
    ],
    ids=str,
)
def test_rows_on_a_line_are_a_level_line(e, count):
    shown = figure(encoding=e, count=count)
    points, rows = points_of(shown), e.table(range(count))
    length = np.linalg.norm(np.ptp(rows, axis=0))
    assert np.ptp(points[:, 0]) == pytest.approx(length, rel=1e-9)
    np.testing.assert_allclose(points[:, 1], 0, atol=1e-9 * length)
    far = figure(encoding=encodings.create("fraction", dim=16, length=3), start=10**15, count=count)
    np.testing.assert_allclose(np.ptp(points_of(far)[:, 0]), (count - 1) / 3 * 4)
    assert ("one component" if e.width == 1 else "100 % of the variance") in shown.status
    assert shown.panels[0].y.title.startswith("component 2")


@pytest.mark.parametrize(("start", "count"), [(0, 10**15), (-LIMIT, LIMIT), (10**15, 20_000)])
def test_of_many_positions_some_are_taken_evenly(start, count):
    fields = {"encoding": sines(dim=16), "start": start, "count": count, "position": start}
    shown = figure(**fields)
    (panel,) = shown.panels
    taken = [panel.trail.number(place) for place in range(len(panel.trail.x))]
    step = taken[1] - taken[0]
    assert taken == list(range(start, start + count, step))
    assert 2048 < len(taken) <= 4096
    for number in (count, len(taken), step):
        assert f"{number:,}" in shown.status
    assert panel.trail.marked_index == 0
    assert make_picture("projection", state_of("projection", **fields)).find_hidden_cursor() is None


def test_a_cursor_between_two_points_is_led_to():
    fields = {"encoding": sines(dim=16), "count": 10**6, "position": 1001}
    outside = make_picture("projection", state_of("projection", **fields)).find_hidden_cursor()
    assert outside.place == "1,001, between two points"
    there = {**fields, **outside.fields}
    assert figure(**there).panels[0].trail.marked_index is not None
    found, _ = inspection_of_view("projection", **fields)
    assert "1,001" in found.missing_reason
    assert "one in 245 " in found.missing_reason


def test_a_table_has_points_for_its_rows_only(tmp_path):
    rows = np.random.default_rng(1).normal(size=(40, 6))
    e = encodings.create("learned", file=put(tmp_path / "rows.npy", rows))
    shown = figure(encoding=e, start=-10, count=100, position=3)
    (panel,) = shown.panels
    assert [panel.trail.number(0), panel.trail.number(39)] == [0, 39]
    np.testing.assert_allclose(np.abs(points_of(shown)), np.abs(components(rows)[0]), atol=1e-9)
    assert "60 of 100 positions have no row." in shown.status
    assert panel.trail.marked_index == 3
    note = figure(encoding=e, start=1000).note
    assert note.rows == range(40)
    assert note.button_text


def test_a_projection_is_kept():
    fields = {"encoding": sines(dim=32), "count": 60}
    assert numbers_of_view("projection", size=Size(9, 9), **fields) is numbers_of_view(
        "projection", **fields
    )


class Fits:
    """Stands in for UMAP: a spiral, or an error."""

    def __init__(self, error=None):
        self.requests, self.error = [], error

    def __call__(self, rows, *, seed, request):
        self.requests.append((rows, seed, request))
        if self.error:
            raise self.error
        turns = np.linspace(0, 3, len(rows))
        return np.column_stack([turns * np.cos(turns * seed), turns * np.sin(turns * seed)])


@pytest.fixture
def fits(monkeypatch):
    found = Fits()
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: "")
    monkeypatch.setattr(umap_process, "embed", found)
    return found


UMAP = {"method": "umap", "seed": 7}


def test_umap_is_asked_once_for_the_rows_and_the_seed(fits):
    fields = {"encoding": sines(dim=22), "count": 90}
    assert cost_of("projection", UMAP, **fields) > 1e8
    shown = figure(UMAP, **fields)
    assert cost_of("projection", UMAP, **fields) <= 1
    figure(UMAP, **fields)
    ((rows, seed, request),) = fits.requests
    np.testing.assert_allclose(rows, sinusoid(range(90), 22), atol=1e-12)
    assert seed == 7
    assert isinstance(request, threading.Event)
    points = points_of(shown)
    share, before = share_of_neighbours(points), share_of_neighbours(rows, "cosine")
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    for fact in (
        "UMAP (cosine, seed 7)",
        f"{100 * share:.0f} % of 90 positions",
        f"({100 * before:.0f} % in all 22 dimensions)",
        f"{steps.max() / np.median(steps):.1f} times the median",
    ):
        assert fact in shown.status
    assert [shown.panels[0].x.title, shown.panels[0].y.title] == ["UMAP 1", "UMAP 2"]
    assert shown.substitute is None


def test_a_failure_of_umap_is_a_sentence_and_is_tried_again(fits):
    fits.error = EncodingError("UMAP", "the process has ended", "choose UMAP again")
    fields = {"encoding": sines(dim=24), "count": 33}
    note = figure(UMAP, **fields).note
    assert note.sentence == "UMAP: the process has ended. Choose UMAP again."
    fits.error = None
    assert figure(UMAP, **fields).note is None
    assert len(fits.requests) == 2


def test_without_umap_pca_is_shown_and_the_command(monkeypatch):
    why = "UMAP is not installed. This command adds it: pip install umap"
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: why)
    fields = {"encoding": sines(dim=26), "count": 40}
    shown, other = figure(UMAP, **fields), figure(**fields)
    np.testing.assert_array_equal(points_of(shown), points_of(other))
    assert shown.status.startswith(why)
    assert shown.status.endswith(other.status)
    assert (shown.substitute.option, shown.substitute.replacement) == ("method", "pca")
    assert why in shown.substitute.reason


def test_the_seed_is_without_effect_where_nothing_is_random():
    effects = [
        set(ProjectionPicture(state_of("projection", options)).options.ineffective_parameters)
        for options in ({}, UMAP)
    ]
    assert effects == [{"seed"}, set()]


def test_a_trail_has_each_colour_once_and_no_gap_between():
    trail = Trail(np.arange(10.0), np.zeros(10), range(5, 25, 2), ("position", 100, 30))
    shades = trail.shades(4)
    assert shades.tolist() == [round(3 * number / 29) for number in range(5, 25, 2)]
    parts = list(trail.parts(4))
    assert [shade for shade, _ in parts] == sorted(set(shades.tolist()))
    drawn = [step for _, part in parts for step in range(*part.indices(10))[:-1]]
    assert drawn == list(range(9))  # each step from a point to the next, once
    assert (trail.number(3), trail.locate(111), trail.locate(110)) == (111, 3, None)
    assert trail.find_value(2.8, 0.1) == 111.0
