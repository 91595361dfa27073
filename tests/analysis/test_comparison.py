"""What is looked at where an encoding is pinned, against differences formed by hand."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis.comparison import (
    SHOW,
    Subject,
    chosen,
    why_not_comparable,
    why_other_rows,
)

WIDE, NARROW = (
    encodings.create("sinusoidal", dim=20),
    encodings.create("sinusoidal", dim=7, base=500.0, layout="concatenated"),
)
POSITIONS = range(10**15, 10**15 + 60, 3)


def test_what_a_choice_means():
    assert [chosen(show, WIDE, NARROW).encodings for show in SHOW.choices if " " not in show] == [
        (WIDE,),
        (NARROW,),
        (WIDE, NARROW),
    ]
    assert {chosen(show, WIDE, None) for show in SHOW.choices} == {Subject("current", WIDE)}


@pytest.mark.parametrize(("e", "less"), [(WIDE, NARROW), (NARROW, WIDE)])
def test_values_of_a_difference(e, less):
    difference, wanted = (
        Subject("difference", e, less),
        e.table(POSITIONS)[:, :7] - less.table(POSITIONS)[:, :7],
    )
    assert difference.width == 7
    np.testing.assert_allclose(difference.table(POSITIONS), wanted, rtol=0, atol=1e-15)
    out = np.empty((20, 7))
    assert difference.table(POSITIONS, out) is out
    np.testing.assert_allclose(out, wanted, rtol=0, atol=1e-15)


@pytest.mark.parametrize("subject", [Subject("current", WIDE), Subject("difference", WIDE, NARROW)])
def test_means_are_those_of_the_values(subject):
    singles = subject.table(range(-500, 500)).reshape(4, 250, subject.width)
    np.testing.assert_allclose(subject.block_means(-500, 250, 4), singles.mean(axis=1), atol=1e-14)


def test_angles_of_a_difference():
    e, less = (
        encodings.create("sinusoidal", dim=4),
        encodings.create("sinusoidal", dim=4, base=100.0),
    )
    subject = Subject("difference", e, less)
    found = np.angle(subject.angles.phasors(range(9)))[:, subject.angles.wave_of]
    ahead = np.outer(range(9), e.frequencies() - less.frequencies()).repeat(2, axis=1)
    np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * ahead), atol=1e-14)


def test_what_does_not_compare_is_called_as_the_field_writes_it():
    alibi, rope = encodings.create("alibi"), encodings.create("rope")
    assert why_other_rows(alibi, WIDE).startswith(
        "ALiBi has rows for offsets and sinusoidal for positions"
    )
    columns = "RoPE has columns for cosines and sines and sinusoidal for dimensions"
    assert why_not_comparable(rope, WIDE).startswith(columns)
