"""Every quantity of every encoding: its numbers, or the sentence that says why there are none."""

import re
from concurrent.futures import CancelledError
from itertools import product

import numpy as np
import pytest

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis.comparison import WITHOUT_DIFFERENCE
from pe_explorer.flags import ExportRequest
from pe_explorer.params import declared
from pe_explorer.progress import Progress
from tests.support.oracles import definition, of_quantity
from tests.support.samples import sample, samples
from tests.support.wanted import COUNT, START, asked, by_parts, numbers_of, refusal, refused, whole


def test_names_the_most_usual_first():
    usual = ["table", "distances", "angles", "matrix", "frequencies", "cos-sin", "score", "bias"]
    assert [name for name in quantities.names() if name in usual] == usual
    ranks = [quantities.find(name).rank for name in quantities.names()]
    assert ranks == sorted(set(ranks))


def test_options_of_one_name_are_the_same():
    fields, found = declared(ExportRequest), quantities.options()
    for quantity in map(quantities.find, quantities.names()):
        for name, parameter in quantity.options.items():
            assert name not in fields
            assert found[name] is parameter
            if quantity.view:
                assert declared(pictures.find(quantity.view).Options)[name] is parameter


def test_options_are_checked():
    e, three = encodings.create("sinusoidal", dim=4), range(3)
    assert quantities.of("shifted", e, three, k=5).shape == (3, 4)
    error = refused(quantities.of, "shifted", e, three, k=2**54)
    assert error.name == "k"
    assert "18014398509481984 is outside" in error.fault
    assert "2^53" in error.remedy  # the nearest
    error = refused(quantities.of, "shifted", e, three, zz=1, heads=2)  # the first by its name
    assert error.name == "heads"
    assert "shifted" in error.problem
    assert "did you mean 'head'?" in error.problem
    others = quantities.options().keys() - quantities.find("shifted").options.keys()
    given = dict.fromkeys(others)  # which are left out, whatever they are
    default = quantities.options()["k"].default
    assert quantities.checked_options("shifted", given) == {"k": default}
    assert quantities.checked_options("shifted", {**given, "k": 3}) == {"k": 3}


def test_a_refusal_names_the_field_at_fault_and_what_there_is_instead():
    sines, alibi, rope = map(sample, ("sinusoidal", "alibi", "rope"))
    for ways in (quantities.data, quantities.check):
        error = refused(ways, "cos-sin", asked(sines))
        assert (error.name, error.fault) == (
            "what",
            quantities.unavailable_reason("cos-sin", asked(sines)),
        )
        assert "sinusoidal" in error.fault
        named = error.remedy.partition(": ")[2].split(", ")
        assert named == [*quantities.available_names(asked(sines))]
        for name, other, words in (
            ("projection", sines, "projection"),  # which has no difference at all
            ("table", alibi, "positions .*offsets"),
            ("table", rope, "dimensions.*cosines and sines"),
        ):
            both = asked(sines, other)
            error = refused(ways, name, both)
            assert error.name == "show"
            assert re.search(words, error.problem)
            assert quantities.unavailable_reason(name, both) in error.problem
            assert WITHOUT_DIFFERENCE in error.problem
    assert quantities.why_no_difference("table", sines, sines) == ""


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_which_quantities_an_encoding_has(e):
    met = definition(e).abilities
    wanted = [name for name in quantities.names() if of_quantity(name).needs <= met]
    assert list(quantities.available_names(asked(e))) == wanted


@pytest.mark.parametrize("quantity", quantities.names())
def test_numbers_are_the_definition_also_in_parts(quantity):
    for e in samples(dim=12, head_dim=12):
        question = asked(e, metric="euclidean", reference=START + 1, position=0)
        if quantities.unavailable_reason(quantity, question):
            assert refused(quantities.data, quantity, question).name == "what"
            continue
        data = quantities.data(quantity, question)
        numbers = whole(data)
        assert len(list(data.titles())) == 1 + (data.width or 1)
        has_one = quantities.find(quantity).curve_axis in ("", "bins") or data.width is None
        assert has_one, "a curve has one number in a row"
        assert numbers.shape[0] == len(data.index)
        of_quantity(quantity).check(numbers, definition(e), range(START, START + COUNT))
        for size in (1, 7):
            np.testing.assert_allclose(by_parts(data, size), numbers, rtol=1e-12, atol=1e-15)


STEPS = (
    range(3, 85, 2),
    range(83, 2, -2),
    range(43, 2, -1),
    range(80, 2, -3),
    range(0, 4 * 10**9, 10**9),
    range(7, 8),
    range(7, 8, 5),
)


@pytest.mark.parametrize("quantity", [name for name in quantities.names() if name != "evidence"])
def test_with_a_step_every_so_many_th_position_counts(quantity, sampled):
    """What is measured of neighbours, the evidence, has no steps."""
    for e, positions in sampled([*product(samples(dim=12, head_dim=12), STEPS)], 25):
        question = asked(e, metric="euclidean", positions=positions, position=0)
        question = question._replace(reference=positions[:2][-1])
        is_too_few = len(positions) < 2 and quantity in ("projection", "distance-histogram")
        is_inside = positions[0] in e.domain and positions[-1] in e.domain
        if is_too_few or not is_inside or quantities.unavailable_reason(quantity, question):
            continue
        data = quantities.data(quantity, question)
        numbers = whole(data)
        of_quantity(quantity).check(numbers, definition(e), positions)
        # Differences of rows have no more digits than these.
        size = max(map(abs, positions)) if quantity == "shift-residual" else 1.0
        np.testing.assert_allclose(by_parts(data, 1), numbers, rtol=1e-12, atol=1e-14 * size)


@pytest.mark.parametrize("quantity", quantities.names())
def test_only_some_have_a_difference(quantity):
    lack = quantities.unavailable_reason(
        quantity, asked(sample("sinusoidal"), sample("sinusoidal", base=500.0))
    )
    assert ("difference" in lack) != of_quantity(quantity).differs


def test_differences():
    e, less = sample("sinusoidal", dim=12), sample("sinusoidal", dim=8, base=500.0)
    positions = np.arange(START, START + COUNT)[:, None]
    angles = [positions * x.base ** (-(np.arange(8) // 2 * 2) / x.dim) for x in (e, less)]
    expected = np.degrees(angles[0] - angles[1]) % 360
    found = numbers_of("angles", e, less)
    np.testing.assert_allclose((found - expected + 180) % 360, 180, atol=1e-9)
    tables = [np.where(np.arange(8) % 2, np.cos(a), np.sin(a)) for a in angles]
    np.testing.assert_allclose(numbers_of("table", e, less), tables[0] - tables[1], atol=1e-13)


@pytest.mark.parametrize("name", ["tokens", "similarity", "matrix", "attention", "shift-matrix"])
def test_numbers_of_one_encoding_minus_those_of_the_other(name):
    e, less = sample("sinusoidal", dim=12), sample("sinusoidal", dim=12, base=500.0)
    exact = numbers_of(name, e) - numbers_of(name, less)
    found = numbers_of(name, e, less)
    assert np.isfinite(found).any()
    np.testing.assert_array_equal(found, np.where(np.isfinite(found), exact, np.nan))
    narrow = sample("sinusoidal", dim=8)
    if name in ("tokens", "similarity", "shift-matrix"):
        problem = quantities.why_no_difference(name, e, narrow)
        assert 0 < problem.index(" 12 dimensions") < problem.index(" 8 dimensions")
        problem = quantities.why_no_difference(name, e, sample("alibi"))
        assert 0 < problem.index(" positions ") < problem.index(" offsets")
    else:
        assert quantities.why_no_difference(name, e, narrow) == ""


def test_digits_of_tokens_are_as_those_of_numbers_of_size_1():
    """With fewer than three of them left, there is no difference."""
    for name, apart, shown in (("tokens", 1.8e-11, [1, 2]), ("similarity", 0.8e-11, [1, 2])):
        e, less = (sample("sinusoidal", dim=2, scale=1 + more) for more in (0.0, apart))
        options = {"positions": range(3), "sentence": "a a a", "join": "positions"}
        found = numbers_of(name, e, less, **options)[shown, 0]
        assert np.isfinite(found).tolist() == [False, True]


def test_tables_without_a_row_in_common_have_no_difference():
    learned = sample("learned", row_offset=10**6)
    assert "in common" in quantities.unavailable_reason("table", asked(sample("learned"), learned))
    assert (
        quantities.unavailable_reason("table", asked(sample("sinusoidal"), sample("learned"))) == ""
    )


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


def test_unknown_quantities():
    for name, word in (("tabel", "'table'"), (None, "None"), ("", "table"), (["table"], "matrix")):
        error = refused(quantities.find, name)
        assert error.name == "what"
        assert word in error.problem


def test_what_is_told_at_once_is_what_would_be_told_later():
    refused = []
    for name, encoding in product(quantities.names(), encodings.names()):
        for positions in (range(START, START + 3), range(5, 6), range(2**52, 2**53)):
            ask = asked(sample(encoding), positions=positions)
            if at_once := refusal(quantities.check, name, ask):
                assert at_once == refusal(quantities.data, name, ask)
                refused.append(name)
    assert len(set(refused)) > len(quantities.names()) // 2


@pytest.mark.parametrize("name", ["distance-histogram", "shift-matrix", "shifted", "projection"])
def test_what_takes_long_before_the_first_number_can_be_cancelled(name, monkeypatch):
    progress, shares = Progress(), []
    report = progress.report
    monkeypatch.setattr(progress, "report", lambda *it: (shares.append(it[0]), report(*it)))
    ask = asked(encodings.create("binary", dim=52), positions=range(800), k=3, progress=progress)
    whole(quantities.data(name, ask))
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= progress.share == shares[-1] <= 1
    progress.set()
    with pytest.raises(CancelledError):
        whole(quantities.data(name, ask))
