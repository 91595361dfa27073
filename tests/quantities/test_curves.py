"""Curves and tables of several encodings side by side."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from pe_explorer import encodings, quantities
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Pin
from pe_explorer.flags import ExportRequest
from tests.support.requirements import by_parts, error_of, numbers_of, quantity_input, whole
from tests.support.samples import sample
from tests.support.sinusoids import sinusoid
from tests.support.tables_in_files import numbers, put

WIDE, OTHER = (encodings.create("sinusoidal", dim=16, base=base) for base in (1e4, 500.0))
PINS = (Pin(OTHER, "sinusoidal d=16 b=500"), Pin(encodings.create("index"), "counted"))


def curves(what, e=WIDE, positions=range(20), pins=PINS, **fields):
    """Return the curves of all encodings as rows, and their data."""
    fields = {"metric": "euclidean", **fields}
    data = ExportRequest(what=what, curves="all", **fields).data(e, positions, pins)
    return whole(data).T, data


@pytest.mark.parametrize("positions", [range(20), range(60, 0, -7)])
def test_curves_of_all_encodings_are_named_columns(positions):
    found, data = curves("distances", positions=positions, reference=4)
    assert data.curves == ("sinusoidal, base 10,000", "base 500", "counted")
    truth = [cdist(sinusoid([4], 16, b), sinusoid(positions, 16, b))[0] for b in (1e4, 500)]
    np.testing.assert_allclose(found[:2], truth, atol=1e-12)
    np.testing.assert_allclose(found[2], [abs(p - 4) * 4 for p in positions], atol=1e-12)


def test_curves_without_any_encoding_are_refused():
    counted = encodings.create("index")
    for option in ("one", "all"):
        with pytest.raises(EncodingError, match=r"no sines or cosines.*[Cc]hoose one of these"):
            ExportRequest(what="frequencies", curves=option).data(counted, range(9), PINS[1:])


def test_histograms_of_several_encodings_share_bins():
    found, data = curves("distance-histogram", pins=PINS[:1], positions=range(40))
    assert data.curves == ("from", "to", "base 10,000", "base 500")
    edges = np.append(found[0], found[1][-1])
    for share, base in zip(found[2:], (1e4, 500), strict=True):
        counts, _ = np.histogram(pdist(sinusoid(range(40), 16, base)), edges)
        assert np.abs(share * 780 - counts).sum() <= 2  # a distance may lie on an edge
        assert share.sum() == pytest.approx(1)


def test_a_second_metric_adds_curves():
    options = {"below": "dot"}
    found, data = curves("distances", pins=PINS[:1], reference=4, options=options)
    names = ("base 10,000", "base 500")
    measures = "Euclidean distance", "dot product"
    assert data.curves == tuple(f"{name}, {measure}" for measure in measures for name in names)
    for row, base in enumerate((1e4, 500)):
        table = sinusoid(range(20), 16, base)
        np.testing.assert_allclose(found[row], cdist(table[4:5], table)[0], atol=1e-12)
        np.testing.assert_allclose(found[2 + row], table @ table[4], atol=1e-12)
    table = ExportRequest(what="distances", options=options).data(WIDE, range(20), PINS)
    assert table.width is None


def test_the_upper_bound_of_the_score_is_another_curve():
    options = {"below": "score-bound"}
    found, data = curves("distances", pins=PINS[:1], reference=4, options=options)
    bound = "upper bound of the score"
    assert data.curves[2:] == (f"base 10,000, {bound}", f"base 500, {bound}")
    for row, base in enumerate((1e4, 500.0)):
        turned = np.exp(1j * np.outer(np.arange(20) - 4, base ** (-np.arange(8) / 8)))
        expected = np.abs(np.cumsum(turned, axis=1)).mean(axis=1)
        np.testing.assert_allclose(found[2 + row], expected, rtol=1e-12)
    index = (Pin(encodings.create("index", dim=16), "index"),)
    _, data = curves("distances", pins=index, reference=4, options=options)
    (note,) = data.notes
    assert note.startswith(f"index, {bound} is not in the file: index has no ")
    assert "pairs" in note


@pytest.mark.parametrize("positions", [range(-5, 30), range(30, -6, -1), range(1, 60, 3)])
def test_curves_end_with_the_domains_of_encodings(tmp_path, positions):
    tables = put(tmp_path / "a.npy", numbers(20)), put(tmp_path / "b.npy", numbers(9))
    encodings_ = [
        sample("learned", file=tables[0]),
        sample("sinusoidal", dim=6),
        sample("learned", file=tables[1], row_offset=3),
        sample("learned", file=tables[1], row_offset=9),  # has no row for the reference
    ]
    all_inputs = [
        quantity_input(e, positions=positions, reference=2, position=2) for e in encodings_
    ]
    for name in ("distances", "likeness"):
        data = quantities.curves(name, [("a", inputs) for inputs in all_inputs])
        assert (data.curves, len(data.notes)) == (("a", "a (2)", "a (3)"), 1)
        assert data.notes[0].startswith("a (4) ")
        assert (
            quantities.explain_omitted_curves(name, [("a", inputs) for inputs in all_inputs])
            == data.notes
        )
        assert [*data.titles()] == ["position", *data.curves]
        expected = np.full((len(positions), 3), np.nan)
        for column, e in enumerate(encodings_[:3]):
            for row, position in enumerate(positions):
                if position in e.domain:
                    inputs = all_inputs[column]._replace(positions=range(position, position + 1))
                    expected[row, column] = whole(quantities.data(name, inputs))[0]
        for size in (1, 4, len(positions)):
            np.testing.assert_allclose(by_parts(data, size), expected, rtol=1e-12, atol=1e-15)
        assert error_of(quantities.curves, name, [("a", all_inputs[3])]).name


def test_curves_of_waves_have_the_length_of_the_longest():
    few, many = (sample("sinusoidal", dim=dim) for dim in (8, 12))
    data = quantities.curves(
        "frequencies", [("few", quantity_input(few)), ("many", quantity_input(many))]
    )
    frequencies = [*few.frequencies(), np.nan, np.nan]
    expected = np.column_stack([frequencies, many.frequencies()])
    for size in (1, 4, 6):
        np.testing.assert_array_equal(by_parts(data, size), expected)
    counted = quantity_input(sample("index"))
    with_note = quantities.curves(
        "frequencies", [("counted", counted), ("few", quantity_input(few))]
    )
    (note,) = with_note.notes
    assert note.startswith("counted is not in the file: index has no sines or cosines")
    assert "choose" not in note


def test_encodings_with_other_or_missing_rows_are_left_out(tmp_path):
    stored = sample("learned", file=put(tmp_path / "t.npy", numbers(3)))
    all_inputs = [(e.name, quantity_input(e)) for e in (sample("sinusoidal"), sample("alibi"))]
    data = quantities.curves("distances", all_inputs)
    assert (data.curves, len(data.notes)) == (("sinusoidal",), 1)
    assert data.notes[0].startswith("alibi ")
    assert data.notes[0].index(" positions ") < data.notes[0].index(" offsets")
    for positions, position in ((range(30, 40), "39"), (range(-5, 36, 10), "-5")):
        outside = [("sines", all_inputs[0][1]), ("stored", quantity_input(stored))]
        outside = [(name, inputs._replace(positions=positions)) for name, inputs in outside]
        (note,) = quantities.curves("distances", outside).notes
        assert [word for word in ("stored is not", position) if word not in note] == []


def test_several_tables_side_by_side_with_a_second_window():
    few, many = (sample("sinusoidal", dim=dim) for dim in (4, 6))
    parts = [quantities.data("table", quantity_input(e)) for e in (few, many)]
    second_window = [
        quantities.data("table", quantity_input(e, positions=range(90, 95))) for e in (few, many)
    ]
    with_second = [
        replace(part, next_part=then) for part, then in zip(parts, second_window, strict=True)
    ]
    data = quantities.join_tables(
        [("few", with_second[0]), ("many", replace(with_second[1], notes=("a note",)))]
    )
    assert (data.curves, data.notes, data.shape) == ((), ("a note",), (46, 10))
    titles = [f"few: {n}" for n in range(4)] + [f"many: {n}" for n in range(6)]
    assert [*data.titles()] == ["position", *titles]
    assert [len(part.index) for part in data.parts] == [41, 5]
    for part, tables in zip(data.parts, (parts, second_window), strict=True):
        expected = np.hstack([whole(table) for table in tables])
        np.testing.assert_allclose(by_parts(part, 3), expected, atol=1e-15)


def test_single_columns_of_equal_length_become_curves():
    few, many = (sample("sinusoidal", dim=dim) for dim in (8, 12))
    distances = [
        (f"width {e.dim}", quantities.data("distances", quantity_input(e))) for e in (few, many)
    ]
    data = quantities.join_tables(distances)
    assert data.curves == ("width 8", "width 12")
    assert [*data.titles()] == ["position", *data.curves]
    expected = np.column_stack([whole(column) for _, column in distances])
    np.testing.assert_allclose(by_parts(data, 3), expected, rtol=1e-14)
    waves = [
        (f"width {e.dim}", quantities.data("frequencies", quantity_input(e))) for e in (few, many)
    ]
    error = error_of(quantities.join_tables, waves)
    assert error.name == "show"
    assert [word for word in ("width 8 has 4", "width 12 has 6") if word not in error.fault] == []


def test_curves_of_several_encodings_use_exact_rows():
    all_inputs = [(str(k), quantity_input(WIDE, k=k, code="float64")) for k in (3, 40)]
    data = quantities.curves("shift-residual", all_inputs)
    expected = [numbers_of("shift-residual", WIDE, k=k) for k in (3, 40)]
    np.testing.assert_array_equal(whole(data), np.transpose(expected))
