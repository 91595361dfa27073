"""The projection against singular values and distances that are computed anew here."""

import threading

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from pe_explorer import encodings, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.projection import ProjectionPicture
from pe_explorer.pictures.trail import Trail
from tests.support.samples import samples
from tests.support.sinusoids import sinusoid
from tests.support.wanted import Drawn


class Definition(Drawn):
    """It needs nothing but rows."""


NEVER = threading.Event()


def sines(dim=1024, **parameters):
    return encodings.create("sinusoidal", dim=dim, **parameters)


def state_of(e, options=(), **fields):
    state = resolve(Exploration(e, **fields), DirectStore())
    return resolve(pictures.with_options(state, "projection", **dict(options)), DirectStore())


def figure_of(state):
    numbers = ProjectionPicture.compute(state, Size(1, 1), NEVER)
    return ProjectionPicture.with_cursor(state, ProjectionPicture.figure(state, numbers))


def points_of(figure):
    (panel,) = figure.panels
    return np.column_stack([panel.trail.x, panel.trail.y])


def share_of_neighbours(points, metric="euclidean"):
    """Return for what share the nearest other one is beside it, from all distances."""
    distances = squareform(pdist(points, metric)) + np.diag(np.full(len(points), np.inf))
    return np.mean(np.abs(distances.argmin(axis=1) - np.arange(len(points))) == 1)


# -- the exhibit -----------------------------------------------------------------------------------


def test_a_line_of_positions():
    figure = figure_of(state_of(sines(), count=1000, position=999))
    found = points_of(figure)
    rows = sinusoid(range(1000), 1024)
    centred = rows - rows.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    expected = u[:, :2] * s[:2]
    expected *= np.sign((expected * found).sum(axis=0))
    np.testing.assert_allclose(found, expected, atol=1e-9)
    np.testing.assert_allclose(found[0], [6.6169, -5.0652], atol=5e-5)
    np.testing.assert_allclose(found[999], [-6.6169, -5.0652], atol=5e-5)
    ratio = s[:2] ** 2 / (s**2).sum()
    np.testing.assert_allclose(ratio, [0.130575, 0.075892], atol=5e-7)
    assert share_of_neighbours(found) == 1
    assert figure.status == (
        "Projection: two components hold 20.6 % of the variance (13.06 + 7.59); "
        "for 100 % of 1,000 positions the nearest point is a neighbour."
    )
    (panel,) = figure.panels
    assert panel.x.title == "component 1, 13.06 % of the variance"
    assert panel.y.title == "component 2, 7.59 % of the variance"
    assert panel.x.length == panel.y.length
    assert panel.trail.marked == 999


def test_a_narrower_encoding():
    figure = figure_of(state_of(sines(64), count=1000))
    assert "hold 20.2 % of the variance" in figure.status
    share = share_of_neighbours(points_of(figure))
    assert f"for {100 * share:.1f} % of 1,000 positions" in figure.status


def test_the_point_of_the_cursor_and_its_nearest():
    state = state_of(sines(), count=1000, position=300)
    found = ProjectionPicture.inspect(state, NEVER)
    points = points_of(figure_of(state))
    values = {value.name: value.text for value in found.values}
    assert float(values["Across"]) == points[300, 0]
    assert float(values["Up"]) == points[300, 1]
    distances = cdist(points[300:301], points)[0]
    distances[300] = np.inf
    nearest = distances.argmin()
    assert values["Nearest point"] == f"position {nearest}, {distances[nearest]:.6g} away"


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_the_axes_show_all_points_and_measure_the_same(e):
    first = e.first_range
    figure = figure_of(state_of(e, start=first.start, count=len(first)))
    (panel,) = figure.panels
    points = points_of(figure)
    assert len(points) > 1
    for axis, places in zip((panel.x, panel.y), points.T, strict=True):
        assert axis.low < places.min()
        assert places.max() < axis.high
        assert axis.length == pytest.approx(panel.x.length)
    for place, (x, y) in enumerate(points):
        drawn, at = OnScreen(state_of(e), None, figure), Pointer("points", x, y)
        there = ProjectionPicture.pointed_at(drawn.state, drawn, at)["position"]
        distances = np.hypot(*(points - (x, y)).T)
        assert distances[there - panel.trail.counted[1]] == 0 or there == first.start + place


# -- at the edges ----------------------------------------------------------------------------------


def test_two_positions_are_two_points_on_a_level_line():
    figure = figure_of(state_of(sines(8), count=2))
    points = points_of(figure)
    distance = np.linalg.norm(np.diff(sinusoid(range(2), 8), axis=0))
    np.testing.assert_allclose(points, [[distance / 2, 0], [-distance / 2, 0]], atol=1e-12)
    assert figure.status == "Projection: two components hold 100 % of the variance (100 + 0)."


def test_one_position_is_a_sentence():
    figure = figure_of(state_of(sines(8), count=1))
    assert not figure.panels[0].trail.visible
    assert figure.note.sentence.endswith("so it needs at least 2; show more.")
    assert "nothing is shown" in figure.status


def test_rows_that_are_all_equal_are_a_sentence():
    figure = figure_of(state_of(sines(8, scale=0.0)))
    assert "Rows are all equal" in figure.note.sentence


def test_one_dimension_is_a_line():
    figure = figure_of(state_of(encodings.create("index", dim=1), count=5))
    points = points_of(figure)
    np.testing.assert_allclose(points[:, 0], np.sign(points[-1, 0]) * np.arange(-2, 3))
    np.testing.assert_array_equal(points[:, 1], 0)
    assert "one component holds all of the variance" in figure.status
    assert figure.panels[0].y.title == "component 2"


@pytest.mark.parametrize("name", ["index", "fraction"])
def test_numbers_that_grow_evenly_are_a_straight_line(name):
    figure = figure_of(state_of(encodings.create(name, dim=16), count=31))
    points = points_of(figure)
    steps = np.diff(points[:, 0])
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)
    np.testing.assert_allclose(points[:, 1], 0, atol=1e-9 * abs(steps[0]))
    assert "hold 100 % of the variance (100 + 0)" in figure.status


@pytest.mark.parametrize("dim", [1, 3, 7, 129])
def test_odd_widths(dim):
    figure = figure_of(state_of(sines(dim)))
    rows = sines(dim).table(range(50))
    s = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    spread = np.square(points_of(figure)).sum(axis=0)
    np.testing.assert_allclose(spread[: min(2, dim)], s[:2] ** 2, rtol=1e-9)


@pytest.mark.parametrize(("start", "count"), [(0, 10**15), (-LIMIT, LIMIT), (10**15, 20_000)])
def test_of_many_positions_some_are_taken_evenly(start, count):
    state = state_of(sines(16), start=start, count=count, position=start)
    figure = figure_of(state)
    (panel,) = figure.panels
    taken = [panel.trail.number(place) for place in range(len(panel.trail.x))]
    step = taken[1] - taken[0]
    assert taken == list(range(start, start + count, step))
    assert 2048 < len(taken) <= 4096
    said = f"Of {count:,} positions, {len(taken):,} are taken: one of every {step:,}, evenly chosen"
    assert said in figure.status
    assert panel.trail.marked == 0
    assert ProjectionPicture.cursor_outside(state) is None


def test_a_cursor_between_two_points_is_led_to():
    state = state_of(sines(16), count=10**6, position=1001)
    outside = ProjectionPicture.cursor_outside(state)
    assert outside.where == "1,001, between two points"
    shown = state_of(sines(16), position=1001, **outside.fields)
    assert figure_of(shown).panels[0].trail.marked is not None
    lack = ProjectionPicture.inspect(state, NEVER).lack
    assert lack == "Position 1,001 has no point: every 245th has one."


def test_a_table_has_points_for_its_rows_only(tmp_path):
    rows = np.random.default_rng(1).normal(size=(40, 6))
    np.save(tmp_path / "rows.npy", rows)
    e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
    figure = figure_of(state_of(e, start=-10, count=100, position=3))
    (panel,) = figure.panels
    assert [panel.trail.number(0), panel.trail.number(39)] == [0, 39]
    u, s, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    expected = u[:, :2] * s[:2]
    np.testing.assert_allclose(np.abs(points_of(figure)), np.abs(expected), atol=1e-9)
    assert "Of 100 positions, 40 have a row." in figure.status
    assert panel.trail.marked == 3
    far = figure_of(state_of(e, start=1000))
    assert far.note.rows == range(40)
    assert far.note.offer == "Show its rows"


def test_a_projection_is_kept():
    state = state_of(sines(32), count=60)
    first = ProjectionPicture.compute(state, Size(1, 1), NEVER)
    assert ProjectionPicture.compute(state, Size(9, 9), NEVER) is first


# -- UMAP ------------------------------------------------------------------------------------------


class Fits:
    """Stands in for UMAP: a spiral, or an error."""

    def __init__(self, error=None):
        self.asked, self.error = [], error

    def __call__(self, rows, *, metric, seed, request):
        self.asked.append((rows, metric, seed, request))
        if self.error:
            raise self.error
        turns = np.linspace(0, 3, len(rows))
        return np.column_stack([turns * np.cos(turns * seed), turns * np.sin(turns * seed)])


@pytest.fixture
def fits(monkeypatch):
    found = Fits()
    monkeypatch.setattr(umap_process, "missing", lambda: "")
    monkeypatch.setattr(umap_process, "embed", found)
    return found


UMAP = {"method": "umap", "seed": 7}


def test_umap_is_asked_once_for_the_rows_and_the_seed(fits):
    state = state_of(sines(22), UMAP, count=90)
    assert ProjectionPicture.cost(state, Size(1, 1)) > 1e8
    figure = figure_of(state)
    assert ProjectionPicture.cost(state, Size(1, 1)) <= 1
    figure_of(state)
    ((rows, metric, seed, request),) = fits.asked
    np.testing.assert_allclose(rows, sinusoid(range(90), 22), atol=1e-12)
    assert (metric, seed) == ("cosine", 7)
    assert isinstance(request, threading.Event)
    points = points_of(figure)
    share = share_of_neighbours(points)
    before = share_of_neighbours(rows, "cosine")
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert figure.status == (
        f"Projection by UMAP (cosine, seed 7): for {100 * share:.0f} % of 90 positions the nearest "
        f"point is a neighbour (in all 22 dimensions for {100 * before:.0f} %); the longest step "
        f"is {lengths.max() / np.median(lengths):.1f} times the median."
    )
    assert [figure.panels[0].x.title, figure.panels[0].y.title] == ["UMAP 1", "UMAP 2"]
    assert figure.substitute is None


def test_a_failure_of_umap_is_a_sentence_and_is_tried_again(fits):
    fits.error = EncodingError("UMAP", "the process has ended", "choose UMAP again")
    state = state_of(sines(24), UMAP, count=33)
    figure = figure_of(state)
    assert figure.note.sentence == "UMAP: the process has ended; choose UMAP again."
    fits.error = None
    assert figure_of(state).note is None
    assert len(fits.asked) == 2


def test_without_umap_pca_is_shown_and_the_command(monkeypatch):
    why = "UMAP is not installed. This command adds it: pip install umap"
    monkeypatch.setattr(umap_process, "missing", lambda: why)
    state = state_of(sines(26), UMAP, count=40)
    figure = figure_of(state)
    other = figure_of(state_of(sines(26), count=40))
    np.testing.assert_array_equal(points_of(figure), points_of(other))
    assert figure.status == f"{why}. PCA is shown instead. {other.status}"
    assert (figure.substitute.option, figure.substitute.shown) == ("method", "pca")
    assert why in figure.substitute.why


def test_the_seed_is_without_effect_where_nothing_is_random():
    options = ProjectionPicture.Options.default()
    assert set(options.without_effect) == {"seed"}
    state = state_of(sines(8), UMAP)
    assert not ProjectionPicture.options(state).without_effect


# -- the description -------------------------------------------------------------------------------


def test_a_trail_has_each_colour_once_and_no_gap_between():
    trail = Trail(np.arange(10.0), np.zeros(10), range(5, 25, 2), ("position", 100, 30))
    shades = trail.shades(4)
    assert shades.tolist() == [round(3 * number / 29) for number in range(5, 25, 2)]
    parts = list(trail.parts(4))
    assert [shade for shade, _ in parts] == sorted(set(shades.tolist()))
    drawn = [step for _, part in parts for step in range(*part.indices(10))[:-1]]
    assert drawn == list(range(9))  # each step from a point to the next, once
    assert trail.number(3) == 111
    assert trail.place_of(111) == 3
    assert trail.place_of(110) is None
    assert trail.value_at(2.8, 0.1) == 111.0


@pytest.mark.parametrize(
    ("rows", "size"),
    [([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], "large"), ([[0.0], [5e-324]], "small")],
)
def test_points_that_are_too_far_apart_or_too_near_are_a_sentence(tmp_path, rows, size):
    np.save(tmp_path / "rows.npy", rows)
    e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
    note = figure_of(state_of(e, count=2)).note
    assert note.sentence == f"The differences between the rows are too {size} to be drawn."


def test_far_positions_have_the_points_of_near_ones():
    e = encodings.create("fraction", dim=4, length=50)
    near, far = (figure_of(state_of(e, start=start, count=9)) for start in (0, 9 * 10**15))
    for one, other in zip(near.panels, far.panels, strict=True):
        np.testing.assert_allclose(one.trail.x, other.trail.x, rtol=1e-13, atol=1e-15)
