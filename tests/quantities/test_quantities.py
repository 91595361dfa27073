"""The numbers or the errors of every quantity for every encoding."""

import re
from itertools import product

import numpy as np
import pytest

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis.comparison import DIFFERENCE_REMEDY
from pe_explorer.flags import ExportRequest
from pe_explorer.params import declared
from pe_explorer.progress import CancelledError, Progress
from tests.support.oracles import definition, of_quantity
from tests.support.requirements import (
    COUNT,
    START,
    by_parts,
    error_of,
    numbers_of,
    quantity_input,
    refusal,
    whole,
)
from tests.support.samples import sample, samples


def test_names_are_sorted_by_rank_of_quantities():
    common = ["table", "distances", "angles", "matrix", "frequencies", "cos-sin", "score", "bias"]
    assert [name for name in quantities.names() if name in common] == common
    ranks = [quantities.find(name).rank for name in quantities.names()]
    assert ranks == sorted(set(ranks))


def test_options_with_equal_names_are_equal():
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
    error = error_of(quantities.of, "shifted", e, three, k=2**54)
    assert error.name == "k"
    assert "got 18014398509481984" in error.fault
    assert "2^53" in error.remedy
    error = error_of(quantities.of, "shifted", e, three, zz=1, heads=2)
    assert error.name == "heads"
    assert "shifted" in error.problem
    assert "Did you mean 'head'?" in error.problem
    others = quantities.options().keys() - quantities.find("shifted").options.keys()
    options = dict.fromkeys(others)  # ignored, whatever their values
    default = quantities.options()["k"].default
    assert quantities.check_options("shifted", options) == {"k": default}
    assert quantities.check_options("shifted", {**options, "k": 3}) == {"k": 3}


def test_errors_name_the_field_and_the_alternatives():
    sines, alibi, rope = map(sample, ("sinusoidal", "alibi", "rope"))
    for call in (quantities.data, quantities.check):
        error = error_of(call, "cos-sin", quantity_input(sines))
        assert (error.name, error.fault) == (
            "what",
            quantities.unavailable_reason("cos-sin", quantity_input(sines)),
        )
        assert "sinusoidal" in error.fault
        names = error.remedy.partition(": ")[2].split(", ")
        assert names == [*quantities.list_available_names(quantity_input(sines))]
        for name, other, words in (
            ("projection", sines, "projection"),  # never has a difference
            ("table", alibi, "positions .*offsets"),
            ("table", rope, "dimensions.*cosines and sines"),
        ):
            both = quantity_input(sines, other)
            error = error_of(call, name, both)
            assert error.name == "show"
            assert re.search(words, error.problem)
            assert quantities.unavailable_reason(name, both) in error.problem
            assert error.remedy == DIFFERENCE_REMEDY
    assert quantities.explain_no_difference("table", sines, sines) == ""


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_available_quantities_of_an_encoding(e):
    met = definition(e).abilities
    expected = [name for name in quantities.names() if of_quantity(name).needs <= met]
    assert list(quantities.list_available_names(quantity_input(e))) == expected


@pytest.mark.parametrize("quantity", quantities.names())
def test_numbers_equal_the_definition_in_any_chunks(quantity):
    for e in samples(dim=12, head_dim=12):
        inputs = quantity_input(e, metric="euclidean", reference=START + 1, position=0)
        if quantities.unavailable_reason(quantity, inputs):
            assert error_of(quantities.data, quantity, inputs).name == "what"
            continue
        data = quantities.data(quantity, inputs)
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
def test_steps_between_positions(quantity, sampled):
    for e, positions in sampled([*product(samples(dim=12, head_dim=12), STEPS)], 25):
        inputs = quantity_input(e, metric="euclidean", positions=positions, position=0)
        inputs = inputs._replace(reference=positions[:2][-1])
        is_too_few = len(positions) < 2 and quantity in ("projection", "distance-histogram")
        is_inside = positions[0] in e.domain and positions[-1] in e.domain
        if is_too_few or not is_inside or quantities.unavailable_reason(quantity, inputs):
            continue
        data = quantities.data(quantity, inputs)
        numbers = whole(data)
        of_quantity(quantity).check(numbers, definition(e), positions)
        # Rounding errors of moved rows grow with the position.
        size = max(map(abs, positions)) if quantity == "shift-residual" else 1.0
        np.testing.assert_allclose(by_parts(data, 1), numbers, rtol=1e-12, atol=1e-14 * size)


@pytest.mark.parametrize("quantity", quantities.names())
def test_which_quantities_have_a_difference(quantity):
    reason = quantities.unavailable_reason(
        quantity, quantity_input(sample("sinusoidal"), sample("sinusoidal", base=500.0))
    )
    assert ("difference" in reason) != of_quantity(quantity).differs


def test_differences_of_angles_and_tables():
    e, less = sample("sinusoidal", dim=12), sample("sinusoidal", dim=8, base=500.0)
    positions = np.arange(START, START + COUNT)[:, None]
    angles = [positions * x.base ** (-(np.arange(8) // 2 * 2) / x.dim) for x in (e, less)]
    expected = np.degrees(angles[0] - angles[1]) % 360
    found = numbers_of("angles", e, less)
    np.testing.assert_allclose((found - expected + 180) % 360, 180, atol=1e-9)
    tables = [np.where(np.arange(8) % 2, np.cos(a), np.sin(a)) for a in angles]
    np.testing.assert_allclose(numbers_of("table", e, less), tables[0] - tables[1], atol=1e-13)


@pytest.mark.parametrize("name", ["tokens", "similarity", "matrix", "attention", "shift-matrix"])
def test_differences_are_nan_or_exact(name):
    e, less = sample("sinusoidal", dim=12), sample("sinusoidal", dim=12, base=500.0)
    exact = numbers_of(name, e) - numbers_of(name, less)
    found = numbers_of(name, e, less)
    assert np.isfinite(found).any()
    np.testing.assert_array_equal(found, np.where(np.isfinite(found), exact, np.nan))
    narrow = sample("sinusoidal", dim=8)
    if name in ("tokens", "similarity", "shift-matrix"):
        problem = quantities.explain_no_difference(name, e, narrow)
        assert 0 < problem.index(" 12 dimensions") < problem.index(" 8 dimensions")
        problem = quantities.explain_no_difference(name, e, sample("alibi"))
        assert 0 < problem.index(" positions ") < problem.index(" offsets")
    else:
        assert quantities.explain_no_difference(name, e, narrow) == ""


def test_differences_of_tokens_with_too_few_digits_are_nan():
    for name, apart, shown in (("tokens", 1.8e-11, [1, 2]), ("similarity", 0.8e-11, [1, 2])):
        e, less = (sample("sinusoidal", dim=2, scale=1 + more) for more in (0.0, apart))
        options = {"positions": range(3), "sentence": "a a a", "join": "positions"}
        found = numbers_of(name, e, less, **options)[shown, 0]
        assert np.isfinite(found).tolist() == [False, True]


def test_tables_without_common_rows_have_no_difference():
    learned = sample("learned", row_offset=10**6)
    assert "in common" in quantities.unavailable_reason(
        "table", quantity_input(sample("learned"), learned)
    )
    assert (
        quantities.unavailable_reason(
            "table", quantity_input(sample("sinusoidal"), sample("learned"))
        )
        == ""
    )


def test_differences_of_layouts_compare_equal_meanings():
    half, interleaved = (sample("rope", head_dim=8, layout=x) for x in ("half", "interleaved"))
    for name in ("table", "angles"):
        numbers = whole(quantities.data(name, quantity_input(half, interleaved)))
        assert numbers.shape == (COUNT, 16)
        assert not np.abs(numbers).max()
    narrow = sample("rope", head_dim=8, partial_rotary_factor=0.5, layout="interleaved")
    numbers = whole(quantities.data("table", quantity_input(half, narrow)))
    assert numbers.shape == (COUNT, 8)
    positions = np.arange(START, START + COUNT)
    w, v = 1e4 ** (-2 * np.arange(2) / 8), 1e4 ** (-2 * np.arange(2) / 4)
    own, other = np.cos(positions[:, None] * w), np.cos(positions[:, None] * v)
    np.testing.assert_allclose(numbers[:, :2], own - other, atol=1e-13)


def test_unknown_quantities():
    for name, word in (("tabel", "'table'"), (None, "None"), ("", "table"), (["table"], "matrix")):
        error = error_of(quantities.find, name)
        assert error.name == "what"
        assert word in error.problem


def test_check_raises_the_error_of_data():
    names = []
    for name, encoding in product(quantities.names(), encodings.names()):
        for positions in (range(START, START + 3), range(5, 6), range(2**52, 2**53)):
            inputs = quantity_input(sample(encoding), positions=positions)
            if message := refusal(quantities.check, name, inputs):
                assert message == refusal(quantities.data, name, inputs)
                names.append(name)
    assert len(set(names)) > len(quantities.names()) // 2


@pytest.mark.parametrize("name", ["distance-histogram", "shift-matrix", "shifted", "projection"])
def test_preparations_can_be_cancelled(name, monkeypatch):
    progress, shares = Progress(), []
    report = progress.report
    monkeypatch.setattr(progress, "report", lambda *it: (shares.append(it[0]), report(*it)))
    inputs = quantity_input(
        encodings.create("binary", dim=52), positions=range(800), k=3, progress=progress
    )
    whole(quantities.data(name, inputs))
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= progress.share == shares[-1] <= 1
    progress.set()
    with pytest.raises(CancelledError):
        whole(quantities.data(name, inputs))
