"""A test of many cases runs them all, and lists those that fail."""

import pytest

from tests.support.cases import for_each


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
