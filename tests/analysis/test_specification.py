"""Comparisons of encodings, checked by rewritten formulas and single channels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import encodings
from pe_explorer.analysis import specification
from pe_explorer.encodings import EncodingError
from tests.support.definitions import mp
from tests.support.oracles import definition, of_scheme
from tests.support.sinusoids import rope

pytestmark = pytest.mark.usefixtures("few_decimals")
mpf = mp.mpf
of_scheme("rope")  # load it first: hypothesis must not import other tests while it runs

LONG = {"factor": 4.0, "original_max_position_embeddings": 32768}


def speeds(e):
    return [mpf(frequency) for frequency in definition(e).frequencies()]


def by_definition(a, b):
    """Return ratios, differing pairs, the extreme pair, and the pair with the largest gap."""
    both = list(zip(speeds(a), speeds(b), strict=False))
    ratios = [one / other for one, other in both]
    differ = [pair for pair, ratio in enumerate(ratios) if abs(ratio - 1) > mpf(10) ** -12]
    farness = [abs(mp.log(ratio)) for ratio in ratios]
    farthest = max(farness)
    pair = next(i for i, item in enumerate(farness) if item > farthest - mpf(10) ** -30)
    gaps = [abs(one - other) for one, other in both]
    worst = gaps.index(max(gaps))
    return ratios, differ, pair, worst, gaps[worst]


PAIRS = {
    "yarn and llama3": (rope(rope_type="yarn", **LONG), rope(rope_type="llama3", **LONG)),
    "yarn and plain": (rope(rope_type="yarn", **LONG), rope()),
    "linear and plain": (rope(rope_type="linear", factor=3.0), rope()),
    "ntk and dynamic": (
        rope(rope_type="ntk", factor=4.0),
        rope(rope_type="dynamic", sequence_length=131072, **LONG),
    ),
    "two bases": (rope(), rope(rope_theta=5e5)),
    "two widths": (rope(), rope(head_dim=64)),
    "almost the same base": (rope(), rope(rope_theta=math.nextafter(1e6, 2e6))),
    "rotary and absolute": (rope(rope_theta=1e4), encodings.create("sinusoidal", dim=64)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_compare_matches_80_digit_frequencies(name):
    a, b = PAIRS[name]
    actual = specification.compare(a, b)
    ratios, differ, pair, worst, gap = by_definition(a, b)
    np.testing.assert_allclose(actual.ratios, [float(ratio) for ratio in ratios], rtol=3e-16)
    assert actual.differing.tolist() == differ
    assert actual.first_pair == (differ[0] if differ else None)
    assert actual.largest == (pair, pytest.approx(float(ratios[pair]), rel=1e-15))
    for tolerance in (0.1, 1e-6, 3.0, 0.0):
        offset, at = actual.first_beyond(tolerance)
        assert at == worst
        assert gap * offset > mpf(tolerance) >= gap * (offset - 1)
    for offset in (1, 131_071, 2**53):
        assert actual.error(worst, offset) == pytest.approx(float(gap * offset), rel=1e-15)


def test_compare_returns_the_first_of_equal_ratios():
    slower, faster = rope(rope_type="linear", factor=3.0), rope()
    assert specification.compare(slower, faster).largest == (0, 1 / 3)
    assert specification.compare(faster, slower).largest == (0, 3.0)
    for e in (rope(), encodings.create("sinusoidal", dim=17), rope(head_dim=2)):
        actual = specification.compare(e, e)
        assert (actual.ratios == 1).all()
        assert (actual.first_pair, actual.largest, actual.first_beyond(0.0)) == (
            None,
            (0, 1.0),
            None,
        )
        assert actual.permutation.tolist() == list(range(len(actual.permutation)))
        assert actual.is_identity


def test_compare_pairs_that_do_not_rotate():
    whole = rope(head_dim=8)
    part = rope(head_dim=8, rope_type="proportional", partial_rotary_factor=0.5, factor=1.0)
    actual = specification.compare(whole, part)
    assert actual.ratios.tolist() == [1.0, 1.0, math.inf, math.inf]
    assert actual.largest == (2, math.inf)
    back = specification.compare(part, whole)
    assert back.ratios.tolist() == [1.0, 1.0, 0.0, 0.0]
    assert back.largest == (2, 0.0)
    assert specification.compare(part, part).ratios.tolist() == [1.0] * 4


def test_compare_different_numbers_of_pairs():
    actual = specification.compare(rope(head_dim=64), rope(head_dim=128))
    assert actual.pairs == (32, 64)
    assert actual.ratios.shape == (32,)
    assert actual.permutation is None
    many = specification.compare(rope(head_dim=65_536), rope(head_dim=65_536, rope_theta=1e4))
    assert many.ratios.shape == (32_768,)
    assert many.ratios[-1] == pytest.approx(1e-2 ** (32_767 / 32_768), rel=1e-14)


def test_tiny_differences_count_but_rounding_does_not():
    near = rope(rope_theta=math.nextafter(1e6, 2e6))
    actual = specification.compare(rope(), near)
    assert actual.first_pair is None
    offset, _ = actual.first_beyond(0.1)
    assert offset > 10**15
    pairs, sines = rope(rope_theta=1e12), encodings.create("sinusoidal", dim=128, base=1e12)
    assert specification.compare(pairs, sines).first_beyond(1e-300) is None
    assert specification.compare(rope(), rope(rope_type="ntk", factor=1.0)).worst is None


@pytest.mark.parametrize("tolerance", [-0.1, math.inf, math.nan, "0.1", None])
def test_invalid_tolerances_are_refused(tolerance):
    with pytest.raises(EncodingError, match="tolerance"):
        specification.compare(rope(), rope(head_dim=64)).first_beyond(tolerance)


def test_compare_refuses_encodings_without_angles():
    for pair in [("alibi", "rope"), ("rope", "alibi"), ("index", "index")]:
        with pytest.raises(EncodingError, match="no angles"):
            specification.compare(*map(encodings.create, pair))


# -- channels --------------------------------------------------------------------------------------


def turned_pairs(e, pair):
    """Return the two channels of a pair in a layout."""
    if e.layout == "interleaved":
        return 2 * pair, 2 * pair + 1
    return pair, pair + e.rotary // 2


def rotated(e, x, position):
    """Return channels rotated pair by pair."""
    out = [mpf(item) for item in x]
    for pair, speed in enumerate(speeds(e)):
        first, second = turned_pairs(e, pair)
        cosine, sine = mp.cos(position * speed), mp.sin(position * speed)
        a, b = mpf(x[first]), mpf(x[second])
        out[first], out[second] = a * cosine - b * sine, b * cosine + a * sine
    return out


def dot(x, y):
    return float(sum(a * b for a, b in zip(x, y, strict=True)))


@given(
    half_width=st.integers(1, 12),
    part=st.sampled_from([1.0, 0.5, 0.75]),
    base=st.floats(1.5, 1e6),
    layouts=st.sampled_from([("half", "interleaved"), ("interleaved", "half"), ("half", "half")]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=20)
def test_permutations_of_random_heads_are_proved(half_width, part, base, layouts, seed):
    head_dim = 8 * half_width
    a, b = (rope(head_dim, base, partial_rotary_factor=part, layout=layout) for layout in layouts)
    permutation = specification.compare(a, b).permutation
    assert sorted(permutation.tolist()) == list(range(head_dim))
    for pair in range(a.rotary // 2):
        of_a, of_b = turned_pairs(a, pair), turned_pairs(b, pair)
        assert tuple(permutation[list(of_b)].tolist()) == of_a
    assert permutation[a.rotary :].tolist() == list(range(a.rotary, head_dim))

    proof = specification.prove(a, b, permutation, seed)
    q, k = np.random.default_rng(seed).standard_normal((2, head_dim))
    truth = dot(rotated(a, q, 7), rotated(a, k, 3))
    assert proof.first == pytest.approx(truth, abs=1e-12)
    assert proof.permuted == pytest.approx(truth, abs=1e-12)
    other = dot(rotated(b, q, 7), rotated(b, k, 3))
    assert proof.second == pytest.approx(other, abs=1e-12)
    assert proof.deinterleaved == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("dim", [2, 16, 7])
def test_permutation_of_concatenated_and_interleaved(dim):
    a = encodings.create("sinusoidal", dim=dim)
    b = encodings.create("sinusoidal", dim=dim, layout="concatenated")
    permutation = specification.compare(a, b).permutation
    np.testing.assert_allclose(a.table(range(40))[:, permutation], b.table(range(40)), atol=1e-15)
    proof = specification.prove(a, b, permutation)
    assert proof.permuted == pytest.approx(proof.first, abs=1e-13)
    assert proof.deinterleaved is None
    if dim > 2:
        assert abs(proof.second - proof.first) > 1e-3


@pytest.mark.parametrize(
    "other",
    [
        rope(rope_theta=1e4),
        rope(rope_type="linear", factor=2.0),
        rope(rope_type="yarn", factor=1.0, attention=1.2, original_max_position_embeddings=99),
        rope(partial_rotary_factor=0.5),
        encodings.create("sinusoidal", dim=128, base=1e6),
    ],
)
def test_different_encodings_have_no_permutation(other):
    e, later = (encodings.create("sinusoidal", dim=8, offset=offset) for offset in (0, 1))
    assert specification.compare(e, later).permutation is None
    assert specification.compare(rope(), other).permutation is None
    assert specification.compare(other, rope()).permutation is None


def test_permutation_code_evaluates_to_the_permutation():
    heads = [rope(128, partial_rotary_factor=0.5, layout=item) for item in ("half", "interleaved")]
    orders = [specification.compare(*both).permutation for both in (heads, heads[::-1])]
    for numbers in (*orders, [2, 0, 1], [0, 1, 2], [3, 2, 1, 0], [0], [0, 2, 1]):
        code, result = specification.format_permutation_code(np.array(numbers)), {"np": np}
        assert len(code) < 90
        exec(code, result)
        np.testing.assert_array_equal(result["permutation"], numbers)
