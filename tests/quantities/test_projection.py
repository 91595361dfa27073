"""Projections to the plane."""

import numpy as np
import pytest

from pe_explorer import quantities
from pe_explorer.analysis import projection, umap_process
from pe_explorer.analysis.projection import SEED
from pe_explorer.encodings import EncodingError
from pe_explorer.progress import Progress
from tests.support.requirements import COUNT, QuantityRequirements, quantity_input, whole
from tests.support.samples import sample


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        """Compare the extents of points; the first of the farthest coordinates is positive."""
        rows = defined.rows(positions)
        reaches = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)[:2]
        assert found.shape == (len(positions), 2)
        tolerance = 1e-9 * max(1.0, reaches[0])
        np.testing.assert_allclose(
            np.linalg.norm(found, axis=0), reaches, rtol=1e-9, atol=tolerance
        )
        for coordinates, reach in zip(found.T, reaches, strict=True):
            first = np.isclose(np.abs(coordinates), np.abs(coordinates).max(), rtol=1e-6).argmax()
            assert coordinates[first] > 0 or reach < tolerance


def test_components_of_a_projection():
    titles = list(
        quantities.data("projection", quantity_input(sample("sinusoidal", dim=16))).titles()
    )
    assert titles == ["position", "component 1", "component 2"]
    assert quantities.data("projection", quantity_input(sample("binary", dim=1))).shape == (
        COUNT,
        1,
    )


@pytest.mark.parametrize(
    ("count", "words"), [(1, "at least 2"), (513, "513 .* at most 512"), (2, ""), (512, "")]
)
def test_limits_of_a_projection(count, words):
    wide = sample("sinusoidal", dim=65_536)
    if words:
        with pytest.raises(EncodingError, match=words) as caught:
            quantities.of("projection", wide, range(count))
        assert caught.value.name == "positions"
    else:
        assert quantities.of("projection", wide, range(count)).shape == (count, 2)


def test_umap_is_computed_or_read_from_stored_points(monkeypatch):
    def embed(rows, *, seed, request):
        request.report(0.5, "half")
        return rows[:, :2] + seed

    e, progress = sample("sinusoidal", dim=16), Progress()
    inputs = quantity_input(e, method="umap", seed=7, progress=progress)
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: "")
    monkeypatch.setattr(umap_process, "embed", embed)
    data = quantities.data("projection", inputs)
    assert [*data.titles()] == ["position", "UMAP 1", "UMAP 2"]
    np.testing.assert_array_equal(whole(data), e.table(inputs.positions)[:, :2] + 7)
    assert progress.share == pytest.approx(0.3 + 0.7 / 2)
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: "gone")
    with pytest.raises(EncodingError) as caught:
        quantities.data("projection", inputs)
    assert (caught.value.name, caught.value.problem) == ("method", "gone")
    stored = quantity_input(
        sample("sinusoidal", dim=1024), positions=range(1000), method="umap", seed=SEED.default
    )
    points = projection.read_stored_umap(stored.encoding, stored.positions, SEED.default)
    np.testing.assert_array_equal(whole(quantities.data("projection", stored)), points)
