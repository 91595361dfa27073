"""Angles of sines and cosines, in degrees."""

import numpy as np

from pe_explorer import quantities
from tests.support.definitions import mp
from tests.support.requirements import WAVES, QuantityRequirements, whole
from tests.support.samples import sample


class Definition(QuantityRequirements):
    needs = WAVES
    differs = True

    @staticmethod
    def check(found, defined, positions):
        exact = [[defined.angle(p, j) for j in range(defined.width)] for p in positions]
        degrees = [[float(mp.degrees(angle) % 360) for angle in row] for row in exact]
        np.testing.assert_allclose((found - degrees + 180) % 360, 180, atol=1e-9)


def test_angles_are_computed_in_small_chunks(monkeypatch):
    monkeypatch.setattr("pe_explorer.quantities._base._CHUNK_VALUES", 40)
    for dim, chunk in ((12, 3), (64, 1)):
        e, sizes = sample("sinusoidal", dim=dim), []
        phasors = type(e).phasors

        def counting(self, positions, phasors=phasors, sizes=sizes):
            sizes.append(len(positions))
            return phasors(self, positions)

        with monkeypatch.context() as patch:
            patch.setattr(type(e), "phasors", counting)
            found = whole(quantities.of("angles", e, range(7)))
        assert sizes == [chunk] * (7 // chunk) + [7 % chunk] * (chunk > 1)
        np.testing.assert_allclose(found[:, 0], np.degrees(range(7)) % 360, atol=1e-12)
