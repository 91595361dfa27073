"""The stored points of UMAP: their settings, and how well they keep neighbours."""

from threading import Event

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from pe_explorer import encodings, pictures
from pe_explorer.analysis import projection, umap_process
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.pictures.pixels import Size
from tests.support.measures import share_of_neighbours
from tests.support.sinusoids import sinusoid

EXHIBIT = "002-umap"
SEEDS = (0, 1, 42)
COUNT, WIDTH = 1000, 1024
E = encodings.create("sinusoidal", dim=WIDTH, base=10000)


def trustworthiness(rows, points, k=15):
    """Return the trustworthiness of an embedding (Venna and Kaski 2001); 1 is perfect."""
    count, itself = len(rows), np.eye(len(rows), dtype=bool)
    before = np.where(itself, -1, squareform(pdist(rows, "cosine")))
    after = np.where(itself, np.inf, squareform(pdist(points)))
    ranks, nearest = before.argsort(axis=1).argsort(axis=1), after.argsort(axis=1)[:, :k]
    strangers = np.maximum(np.take_along_axis(ranks, nearest, axis=1) - k, 0)
    return 1 - 2 * strangers.sum() / (count * k * (2 * count - 3 * k - 1))


def test_trustworthiness_of_known_arrangements():
    steps = np.linspace(0.1, 1, 40) ** 2  # all distances differ
    circle = np.stack([np.cos(steps), np.sin(steps)], axis=1)
    assert trustworthiness(circle, circle, 5) == 1
    mixed = circle[np.random.default_rng(0).permutation(40)]
    assert trustworthiness(circle, mixed, 5) < 0.7


def points_of(seed):
    return projection.read_stored_umap(E, range(COUNT), seed)


def test_stored_points_match_the_settings_of_the_exhibit():
    exhibit = exhibits()[EXHIBIT]
    states = [
        exhibit.exploration,
        *(attempt.apply(exhibit.exploration) for attempt in exhibit.tries),
    ]
    options = [pictures.find("projection")(state).options for state in states]
    by_umap = [item for item in zip(states, options, strict=True) if item[1].method == "umap"]
    assert len(by_umap) == 2
    for state, chosen in by_umap:
        assert projection.read_stored_umap(state.encoding, state.positions, chosen.seed) is not None
    assert projection.STORED_UMAP_VERSION in " ".join(point.text for point in exhibit.look)


@pytest.mark.parametrize("seed", SEEDS)
def test_stored_points_keep_neighbours(seed):
    points = points_of(seed)
    assert (points.shape, points.dtype) == ((COUNT, 2), np.float64)
    assert np.isfinite(points).all()
    np.testing.assert_array_equal(points, points.astype(np.float32))
    rows = sinusoid(range(COUNT), WIDTH)
    assert trustworthiness(rows, points) > 0.98
    for other in set(SEEDS) - {seed}:
        assert not np.allclose(points, points_of(other), atol=1)


@pytest.mark.parametrize(
    "other",
    [
        {"e": encodings.create("sinusoidal", dim=WIDTH, base=10001)},
        {"e": encodings.create("sinusoidal", dim=512, base=10000)},
        {"positions": range(COUNT - 1)},
        {"positions": range(1, COUNT + 1)},
        {"positions": range(0, 2 * COUNT, 2)},
        {"seed": 43},
    ],
    ids=str,
)
def test_other_settings_have_no_stored_points(other):
    settings = {"e": E, "positions": range(COUNT), "seed": 42}
    assert projection.read_stored_umap(**settings) is not None
    assert projection.read_stored_umap(**settings | other) is None


# -- where they are used ---------------------------------------------------------------------------

LACK = "UMAP is not installed. This command adds it: pip install umap"


def pictures_of(state):
    whole = resolve(state, DirectStore())
    numbers = pictures.make_picture("projection", whole).numbers(Size(1, 1), Event())
    return pictures.make_picture("projection", whole).figure(numbers), numbers


@pytest.fixture
def without_umap(monkeypatch):
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: LACK)
    monkeypatch.setattr(umap_process, "embed", None)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_exhibit_shows_stored_points_without_umap(seed, without_umap):
    state = pictures.with_options(exhibits()[EXHIBIT].exploration, "projection", seed=seed)
    figure, numbers = pictures_of(state)
    points = points_of(seed)
    trail = figure.panels[0].trail
    np.testing.assert_array_equal(np.stack([trail.x, trail.y], axis=1), points)
    assert figure.substitute is None
    assert figure.panels[0].x.title == "UMAP 1"
    assert f"seed {seed}; stored points of umap-learn 0.5.12" in figure.status
    assert numbers.neighbours == pytest.approx(share_of_neighbours(points))


def test_another_seed_falls_back_to_pca(without_umap):
    state = pictures.with_options(exhibits()[EXHIBIT].exploration, "projection", seed=7)
    figure, _ = pictures_of(state)
    assert LACK in figure.status
    assert figure.panels[0].x.title.startswith("component 1")
    texts = exhibits()[EXHIBIT].format_texts(resolve(state, DirectStore()))
    assert "UMAP" not in f"{texts.note} {texts.look}"
