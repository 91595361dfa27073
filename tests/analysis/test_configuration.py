"""The numbers and findings of a configuration."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf, pi

from pe_explorer.analysis.configuration import check
from tests.configs.formulas import attention, frequencies
from tests.configs.support import OLD_NAMES, YARN, fields_of, llama, path_of, scaled

mp.dps = 40


# -- the sheet -------------------------------------------------------------------------------------


def at_length(parameters, trained, target):
    """Return the parameters in use at a length, because some types depend on it."""
    is_longer = target > trained and parameters["rope_type"] in ("dynamic", "longrope")
    return {**parameters, "sequence_length": target} if is_longer else parameters


def longest(plain, now, trained, whole_turn):
    """Return the longest length without unseen angles, by trial around the quotient."""
    actual = math.inf
    for old, new in zip(plain, now, strict=True):
        if trained * old < whole_turn and new:
            near = int(trained * old / new)
            fits = [n for n in range(near - 1, near + 3) if n * new < trained * old * LARGER]
            actual = min(actual, max(fits))
    return actual


LARGER = 1 + mpf(10) ** -12


@pytest.mark.parametrize("name", OLD_NAMES)
@pytest.mark.parametrize("length", [None, 200_000])
@pytest.mark.sampled(40)
def test_every_number_follows_from_the_parameters(name, length):
    checked = check(path_of(name), length=length)
    for sheet in checked.sheets:
        if sheet.encoding is None or sheet.encoding.name != "rope":
            assert sheet.attention_factor == 1
            continue
        p = sheet.encoding.parameters
        type_without = "proportional" if p["rope_type"] == "proportional" else "default"
        plain = frequencies({**p, "rope_type": type_without, "factor": 1.0})
        now = frequencies(p)
        for waves, actual in ((now, sheet.wavelengths), (plain, sheet.unscaled_wavelengths)):
            exact = [float(2 * pi / w) if w else math.inf for w in waves]
            np.testing.assert_allclose(actual, exact, rtol=1e-14)
        pairs, turn = range(len(plain)), 2 * pi
        apart = [abs(new - old) > mpf(10) ** -12 * old for old, new in zip(plain, now, strict=True)]
        assert sheet.changed.tolist() == [i for i in pairs if apart[i]]
        assert sheet.attention_factor == pytest.approx(float(attention(p)), rel=1e-14)
        trained, target = sheet.trained, sheet.target
        used = frequencies(at_length(p, trained, target))
        slow = [i for i in pairs if trained * plain[i] < turn]
        new = [i for i in slow if plain[i] and target * used[i] >= trained * plain[i] * LARGER]
        assert sheet.report.never_turned.tolist() == slow
        assert sheet.report.new.tolist() == new
        assert sheet.report.longest == longest(plain, used, trained, turn)


def test_the_lengths_of_layers_are_no_longer_than_their_window():
    checked = check(path_of("gemma-3-4b"))
    lengths = {sheet.layer: (sheet.trained, sheet.target, sheet.window) for sheet in checked.sheets}
    assert lengths == {
        "full_attention": (131072, 131072, None),
        "sliding_attention": (1024, 1024, 1024),
    }
    counts = [len(sheet.report.never_turned) for sheet in checked.sheets]
    assert counts == [35, 57]
    by_hand = check(path_of("gemma-3-4b"), trained=512, length=4096)
    assert [sheet.trained for sheet in by_hand.sheets] == [512, 512]
    assert [sheet.target for sheet in by_hand.sheets] == [4096, 1024]


def test_layers_without_positions_or_encoding_have_an_empty_sheet():
    smol = {sheet.layer: sheet for sheet in check(path_of("smollm3-3b")).sheets}
    assert len(smol["none"].indices) == 9
    (t5,) = check(path_of("t5-small")).sheets
    for sheet in (smol["none"], t5):
        assert sheet.encoding is None
        assert sheet.parameters == {}
        assert (sheet.wavelengths, sheet.changed, sheet.report) == (None, None, None)


def test_only_parameters_with_an_effect_are_shown():
    (sheet,) = check(path_of("llama-2-7b")).sheets
    expected = {"head_dim", "rope_theta", "rope_type", "partial_rotary_factor", "layout"}
    assert set(sheet.parameters) == expected


def test_a_stated_length_beyond_the_limit_is_clipped():
    fields = scaled(**{**YARN, "factor": 1e12, "original_max_position_embeddings": 2**53})
    assert check(fields).target == 2**53


# -- findings --------------------------------------------------------------------------------------


QWEN = "qwen2.5-7b"
BEYOND = {
    "a length beyond training": (QWEN, {"length": 131072}, "warning: --length: 131,072", 32768, 24),
    "a length that the file states": (
        "llama-3.1-8b", {}, "note: max_position_embeddings: 131,072", 8192, 29,
    ),
    "that length, typed": (
        "llama-3.1-8b", {"length": 131072}, "note: --length: 131,072", 8192, 29,
    ),
    "a longer one than that": (
        "llama-3.1-8b", {"length": 131073}, "warning: --length: 131,073", 8192, 29,
    ),
    "a length that a factor states": (
        "yarn-llama-2-7b-128k", {"trained": 2048},
        "warning: max_position_embeddings: 131,072", 2048, 23,
    ),
    "a length that only a factor states": (
        scaled(rope_type="yarn", factor=4.0), {"trained": 8192},
        "warning: rope_scaling.factor: 131,072", 8192, 14,
    ),
    "a length raised by hand": (
        QWEN, {"trained": 8192}, "warning: max_position_embeddings: 32,768", 8192, 30,
    ),
}  # fmt: skip
FOUND = {
    **{
        name: (source, asked, begin, f"{trained:,}", f"{count} of 64 pairs")
        for name, (source, asked, begin, trained, count) in BEYOND.items()
    },
    "a table that is too short": ("gpt2", {"length": 1025}, "warning: --length: 1,025", "1,024"),
    "the rows before position 0": (
        "roberta-base", {"length": 513}, "warning: --length: 513", "512",
    ),
    "another trained length": (
        scaled(rope_type="yarn", factor=4.0), {"trained": 8192}, "warning: --trained: 8,192",
        "32,768", "yarn", "original_max_position_embeddings to 8192",
    ),
    "another trained length of dynamic": (
        scaled(rope_type="dynamic", factor=4.0), {"trained": 8192}, "warning: --trained: 8,192",
        "32,768", "dynamic", "max_position_embeddings to 8192",
    ),
    "a window": ("mistral-7b-v0.1", {}, "note: sliding_window: ", "4,096"),
    "weights in bfloat16": (
        llama(rope_theta=5e5, torch_dtype="bfloat16"), {},
        "note: torch_dtype: bfloat16", "pair 1 ", "0.1 rad", "position 56 ",
        "cast the whole model, because transformers keeps frequencies in float32",
    ),
    "positions in bfloat16": (
        llama(torch_dtype="bfloat16", max_position_embeddings=32_768), {},
        "note: torch_dtype: bfloat16", "only 1,153 of 32,768 positions stay distinct",
    ),
    "positions in float16, at a length": (
        llama(dtype="float16"), {"length": 10**9}, "note: dtype: float16",
        "only 7,169 of 1,000,000,000 positions",
    ),
    "weights in float16": (
        llama(dtype="float16"), {}, "note: dtype: float16", "pair 1 ", "0.1 rad", "position 414 ",
    ),
    "slopes in bfloat16": ("falcon-rw-1b", {}, "note: alibi: falcon", "bfloat16", "0.14 %"),
    "a version that ignores truncate": (
        "gpt-oss-20b", {}, "note: rope_scaling.truncate: false", "4.52", "9 of 32 pairs",
        "pair 17", "1.763",
    ),
    "that version": (
        "gpt-oss-20b", {"semantics": "4.52"}, "warning: rope_scaling.truncate: false", "4.52",
        "9 of 32 pairs", "pair 17", "1.763",
    ),
    "a version where other pairs turn": (
        scaled(**YARN, truncate=False, partial_rotary_factor=0.5), {},
        "note: rope_scaling.truncate: false", "4.46", "rotates 64 pairs, and this version 32",
    ),
    "a contradiction of that version": (
        "qwen2.5-7b-yarn", {"semantics": "4.52"}, "warning: rope_scaling.factor: 4",
        "131,072 positions", "max_position_embeddings is 32,768", "4.52 uses 32,768 / 32,768 = 1",
    ),
}  # fmt: skip


def findings_of(source, asked):
    return check(path_of(source) if isinstance(source, str) else source, **asked).findings


@pytest.mark.parametrize("name", FOUND)
def test_findings_name_level_place_and_numbers(name):
    source, options, begin, *facts = FOUND[name]
    lines = [item.line for item in findings_of(source, options) if item.line.startswith(begin)]
    assert any(all(fact in line for fact in facts) for line in lines)


NEARLY = {
    "yarn makes the length of what was trained": (
        "qwen2.5-7b-yarn", {"length": 131072}, "beyond-training",
    ),
    "the trained length itself": (QWEN, {"length": 32768}, "beyond-training"),
    "every row of a table": ("roberta-base", {"length": 512}, "beyond-training"),
    "bias has no angles": ("bloom-7b1", {"length": 10**6}, "beyond-training"),
    "layers see no further": ("mistral-7b-v0.1", {}, "beyond-training"),
    "the trained length that yarn takes": (scaled(**YARN), {"trained": 32768}, "--trained"),
    "a type that takes none": (QWEN, {"trained": 8192}, "contradiction"),
    "a window as long as the text": (
        llama(model_type="mistral", sliding_window=32768), {}, "window",
    ),
    "no window": ("mistral-nemo-12b", {}, "window"),
    "float32": (llama(torch_dtype="float32"), {}, "precision"),
    "slopes that bfloat16 has": (
        {**fields_of("falcon-rw-1b"), "num_attention_heads": 8}, {}, "precision",
    ),
    "exact slopes": ("bloom-7b1", {}, "precision"),
    "a trained length that was said": (QWEN, {"trained": 32768}, "trained-length"),
    "truncate as all versions have it": (scaled(**YARN, truncate=True), {}, "versions"),
}  # fmt: skip


@pytest.mark.parametrize("name", NEARLY)
def test_almost_wrong_files_have_no_finding(name):
    source, options, kind_or_place = NEARLY[name]
    actual = [{item.kind, item.line.split(": ")[1]} for item in findings_of(source, options)]
    assert [names for names in actual if kind_or_place in names] == []


def test_published_models_have_notes_only():
    without_encoding = {"t5-small", "deberta-v3-base"}
    misleading = {name for name in OLD_NAMES if check(path_of(name)).is_misleading}
    assert misleading == without_encoding


def test_equal_findings_of_layers_are_merged():
    findings = check(path_of("gpt-oss-20b"), length=2**20).findings
    (beyond,) = [finding for finding in findings if finding.kind == "beyond-training"]
    assert beyond.layers == ("full_attention",)


def test_findings_are_sorted_and_counted_by_level():
    checked, order = check(path_of(QWEN), length=10**6), ["error", "warning", "note"]
    levels = [finding.level for finding in checked.findings]
    assert levels == sorted(levels, key=order.index)
    assert levels[0] == "warning"
    assert list(checked.counts.items()) == [(level, levels.count(level)) for level in order]
