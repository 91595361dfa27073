"""The stored points of UMAP: of which rows they are, and how well they keep neighbours."""

import json
from threading import Event

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from pe_explorer import encodings, pictures
from pe_explorer.analysis import stored_umap, umap_process
from pe_explorer.assets import asset
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.projection import ProjectionPicture
from tests.support.sinusoids import sinusoid

EXHIBIT = "002-umap"
FILES = sorted(asset(stored_umap.FOLDER).glob("*.json"))
SEEDS = (0, 1, 42)
COUNT, WIDTH = 1000, 1024
K = 15


def trustworthiness(rows, points, k=K):
    """Return how seldom strangers became neighbours: 1 for never (Venna and Kaski 2001)."""
    count = len(rows)
    before, after = squareform(pdist(rows, "cosine")), squareform(pdist(points))
    total = 0
    for place in range(count):
        others = [other for other in range(count) if other != place]
        rank = {other: n for n, other in enumerate(sorted(others, key=before[place].item), 1)}
        nearest = sorted(others, key=after[place].item)[:k]
        total += sum(max(rank[other] - k, 0) for other in nearest)
    return 1 - 2 * total / (count * k * (2 * count - 3 * k - 1))


def test_trustworthiness_of_what_is_known():
    steps = np.linspace(0.1, 1, 40) ** 2  # no two neighbours are equally near
    circle = np.stack([np.cos(steps), np.sin(steps)], axis=1)
    assert trustworthiness(circle, circle, 5) == 1
    mixed = circle[np.random.default_rng(0).permutation(40)]
    assert trustworthiness(circle, mixed, 5) < 0.7


def run_of(seed):
    (run,) = [run for run in stored_umap.runs() if run.seed == seed]
    return run


def test_every_file_is_read():
    assert len(stored_umap.runs()) == len(FILES) == len(SEEDS)
    assert sorted(run.seed for run in stored_umap.runs()) == [*SEEDS]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_says_what_it_is_of(path):
    found = json.loads(path.read_text(encoding="utf-8"))
    points = found.pop("points")
    assert len(points) == 4 * -(-8 * COUNT // 3), "two float32 for each position, as base64"
    seed = int(path.stem.removeprefix("seed-"))
    assert found == {
        "encoding": {"name": "sinusoidal", "dim": WIDTH, "base": 10000},
        "start": 0,
        "count": COUNT,
        "metric": "cosine",
        "seed": seed,
        "neighbours": umap_process.NEIGHBOURS,
        "min_dist": umap_process.MIN_DISTANCE,
        "release": "0.5.12",
    }


def test_the_settings_are_those_of_the_exhibit_and_of_its_tries():
    exhibit = exhibits()[EXHIBIT]
    states = [exhibit.exploration, *(each.applied(exhibit.exploration) for each in exhibit.tries)]
    by_umap = [state for state in states if options_of(state).method == "umap"]
    assert len(by_umap) == 2
    for state in by_umap:
        run = stored_umap.find(state.encoding, state.positions, "cosine", options_of(state).seed)
        assert run is not None
        text = " ".join(point.text for point in exhibit.look)
        assert f"umap-learn {run.release}" in text


def options_of(state):
    return pictures.find("projection").options(state)


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbours_of_the_rows_are_neighbours_among_the_points(seed):
    points = run_of(seed).points
    assert (points.shape, points.dtype) == ((COUNT, 2), np.float64)
    assert np.isfinite(points).all()
    np.testing.assert_array_equal(points, points.astype(np.float32))
    rows = sinusoid(range(COUNT), WIDTH)
    assert trustworthiness(rows, points) > 0.98
    if seed == SEEDS[0]:  # which says that the measure tells them from others
        mixed = points[np.random.default_rng(0).permutation(COUNT)]
        assert trustworthiness(rows, mixed) < 0.6


def test_seeds_have_points_of_their_own():
    first, *others = (run_of(seed).points for seed in SEEDS)
    for other in others:
        assert not np.allclose(first, other, atol=1)


E = encodings.create("sinusoidal", dim=WIDTH, base=10000)


@pytest.mark.parametrize(
    "asked",
    [
        (encodings.create("sinusoidal", dim=WIDTH, base=10001), range(COUNT), "cosine", 42),
        (encodings.create("sinusoidal", dim=512, base=10000), range(COUNT), "cosine", 42),
        (E, range(COUNT - 1), "cosine", 42),
        (E, range(1, COUNT + 1), "cosine", 42),
        (E, range(0, 2 * COUNT, 2), "cosine", 42),
        (E, range(COUNT), "euclidean", 42),
        (E, range(COUNT), "cosine", 43),
    ],
)
def test_they_are_of_nothing_else(asked):
    assert stored_umap.find(E, range(COUNT), "cosine", 42) is not None
    assert stored_umap.find(*asked) is None


@pytest.mark.parametrize(
    "damage",
    [{"count": 999}, {"points": "?"}, {"encoding": {"name": "no"}}, {"extra": 1}],
    ids=str,
)
def test_a_file_that_is_badly_edited_is_left_out(damage, tmp_path, monkeypatch):
    document = json.loads(FILES[0].read_text(encoding="utf-8"))
    (tmp_path / "whole.json").write_text(json.dumps(document))
    (tmp_path / "bad.json").write_text(json.dumps(document | damage))
    (tmp_path / "worse.json").write_text("[")
    monkeypatch.setattr(stored_umap, "asset", lambda name: tmp_path)
    stored_umap.runs.cache_clear()
    assert len(stored_umap.runs()) == 1
    stored_umap.runs.cache_clear()


# -- where they are used ---------------------------------------------------------------------------

LACK = "UMAP is not installed. This command adds it: pip install umap"


def pictures_of(state):
    whole = resolve(state, DirectStore())
    numbers = ProjectionPicture.compute(whole, Size(1, 1), Event())
    return ProjectionPicture.figure(whole, numbers), numbers


@pytest.fixture
def without_umap(monkeypatch):
    monkeypatch.setattr(umap_process, "missing", lambda: LACK)
    monkeypatch.setattr(umap_process, "embed", None)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_exhibit_shows_them_where_umap_is_not_installed(seed, without_umap):
    state = pictures.with_options(exhibits()[EXHIBIT].exploration, "projection", seed=seed)
    figure, numbers = pictures_of(state)
    points = run_of(seed).points
    trail = figure.panels[0].trail
    np.testing.assert_array_equal(np.stack([trail.x, trail.y], axis=1), points)
    assert figure.substitute is None
    assert figure.panels[0].x.title == "UMAP 1"
    assert f"seed {seed}; stored points of umap-learn 0.5.12" in figure.status
    apart = squareform(pdist(points))
    np.fill_diagonal(apart, np.inf)
    beside = np.abs(apart.argmin(axis=1) - np.arange(COUNT)) == 1
    assert numbers.neighbours == pytest.approx(beside.mean())


@pytest.mark.parametrize(
    "other", [{"seed": 7}, {"count": 999}, {"start": 1}, {"dim": 512}], ids=str
)
def test_anything_else_is_by_pca_and_says_so(other, without_umap):
    state = exhibits()[EXHIBIT].exploration
    if "seed" in other:
        state = pictures.with_options(state, "projection", **other)
    elif "dim" in other:
        state = state.with_(encoding=encodings.create("sinusoidal", base=10000, **other))
    else:
        state = state.with_(**other)
    figure, _ = pictures_of(state)
    assert figure.status.startswith(f"{LACK}. PCA is shown instead.")
    assert figure.panels[0].x.title.startswith("component 1")
    told = exhibits()[EXHIBIT].texts_for(resolve(state, DirectStore()))
    assert "UMAP" not in f"{told.note} {told.look}", "words on UMAP beside a picture by PCA"
