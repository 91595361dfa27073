"""Requirements of longer targets and effects of RoPE types, compared with rewritten formulas."""

import math

import pytest

from pe_explorer import encodings
from pe_explorer.analysis import context, scaling
from pe_explorer.encodings import EncodingError
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.sinusoids import rope

pytestmark = pytest.mark.usefixtures("few_decimals")
TRAINED, TARGET = 32_768, 131_072
TYPES = ("linear", "ntk", "dynamic", "yarn", "llama3")


def new_pairs(before, now, trained, target):
    """Return the pairs that reach unseen angles, by definition."""
    larger = 1 + mp.mpf(10) ** -12
    both = enumerate(zip(before, now, strict=True))
    unturned = [(i, old, speed) for i, (old, speed) in both if trained * old < 2 * mp.pi]
    return [i for i, old, speed in unturned if speed and target * speed >= trained * old * larger]


# -- the base --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head_dim", "base", "trained", "target"),
    [
        (128, 1e4, 4096, 4097),
        (128, 1e4, 4096, 2**53),
        (64, 1.5e5, 4096, 131_072),
        (256, 1e4, 1024, 8192),
        (8, 10.0, 30, 31),
        (128, 1.0000001, 4, 5),
        (8192, 1e6, 8192, 10**6),
    ],
)
def test_base_for_is_the_smallest_base_without_unseen_angles(head_dim, base, trained, target):
    e = rope(head_dim, base)
    actual = context.base_for(e, trained, target)
    unturned = [i for i in range(head_dim // 2) if trained * paper(base, i, head_dim) < 2 * mp.pi]
    if not unturned:
        assert actual == base
        return
    if unturned[0] == 0:
        assert actual is None
        return
    first = unturned[0]
    ratio = mp.mpf(target) / trained
    exact = mp.mpf(base) * ratio ** (mp.mpf(head_dim) / (2 * first))
    assert actual == pytest.approx(float(exact), rel=1e-15)
    before = [paper(base, i, head_dim) for i in unturned[:200]]
    for factor, is_new in ((1 + mp.mpf(10) ** -9, False), (1 - mp.mpf(10) ** -9, True)):
        now = [paper(exact * factor, i, head_dim) for i in unturned[:200]]
        assert bool(new_pairs(before, now, trained, target)) == is_new


def paper(base, pair, head_dim):
    return mp.mpf(base) ** (-mp.mpf(2 * pair) / head_dim)


def test_base_for_extreme_lengths():
    for e, trained, target, base in (
        (rope(), 6, 7, None),  # not even the fastest pair completes a turn
        (rope(), 6, 3, None),
        (rope(head_dim=2), 7, 2**53, 1e6),
        (encodings.create("sinusoidal", scale=0.0), 512, 1024, None),
        (rope(), TRAINED, TRAINED, 1e6),  # no unseen angles
        (rope(), TARGET, 1, 1e6),
        (rope(rope_theta=10.0), 1000, 2**53, 10.0),
        (rope(65_536), 7, 2**53, math.inf),  # too large for float64
    ):
        assert context.base_for(e, trained, target) == base
    for rope_type in TYPES:  # the type has no effect
        e = rope(rope_type=rope_type, factor=4.0, original_max_position_embeddings=TRAINED)
        assert context.base_for(e, TRAINED, TARGET) == context.base_for(rope(), TRAINED, TARGET)


@pytest.mark.parametrize("spacing", ["paper", "endpoint"])
def test_base_for_sinusoids(spacing):
    e = encodings.create("sinusoidal", dim=128, base=1e4, spacing=spacing)
    actual = context.base_for(e, 512, 2048)
    before = definition(e).frequencies()
    first = next(i for i, w in enumerate(before) if 512 * w < 2 * mp.pi)
    exponent = mp.mpf(first) / (64 if spacing == "paper" else 63)
    assert actual == pytest.approx(float(1e4 * mp.mpf(4) ** (1 / exponent)), rel=1e-15)


# -- the types -------------------------------------------------------------------------------------


def test_scalings_of_qwen_match_their_definitions():
    actual = dict(scaling.list_scalings(rope(), TRAINED, TARGET))
    assert list(actual) == ["default", *TYPES]
    before = definition(rope()).frequencies()
    for name, item in actual.items():
        now = definition(item.encoding).frequencies()
        new = new_pairs(before, now, TRAINED, TARGET)
        assert item.report.new.tolist() == new
        assert item.report.turned.tolist() == list(range(40))
        assert item.report.within.tolist() == [i for i in range(40, 64) if i not in new]
        often = [old / new for old, new in zip(before, now, strict=True)
                 if TRAINED * old >= 32 * 2 * mp.pi]  # fmt: skip
        different = [abs(old - new) > 1e-12 * old for old, new in zip(before, now, strict=True)]
        assert item.changed == sum(different)
        assert item.slowed == pytest.approx(float(max(often)), rel=1e-14)
        assert item.slowest == pytest.approx(float(2 * mp.pi / now[-1]), rel=1e-14)
        factor = 0.1 * math.log(4) + 1 if name == "yarn" else 1.0
        assert item.attention == pytest.approx(factor)
    assert actual["ntk"].report.worst == (40, pytest.approx(1.66, abs=0.005))
    assert (actual["default"].report.worst, actual["yarn"].report.worst) == ((40, 4.0), None)
    slowest = definition(actual["ntk"].encoding).frequencies()[-1]
    # only the slowest pair is slowed by the full factor
    assert float(before[-1] / slowest) == pytest.approx(4)


def test_longrope_is_compared_if_its_lists_are_given():
    names = [name for name, _ in scaling.list_scalings(rope(), TRAINED, TARGET)]
    assert "longrope" not in names
    e = rope(head_dim=8, rope_type="longrope", long_factor=(1.0, 1.0, 2.0, 8.0))
    actual = dict(scaling.list_scalings(e, 64, 256))
    assert list(actual) == ["default", *TYPES, "longrope"]
    assert actual["longrope"].encoding.long_factor == e.long_factor
    assert not list(scaling.list_scalings(encodings.create("sinusoidal"), 64, 256))


def test_types_that_do_not_allow_one_pair_are_errors():
    actual = dict(scaling.list_scalings(rope(head_dim=2), 100, 400))
    for name in ("ntk", "dynamic"):
        assert isinstance(actual[name], EncodingError)
    assert actual["linear"].changed == 1
    assert actual["linear"].slowed is None  # 100 positions are 15.9 turns
    short = dict(scaling.list_scalings(rope(), 1, 4))
    assert isinstance(short["yarn"], EncodingError)  # a trained length is at least 2


def test_a_target_that_is_shorter_changes_nothing():
    for _, item in scaling.list_scalings(rope(), TARGET, TRAINED):
        assert item.changed == 0
        assert not len(item.report.new)


@pytest.mark.parametrize("rope_type", TYPES)
@pytest.mark.parametrize(
    ("head_dim", "base", "trained", "target"),
    [(128, 1e6, 32_768, 131_072), (128, 1e4, 4096, 100_000), (256, 1e4, 1024, 10**6)],
)
def test_factor_for_is_the_smallest_factor_without_unseen_angles(
    rope_type, head_dim, base, trained, target
):
    e = rope(head_dim, base)
    factor = scaling.find_factor(e, rope_type, trained, target)
    before = definition(e).frequencies()
    for times, is_new in ((1 + 1e-9, False), (1 - 1e-9, True)):
        result = scaling.with_factor(e, rope_type, trained, target, factor * times)
        assert bool(new_pairs(before, definition(result).frequencies(), trained, target)) == is_new
    if rope_type in ("linear", "yarn", "llama3"):
        assert factor == target / trained
    first = next(i for i, w in enumerate(before) if trained * w < 2 * mp.pi)
    stretch = (mp.mpf(target) / trained) ** (mp.mpf(head_dim - 2) / (2 * first))
    if rope_type == "ntk":
        assert factor == pytest.approx(float(stretch), rel=1e-14)
    if rope_type == "dynamic":
        expected = (stretch - 1) * trained / (target - trained)
        assert factor == pytest.approx(float(expected), rel=1e-14)


def test_a_constant_share_needs_a_larger_factor():
    # pairs with 0.9 to 1 turns are partly unscaled
    e = rope(rope_type="llama3", low_freq_factor=0.9)
    factor = scaling.find_factor(e, "llama3", TRAINED, TARGET)
    before = definition(e.unscaled).frequencies()
    shares = [
        (w, max((TRAINED * w / (2 * mp.pi) - mp.mpf(0.9)) / (4 - mp.mpf(0.9)), 0)) for w in before
    ]
    exact = max((1 - k) / (mp.mpf(1) / 4 - k) for w, k in shares if TRAINED * w < 2 * mp.pi)
    assert factor == pytest.approx(float(exact), rel=1e-14)
    early = rope(rope_type="llama3", low_freq_factor=0.01, high_freq_factor=2.0)
    assert scaling.find_factor(early, "llama3", TRAINED, TARGET) is None


def test_factor_for_without_a_solution():
    assert scaling.find_factor(rope(), "default", TRAINED, TARGET) is None
    assert scaling.find_factor(rope(), "ntk", 6, 12) is None  # the fastest pair is never slowed
    assert scaling.find_factor(rope(), "linear", TARGET, TRAINED) == 1.0
    assert scaling.find_factor(rope(), "dynamic", TRAINED, TRAINED) == 1.0


# -- the longest target ----------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [1.5, 4.0, 10.0])
def test_the_longest_target_of_dynamic(factor):
    e = rope(rope_type="dynamic", factor=factor, original_max_position_embeddings=TRAINED)
    actual = scaling.find_max_target_length(e, TRAINED)
    before = definition(rope()).frequencies()
    for length, is_new in ((int(actual), False), (int(actual) + 1, True)):
        now = definition(rope(**{**e.parameters, "sequence_length": length})).frequencies()
        assert bool(new_pairs(before, now, TRAINED, length)) == is_new


def test_the_longest_target_of_other_types():
    long = {"factor": 4.0, "original_max_position_embeddings": TRAINED}
    for e, trained, longest in (
        (rope(), TRAINED, TRAINED),
        (rope(rope_type="linear", **long), TRAINED, TARGET),
        (rope(rope_type="yarn", **long), TRAINED, TARGET),
        (rope(head_dim=4, rope_theta=2.0), 100, math.inf),  # every pair completes a turn
        (rope(head_dim=4, rope_theta=2.0, rope_type="dynamic"), 100, math.inf),
    ):
        assert scaling.find_max_target_length(e, trained) == longest


def test_longrope_uses_the_long_list_beyond_training():
    e = rope(
        head_dim=8, rope_theta=1e4, rope_type="longrope", original_max_position_embeddings=64,
        long_factor=(1.0, 1.0, 4.0, 16.0),
    )  # fmt: skip
    assert scaling.find_max_target_length(e, 64) == 256
    none = rope(head_dim=8, rope_type="longrope", original_max_position_embeddings=64)
    assert scaling.find_max_target_length(none, 64) == 64
