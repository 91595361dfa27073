"""The cosines and sines that queries and keys are multiplied by."""

import numpy as np

from pe_explorer import quantities
from tests.support.samples import sample
from tests.support.wanted import COUNT, ROTARY, START, Written, asked, whole


class Definition(Written):
    needs = ROTARY

    @staticmethod
    def check(found, defined, positions):
        np.testing.assert_allclose(found, defined.rows(positions), rtol=1e-15, atol=1e-15)


def test_cosines_sines_and_scores_of_rotary_encodings():
    e = sample("rope", head_dim=8, layout="interleaved")
    positions = np.arange(START, START + COUNT)
    w = 1e4 ** (-2 * np.arange(4) / 8)
    angles = np.repeat(positions[:, None] * w, 2, axis=1)
    found = whole(quantities.data("cos-sin", asked(e)))
    np.testing.assert_allclose(found, np.hstack([np.cos(angles), np.sin(angles)]), atol=1e-13)
    scores = whole(quantities.data("score", asked(e)))
    np.testing.assert_allclose(scores, np.cos(positions[:, None] * w).mean(axis=1), atol=1e-13)
    degrees = whole(quantities.data("angles", asked(e)))
    np.testing.assert_allclose(degrees, np.tile(np.degrees(angles) % 360, 2), atol=1e-9)
