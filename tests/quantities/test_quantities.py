"""Every quantity of every encoding: its numbers, or the sentence that says why there are none."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.quantities import Asked
from tests.support.samples import sample, samples

START, COUNT = 3, 41

EXPECTED = {
    "sinusoidal": {"table", "distances", "angles", "matrix", "frequencies"},
    "index": {"table", "distances", "matrix"},
    "fraction": {"table", "distances", "matrix"},
    "binary": {"table", "distances", "matrix"},
    "learned": {"table", "distances", "matrix"},
    "rope": {"table", "distances", "angles", "matrix", "frequencies", "cos-sin", "score"},
    "alibi": {"table", "distances", "matrix", "bias"},
}


def asked(e, less=None, **fields):
    show = "current" if less is None else "difference"
    positions = range(START, START + COUNT)
    return Asked(Subject(show, e, less), positions, **{"reference": START, **fields})


def whole(data):
    """Return all numbers of a quantity."""
    out = np.full(data.shape, np.nan)
    data.fill(data.index, out)
    return out


def test_names_the_most_usual_first():
    assert quantities.names()[:5] == ("table", "distances", "angles", "matrix", "frequencies")
    assert {"cos-sin", "score", "bias"} <= set(quantities.names())


@pytest.mark.parametrize("name", EXPECTED)
def test_which_quantities_an_encoding_has(name):
    applying = quantities.applying(asked(sample(name)))
    assert {q for q in applying if q in EXPECTED["rope"] | EXPECTED["alibi"]} == EXPECTED[name]


@pytest.mark.parametrize("quantity", quantities.names())
@pytest.mark.parametrize("e", samples(dim=12, head_dim=12), ids=lambda e: e.name)
def test_numbers_or_a_sentence(e, quantity):
    question = asked(e)
    if problem := quantities.lack(quantity, question):
        with pytest.raises(EncodingError) as caught:
            quantities.data(quantity, question)
        assert caught.value.name == "what"
        assert problem in str(caught.value)
        for other in quantities.applying(question):
            assert other in str(caught.value)
        assert "\n" not in str(caught.value)
        return
    data = quantities.data(quantity, question)
    numbers = whole(data)
    titles = list(data.titles())
    assert len(titles) == 1 + (data.width or 1)
    assert numbers.shape[0] == len(data.index)
    for size in (1, 7):  # in parts, the same
        parts = [data.index[i : i + size] for i in range(0, len(data.index), size)]
        for part in parts:
            out = np.empty((len(part), *data.shape[1:]))
            data.fill(part, out)
            place = data.index.index(part[0])
            np.testing.assert_allclose(
                out, numbers[place : place + len(part)], rtol=1e-12, atol=1e-15
            )


@pytest.mark.parametrize("e", samples(dim=6, head_dim=6), ids=lambda e: e.name)
def test_tables_and_distances_are_those_of_the_rows(e):
    positions = range(START, START + COUNT)
    rows = e.table(positions)
    np.testing.assert_array_equal(whole(quantities.data("table", asked(e))), rows)
    sums = np.abs(rows[:, None] - rows).sum(axis=2)
    matrix = whole(quantities.data("matrix", asked(e, metric="manhattan")))
    np.testing.assert_allclose(matrix, sums, rtol=1e-11, atol=1e-11)
    line = whole(quantities.data("distances", asked(e, metric="euclidean", reference=START + 2)))
    np.testing.assert_allclose(line, cdist(rows[2:3], rows)[0], rtol=1e-9, atol=1e-9)


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


def test_biases_have_a_row_for_each_head():
    e = sample("alibi", heads=4)
    data = quantities.data("bias", asked(e))
    assert data.shape == (4, COUNT)
    slopes = np.array([2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8])
    np.testing.assert_allclose(whole(data), slopes[:, None] * np.arange(START, START + COUNT))
    assert next(iter(data.titles())) == "head"


def test_long_biases_are_made_in_parts():
    e = sample("alibi", heads=3)
    offsets = range(-300_000, 1)
    data = quantities.data("bias", Asked(Subject("current", e), offsets))
    np.testing.assert_array_equal(whole(data), e.bias(offsets))


def test_biases_of_some_heads_are_made_alone(monkeypatch):
    """Files are written in blocks of heads: each time all heads were made."""
    e, made = sample("alibi", heads=12), []
    for method in ("_fill", "_fill_heads"):
        original = getattr(type(e), method)

        def counting(self, *arguments, original=original):
            made.append(arguments[-1].size)
            original(self, *arguments)

        monkeypatch.setattr(type(e), method, counting)
    data = quantities.data("bias", Asked(Subject("current", e), range(-500, 1)))
    for head in data.index:
        data.fill(range(head, head + 1), np.empty((1, 501)))
    assert sum(made) == 12 * 501


@pytest.mark.parametrize("quantity", quantities.names())
def test_differences(quantity):
    e, less = sample("sinusoidal", dim=12), sample("sinusoidal", dim=8, base=500.0)
    question = asked(e, less)
    if quantity not in ("table", "angles"):
        assert "difference" in quantities.lack(quantity, question)
        return
    numbers = whole(quantities.data(quantity, question))
    assert numbers.shape == (COUNT, 8)
    positions = np.arange(START, START + COUNT)[:, None]
    angles = [positions * x.base ** (-(np.arange(8) // 2 * 2) / x.dim) for x in (e, less)]
    if quantity == "angles":
        expected = np.degrees(angles[0] - angles[1]) % 360
        np.testing.assert_allclose((numbers - expected + 180) % 360, 180, atol=1e-9)
    else:
        tables = [np.where(np.arange(8) % 2, np.cos(a), np.sin(a)) for a in angles]
        np.testing.assert_allclose(numbers, tables[0] - tables[1], atol=1e-13)


def test_what_does_not_compare_has_no_difference():
    problem = quantities.lack("table", asked(sample("sinusoidal"), sample("alibi")))
    assert "positions" in problem
    assert "offsets" in problem
    assert "dimensions" in quantities.lack("table", asked(sample("sinusoidal"), sample("rope")))
    learned = sample("learned", row_offset=10**6)
    assert "in common" in quantities.lack("table", asked(sample("learned"), learned))
    assert quantities.lack("table", asked(sample("sinusoidal"), sample("learned"))) == ""


def test_differences_of_layouts_pair_what_means_the_same():
    half, interleaved = (sample("rope", head_dim=8, layout=x) for x in ("half", "interleaved"))
    for name in ("table", "angles"):
        numbers = whole(quantities.data(name, asked(half, interleaved)))
        assert numbers.shape == (COUNT, 16)
        assert not np.abs(numbers).max()
    narrow = sample("rope", head_dim=8, partial_rotary_factor=0.5, layout="interleaved")
    numbers = whole(quantities.data("table", asked(half, narrow)))
    assert numbers.shape == (COUNT, 8)
    positions = np.arange(START, START + COUNT)
    w, v = 1e4 ** (-2 * np.arange(2) / 8), 1e4 ** (-2 * np.arange(2) / 4)
    own, other = np.cos(positions[:, None] * w), np.cos(positions[:, None] * v)
    np.testing.assert_allclose(numbers[:, :2], own - other, atol=1e-13)


def test_a_reference_without_a_direction_is_refused():
    with pytest.raises(EncodingError, match=r"^reference: .*so it has no cosine distance"):
        quantities.data("distances", asked(sample("index"), reference=0))
    assert math.isfinite(
        whole(quantities.data("distances", asked(sample("index"), reference=4)))[0]
    )


def test_a_reference_without_a_direction_is_called_what_it_is():
    with pytest.raises(EncodingError) as caught:
        quantities.data("distances", asked(sample("alibi"), reference=0))
    assert caught.value.problem.startswith("offset 0 has only zeros in ALiBi")
    remedy = "choose another metric, or another offset to measure from"
    assert caught.value.problem.endswith(remedy)


def test_a_reference_that_has_no_row_is_at_fault_itself():
    e = sample("learned")
    with pytest.raises(EncodingError) as caught:
        quantities.data("distances", asked(e, reference=e.domain[-1] + 1))
    assert caught.value.name == "reference"
    assert f"position {e.domain[-1] + 1:,} has no row in learned" in caught.value.problem
    assert caught.value.problem.endswith("; choose another")


@pytest.mark.parametrize(
    ("name", "words"), [("tabel", "did you mean 'table'"), (None, "None"), ("", "table")]
)
def test_unknown_quantities(name, words):
    with pytest.raises(EncodingError, match=words) as caught:
        quantities.find(name)
    assert caught.value.name == "what"
