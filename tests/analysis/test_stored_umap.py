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


def trustworthiness(rows, points, k=15):
    """Return how seldom strangers became neighbours: 1 for never (Venna and Kaski 2001)."""
    count, itself = len(rows), np.eye(len(rows), dtype=bool)
    before = np.where(itself, -1, squareform(pdist(rows, "cosine")))
    after = np.where(itself, np.inf, squareform(pdist(points)))
    ranks, nearest = before.argsort(axis=1).argsort(axis=1), after.argsort(axis=1)[:, :k]
    strangers = np.maximum(np.take_along_axis(ranks, nearest, axis=1) - k, 0)
    return 1 - 2 * strangers.sum() / (count * k * (2 * count - 3 * k - 1))


def test_trustworthiness_of_what_is_known():
    steps = np.linspace(0.1, 1, 40) ** 2  # no two neighbours are equally near
    circle = np.stack([np.cos(steps), np.sin(steps)], axis=1)
    assert trustworthiness(circle, circle, 5) == 1
    mixed = circle[np.random.default_rng(0).permutation(40)]
    assert trustworthiness(circle, mixed, 5) < 0.7


def run_of(seed):
    (run,) = [run for run in stored_umap.runs() if run.seed == seed]
    return run


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_is_read_and_says_what_it_is_of(path):
    assert sorted(run.seed for run in stored_umap.runs()) == [*SEEDS]
    assert len(FILES) == len(SEEDS)
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
    options = [pictures.find("projection").options(state) for state in states]
    by_umap = [each for each in zip(states, options, strict=True) if each[1].method == "umap"]
    assert len(by_umap) == 2
    for state, chosen in by_umap:
        run = stored_umap.find(state.encoding, state.positions, "cosine", chosen.seed)
        assert f"umap-learn {run.release}" in " ".join(point.text for point in exhibit.look)


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbours_of_the_rows_are_neighbours_among_the_points(seed):
    points = run_of(seed).points
    assert (points.shape, points.dtype) == ((COUNT, 2), np.float64)
    assert np.isfinite(points).all()
    np.testing.assert_array_equal(points, points.astype(np.float32))
    rows = sinusoid(range(COUNT), WIDTH)
    assert trustworthiness(rows, points) > 0.98
    for other in set(SEEDS) - {seed}:
        assert not np.allclose(points, run_of(other).points, atol=1)


E = encodings.create("sinusoidal", dim=WIDTH, base=10000)


@pytest.mark.parametrize(
    "other",
    [
        {"e": encodings.create("sinusoidal", dim=WIDTH, base=10001)},
        {"e": encodings.create("sinusoidal", dim=512, base=10000)},
        {"positions": range(COUNT - 1)},
        {"positions": range(1, COUNT + 1)},
        {"positions": range(0, 2 * COUNT, 2)},
        {"metric": "euclidean"},
        {"seed": 43},
    ],
    ids=str,
)
def test_they_are_of_nothing_else(other):
    asked = {"e": E, "positions": range(COUNT), "metric": "cosine", "seed": 42}
    assert stored_umap.find(*asked.values()) is not None
    assert stored_umap.find(*(asked | other).values()) is None


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


def test_another_seed_is_by_pca_and_no_words_on_umap_stand_beside_it(without_umap):
    state = pictures.with_options(exhibits()[EXHIBIT].exploration, "projection", seed=7)
    figure, _ = pictures_of(state)
    assert LACK in figure.status
    assert figure.panels[0].x.title.startswith("component 1")
    told = exhibits()[EXHIBIT].texts_for(resolve(state, DirectStore()))
    assert "UMAP" not in f"{told.note} {told.look}"
