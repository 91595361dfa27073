"""Every quantity of every encoding: its numbers, or the sentence that says why there are none."""

import math
from concurrent.futures import CancelledError
from itertools import product

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from pe_explorer import encodings, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.progress import Progress
from pe_explorer.quantities import Asked
from tests.support.samples import sample, samples
from tests.support.toy_words import toy_vector

START, COUNT = 3, 41

EXPECTED = {
    "sinusoidal": {"table", "distances", "angles", "matrix", "frequencies", "float32-error"},
    "index": {"table", "distances", "matrix"},
    "fraction": {"table", "distances", "matrix"},
    "binary": {"table", "distances", "matrix"},
    "learned": {"table", "distances", "matrix"},
    "rope": {
        "table",
        "distances",
        "angles",
        "matrix",
        "frequencies",
        "float32-error",
        "cos-sin",
        "score",
    },
    "alibi": {"table", "distances", "matrix", "bias"},
}


def asked(e, less=None, **fields):
    show = "current" if less is None else "difference"
    usual = {"positions": range(START, START + COUNT), "reference": START, "position": START}
    return Asked(Subject(show, e, less), **{**usual, **fields})


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


def test_errors_of_float32_are_those_of_the_usual_code():
    e = sample("sinusoidal", dim=512)
    positions = range(10**6, 10**6 + 50)
    data = quantities.data("float32-error", Asked(Subject("current", e), positions))
    errors = whole(data)
    assert np.abs(errors).max() == pytest.approx(0.0586, abs=5e-5)
    assert np.unravel_index(np.abs(errors).argmax(), errors.shape) == (36, 8)
    assert np.abs(errors[:, :2]).max() < 6e-8


def test_a_projection_has_the_components_that_the_rows_have():
    e = sample("sinusoidal", dim=16)
    data = quantities.data("projection", asked(e))
    assert list(data.titles()) == ["position", "component 1", "component 2"]
    rows = e.table(range(START, START + COUNT))
    u, s, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(np.abs(whole(data)), np.abs(u[:, :2] * s[:2]), atol=1e-11)
    assert quantities.data("projection", asked(sample("binary", dim=1))).shape == (COUNT, 1)


@pytest.mark.parametrize(
    ("positions", "words"), [(range(5, 6), "at least 2"), (range(10**12), "choose at most")]
)
def test_a_projection_of_too_few_or_too_many(positions, words):
    with pytest.raises(EncodingError, match=words) as caught:
        quantities.data("projection", Asked(Subject("current", sample("sinusoidal")), positions))
    assert caught.value.name == "positions"


class Impatient(Progress):
    """Cancels what reports that much is done."""

    def report(self, share, phase=""):
        super().report(share, phase)
        if share > 0.1:
            self.set()


def test_a_projection_can_be_stopped_while_its_rows_are_made():
    impatient = Impatient()
    subject = Subject("current", sample("sinusoidal", dim=512))
    data = quantities.data("projection", Asked(subject, range(2**16), progress=impatient))
    with pytest.raises(CancelledError):
        whole(data)
    assert 0.1 < impatient.share < 0.2


def turned(dim, base, k):
    """Return the matrix of an interleaved encoding by its definition."""
    matrix = np.zeros((dim, dim))
    for i in range(0, dim, 2):
        c, s = math.cos(k / base ** (i / dim)), math.sin(k / base ** (i / dim))
        matrix[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return matrix


@pytest.mark.parametrize("k", [10, -44])
def test_shifts_are_the_matrix_the_moved_rows_and_what_is_left(k):
    e = sample("sinusoidal", dim=18)
    positions = np.arange(START, START + COUNT)
    matrix = quantities.data("shift-matrix", asked(e, k=k))
    np.testing.assert_allclose(whole(matrix), turned(18, 1e4, k), atol=1e-14)
    assert list(matrix.titles()) == ["dimension", *map(str, range(18))]
    angles = (positions[:, None] + k) * 1e4 ** (-np.arange(0, 18, 2) / 18)
    later = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(COUNT, 18)
    np.testing.assert_allclose(whole(quantities.data("shifted", asked(e, k=k))), later, atol=1e-13)
    residuals = whole(quantities.data("shift-residual", asked(e, k=k)))
    assert residuals.shape == (COUNT,)
    assert residuals.max() < 1.2e-15


def test_shifts_without_a_matrix_are_those_of_the_best_fit():
    e = sample("index")
    positions = np.arange(START, START + COUNT)
    factor = (positions * (positions + 7)).sum() / (positions**2).sum()
    shifted = whole(quantities.data("shifted", asked(e, k=7)))
    np.testing.assert_allclose(shifted, (factor * positions)[:, None] * np.ones(e.width))
    residuals = whole(quantities.data("shift-residual", asked(e, k=7)))
    np.testing.assert_allclose(residuals, np.abs(factor * positions - positions - 7), atol=1e-9)
    fit = whole(quantities.data("shift-matrix", asked(e, k=7)))
    np.testing.assert_allclose(np.ones(e.width) @ fit, factor)


def test_shifts_of_rotary_encodings_turn_channels():
    e = sample("rope", head_dim=8, layout="half")
    data = quantities.data("shift-matrix", asked(e, k=3))
    assert next(iter(data.titles())) == "channel"
    heads = np.random.default_rng(1).normal(size=(5, 8))
    np.testing.assert_allclose(heads @ whole(data), e.rotate(heads, [3] * 5), atol=1e-14)


def test_parts_of_the_widest_matrix_need_no_whole_one():
    e = sample("sinusoidal", dim=65_536)
    data = quantities.data("shift-matrix", asked(e, k=10))
    out = np.empty((2, 65_536))
    data.fill(range(1001, 1003), out)
    wanted = np.zeros((2, 65_536))
    for row, (pair, place) in zip(wanted, [(500, 1), (501, 0)], strict=True):
        angle = 10 * 1e4 ** (-pair / 32_768)
        row[2 * pair + place] = math.cos(angle)
        row[2 * pair + 1 - place] = math.sin(angle) * (1 if place else -1)
    np.testing.assert_allclose(out, wanted, atol=1e-14)


def test_shifts_of_rows_that_there_are_not():
    e = sample("learned")
    last = e.domain[-1]
    for what in ("shift-matrix", "shifted", "shift-residual"):
        with pytest.raises(EncodingError, match=r"row that is 1,000,000 after it") as caught:
            quantities.data(what, asked(e, k=10**6))
        assert caught.value.name == "k"
    partly = Asked(Subject("current", e), range(last - 5, last + 1), k=2)
    assert np.isfinite(whole(quantities.data("shifted", partly))).all()
    with pytest.raises(EncodingError, match=f"position {last:,} has no row that is 2 after it"):
        quantities.data("shift-residual", partly)
    wide = sample("sinusoidal", dim=1025, waves="sine")
    assert "up to 1,024 dimensions" in quantities.lack("shifted", asked(wide))


def test_wavelengths_are_positions_per_turn():
    found = whole(quantities.data("wavelengths", asked(sample("sinusoidal", dim=18))))
    wanted = [6.2832, 17.483, 48.648, 135.37, 376.67, 1048.1, 2916.4, 8115.0, 22_580.6]
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
    np.testing.assert_allclose(found, math.tau * 1e4 ** (np.arange(0, 18, 2) / 18), rtol=1e-12)


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


def test_all_pairs_are_in_bins():
    e = sample("sinusoidal", dim=1024)
    data = quantities.data("distance-histogram", Asked(Subject("current", e), range(250)))
    assert list(data.titles()) == ["bin", "from", "to", "share of pairs", "pairs"]
    found = whole(data)
    counts, _ = np.histogram(pdist(e.table(range(250)), "cosine"), np.arange(1, 35) * 0.02)
    np.testing.assert_array_equal(found[:, 3], counts)
    np.testing.assert_allclose(found[:, 2], counts / 31_125, atol=1e-15)
    np.testing.assert_allclose(found[:, 0], np.arange(1, 34) * 0.02, atol=1e-15)


@pytest.mark.parametrize("positions", [range(0, 500, 10), range(300, 0, -7)])
@pytest.mark.parametrize("metric", ["cosine", "cityblock"])
def test_pairs_of_positions_with_a_step(positions, metric):
    e = sample("sinusoidal", dim=64)
    ours = {"cityblock": "manhattan"}.get(metric, metric)
    found = whole(quantities.data("distance-histogram", asked(e, positions=positions, metric=ours)))
    distances = pdist(e.table(positions), metric)
    edges = np.append(found[:, 0], found[-1, 1])
    assert edges[0] <= distances.min() < edges[1]
    assert edges[-2] <= distances.max() < edges[-1]
    counts, _ = np.histogram(distances, edges)
    np.testing.assert_array_equal(found[:, 3], counts)


def test_one_position_has_no_pairs():
    one = Asked(Subject("current", sample("index")), range(5, 6))
    for ask in (quantities.data, quantities.check):
        with pytest.raises(EncodingError, match="no two positions here") as caught:
            ask("distance-histogram", one)
        assert caught.value.name == "positions"


def refusal(way, name, ask):
    try:
        way(name, ask)
    except EncodingError as error:
        return error.sentence
    return ""


def test_what_is_told_at_once_is_what_would_be_told_later():
    refused = []
    for name, encoding in product(quantities.names(), encodings.names()):
        for positions in (range(START, START + 3), range(5, 6), range(2**52, 2**53)):
            ask = asked(sample(encoding), positions=positions)
            if at_once := refusal(quantities.check, name, ask):
                assert at_once == refusal(quantities.data, name, ask)
                refused.append(name)
    assert len(set(refused)) > len(quantities.names()) // 2


@pytest.mark.parametrize("name", ["distance-histogram", "shift-matrix", "shifted"])
def test_what_takes_long_before_the_first_number_can_be_cancelled(name):
    progress = Progress()
    ask = asked(encodings.create("binary", dim=52), positions=range(800), k=3, progress=progress)
    whole(quantities.data(name, ask))
    assert progress.share is not None
    progress.set()
    with pytest.raises(CancelledError):
        whole(quantities.data(name, ask))


def test_rows_of_a_sentence_are_word_vectors_and_positions():
    e, words = sample("sinusoidal", dim=12), ("dog", "bites", "Man.")
    vectors = [toy_vector(word, 12) for word in words]
    rows = e.table(range(START, START + 3))
    for join, truth in {
        "words": vectors,
        "positions": rows,
        "sum": rows + vectors,
        "concatenation": np.hstack([vectors, rows]),
    }.items():
        data = quantities.data("tokens", asked(e, sentence=" ".join(words), join=join))
        assert data.index == range(START, START + 3)
        np.testing.assert_allclose(whole(data), truth, rtol=1e-14)
        assert len(list(data.titles())) == 1 + data.width
    for wrong, problem in (({"sentence": ""}, "no words"), ({"words": "file"}, "of a file")):
        with pytest.raises(EncodingError, match=problem):
            quantities.data("tokens", asked(e, **wrong))


@pytest.mark.parametrize("metric", ["cosine", "correlation", "euclidean", "chebyshev"])
def test_likeness_to_the_position_of_the_cursor(metric):
    e = sample("sinusoidal")
    data = quantities.data("likeness", asked(e, metric=metric, position=START + 5))
    rows = e.table(range(START, START + COUNT))
    found = cdist(rows[5:6], rows, metric)[0]
    is_likeness = metric in ("cosine", "correlation")
    np.testing.assert_allclose(whole(data), 1 - found if is_likeness else found, atol=1e-12)
    kind = "likeness" if is_likeness else "distance"
    assert list(data.titles()) == ["position", f"{metric} {kind}"]


def test_without_a_direction_there_is_no_likeness():
    with pytest.raises(EncodingError, match=r"position 0 .* has no cosine distance from any"):
        quantities.data("likeness", asked(sample("index"), position=0))


def test_pairs_without_a_distance_are_in_no_bin():
    """Of the rows 0 to 3 of two bits, that of 0 has no direction: three pairs are left."""
    e = encodings.create("binary", dim=2)
    data = quantities.of("distance-histogram", e, range(4), "cosine")
    bins = np.empty(data.shape)
    data.fill(data.index, bins)
    assert bins[:, 3].sum() == 3
    assert bins[:, 2].sum() == pytest.approx(1)
