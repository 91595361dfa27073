"""What tests share does what it says: cases, samples of products, colours, and processes."""

import os
from itertools import combinations, product

import numpy as np
import pytest

from tests.support.cases import for_each
from tests.support.images import distinct
from tests.support.pairwise import pairwise
from tests.support.parallel import process_count, sendable

FACTORS = [
    [range(3), "abcdefg", range(4), range(5)],
    [range(12), range(20), range(4), range(5)],
    [range(2)] * 8,
    [range(4), range(1), range(3)],
]


def failing_at(bad, seen):
    """Return a test of nine cases that fails at some of them."""

    @for_each("first", (1, 2, 3))
    @for_each(("second", "third"), [("a", 0), ("b", 0), pytest.param("c", 0, id="sea")])
    def test(first, second, third):
        seen.append((first, second, third))
        if first in bad and second == "c":
            pytest.fail("not good\nat all")

    return test


def test_all_cases_run_and_each_that_fails_is_a_line():
    seen = []
    with pytest.raises(AssertionError) as caught:
        failing_at((1, 3), seen)()
    assert len(set(seen)) == 9
    assert str(caught.value).splitlines() == [
        "2 of 9 cases failed:",
        "  1, sea: Failed: not good",
        "  3, sea: Failed: not good",
    ]
    failing_at((), seen)()
    assert len(seen) == 18


@for_each("name", ("one", "two"))
def test_a_case_has_its_own_folder_and_patches(name, tmp_path, monkeypatch):
    assert list(tmp_path.iterdir()) == []
    assert not hasattr(pytest, "of_this_case")
    (tmp_path / "file").touch()
    monkeypatch.setattr(pytest, "of_this_case", name, raising=False)


@pytest.mark.parametrize("factors", FACTORS, ids=str)
def test_any_two_values_meet(factors):
    rows = pairwise(*factors)
    for one, other in combinations(range(len(factors)), 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(factors[one], factors[other]))
    sizes = sorted(map(len, factors))
    assert sizes[-1] * sizes[-2] <= len(rows) <= 1.5 * sizes[-1] * sizes[-2] + 8
    assert rows == pairwise(*factors)
    assert len(set(rows)) == len(rows)


def test_two_factors_are_their_product():
    assert pairwise("ab", "cde") == list(product("ab", "cde"))
    assert pairwise("ab", "") == []


@for_each("channels", [3, 4])
@for_each("levels", [1, 2, 256])
@for_each("kind", [np.uint8, int])
def test_each_colour_is_found_once(channels, levels, kind):
    picture = np.random.default_rng(0).integers(0, levels, (40, 50, channels)).astype(kind)
    found = distinct(picture)
    expected = np.unique(picture.reshape(-1, channels), axis=0)
    assert sorted(map(tuple, found)) == sorted(map(tuple, expected))


def test_a_named_file_runs_in_this_process():
    assert process_count([__file__]) == 0
    assert process_count([f"{__file__}::test_a_named_file_runs_in_this_process"]) == 0
    assert process_count([os.path.dirname(__file__)]) >= 1
    assert process_count([__file__, os.path.dirname(__file__)]) >= 1
    assert process_count([]) >= 1


@pytest.mark.parametrize("text", ["é 日本", "\ud800 é", "a\udcffb", ""])
def test_what_is_sent_can_be_written(text):
    sent = sendable({"sections": [["log", text]], text: (text, None, 1.5, True)})
    written = text.encode("utf-8", "backslashreplace").decode("utf-8")
    assert sent == {"sections": [["log", written]], written: (written, None, 1.5, True)}
