"""What a pixel shows of narrow columns, against a resampling that is written anew."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.pictures.pixel_columns import make_pixel_columns
from tests.pictures.resampling import coverage, resampled

WIDTHS = (100, 128, 256, 333, 512, 700, 1023, 1024, 2048, 4096)
ROOMS = (300, 500, 731, 1000, 2001, 3000)
SIZES = [
    (width, round(room * scale)) for width in WIDTHS for room in ROOMS for scale in (1, 1.5, 2)
]
NARROW = [(width, pixels) for width, pixels in SIZES if pixels < 2 * width]
ENCODINGS = {
    "interleaved": {},
    "concatenated": {"layout": "concatenated"},
    "a column of zeros": {"spacing": "endpoint"},
}


def kinds_of(width, **parameters):
    return encodings.create("sinusoidal", dim=width, **parameters).kinds


@pytest.mark.parametrize("parameters", ENCODINGS.values(), ids=ENCODINGS)
def test_below_two_pixels_sines_and_cosines_are_never_mixed(parameters):
    """At position 0 all sines are 0 and all cosines 1; equal pairs give equal stripes."""
    for width, pixels in NARROW:
        kinds = kinds_of(width, **parameters)
        shown = make_pixel_columns(kinds, pixels).means(1.0 - kinds[None, :])[0]
        assert shown.shape == (pixels,), (width, pixels)
        assert np.minimum(np.abs(shown), np.abs(shown - 1)).max() < 1e-6, (width, pixels)
        if not parameters:  # kinds that take turns
            np.testing.assert_allclose(shown, np.arange(pixels) % 2, atol=1e-6)


def test_every_pixel_is_what_the_resampling_written_anew_says():
    np.testing.assert_allclose(coverage(10, 7).sum(axis=1), 1.0)  # everything once
    pick = np.random.default_rng(29)
    for width, pixels in SIZES:
        if width * pixels > 1_000_000:
            continue
        table = pick.normal(size=(3, width))
        for turns in (1, 2):
            how = make_pixel_columns(np.arange(width) % turns, pixels)
            found = table if how is None else how.means(table)
            wanted = resampled(table, pixels, turns)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9, err_msg=f"{pixels}")


def test_from_two_to_four_pixels_each_column_covers_as_much_and_then_has_its_own():
    sizes = [(w, pixels) for w, pixels in SIZES if w <= 1024 and 2 * w <= pixels < 4 * w]
    for width, pixels in sizes:
        covered = make_pixel_columns(kinds_of(width), pixels).means(np.eye(width)).sum(axis=1)
        np.testing.assert_allclose(covered, pixels / width, rtol=1e-6)
    assert len(sizes) > 10
    assert make_pixel_columns(kinds_of(128), 512) is None
    assert make_pixel_columns(kinds_of(128), 511) is not None


@pytest.mark.parametrize("stripe", [2, 3])
def test_stripes_are_as_wide_as_they_must_be(stripe):
    """As many pixels of one kind stand side by side, but perhaps at the end."""
    for width, pixels in ((512, 500), (512, 731), (1024, 999), (300, 500)):
        kinds = kinds_of(width)
        shown = make_pixel_columns(kinds, pixels, stripe).means(kinds[None, :].astype(float))[0]
        assert shown.shape == (pixels,)
        np.testing.assert_allclose(shown, 1 - np.arange(pixels) // stripe % 2, atol=1e-9)


def test_a_pixel_that_shows_no_mean_shows_the_first_column_of_its_kind():
    columns, kinds = np.arange(24.0)[None, :], np.arange(24) % 2
    picked = make_pixel_columns(kinds, 8, averages=False).select_first_values(columns)[0]
    assert picked.tolist() == [0, 1, 6, 7, 12, 13, 18, 19]
    of_one_kind = make_pixel_columns(0 * kinds, 8, averages=False).select_first_values(columns)[0]
    assert of_one_kind.tolist() == [0, 3, 6, 9, 12, 15, 18, 21]
    assert make_pixel_columns(kinds, 48, averages=False) is None
    assert make_pixel_columns(0 * kinds, 24, averages=False) is None


def test_the_column_under_the_mouse_is_the_nearest_of_the_kind_that_is_seen():
    for width, pixels in ((512, 300), (512, 731), (700, 1000), (1024, 500)):
        kinds = kinds_of(width)
        how = make_pixel_columns(kinds, pixels)
        seen = how.means(kinds[None, :].astype(float))[0]
        for pixel in range(0, pixels, 7):
            x = (pixel + 0.5) * width / pixels - 0.5
            column = how.find_column(x)
            own = np.flatnonzero(kinds == round(seen[pixel]))
            assert kinds[column] == round(seen[pixel])
            assert abs(column - x) <= np.abs(own - x).min() + 1e-9
        assert how.find_column(-9.0) == 0
        assert how.find_column(width + 9.0) in (width - 1, width - 2)


def test_numbers_beside_a_pixel_do_not_matter_to_it():
    """Neither what is not finite, nor the largest numbers there are."""
    table = np.zeros((1, 64))
    table[0, 40] = np.nan
    shown = make_pixel_columns(np.zeros(64, dtype=int), 16).means(table)[0]
    assert np.flatnonzero(np.isnan(shown)).tolist() == [10]
    huge = np.full((1, 90), 1.7e308)
    shown = make_pixel_columns(np.zeros(90, dtype=int), 7).means(huge)[0]
    np.testing.assert_allclose(shown, 1.7e308, rtol=1e-12)
