"""What a configuration means in numbers, and what its frequencies show to mislead."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf, pi

from pe_explorer.analysis.configuration import check
from pe_explorer.encodings import EncodingError
from tests.configs.formulas import attention, concentration, frequencies
from tests.configs.support import (
    OLD_NAMES,
    YARN,
    fields_of,
    llama,
    path_of,
    scaled,
)
from tests.support.cases import for_each

mp.dps = 40


def lines(source, **asked):
    return [finding.line for finding in check(source, **asked).findings]


def kinds(source, **asked):
    return [finding.kind for finding in check(source, **asked).findings]


# -- the sheet -------------------------------------------------------------------------------------


def at_length(parameters, trained, target):
    """Return the parameters as they are at a length; the frequencies of some types depend on it."""
    is_longer = target > trained and parameters["rope_type"] in ("dynamic", "longrope")
    return {**parameters, "sequence_length": target} if is_longer else parameters


def longest(plain, now, trained, whole_turn):
    """Return the longest length without new angles, by trying lengths around the quotient."""
    found = math.inf
    for old, new in zip(plain, now, strict=True):
        if trained * old < whole_turn and new:
            near = int(trained * old / new)
            fits = [n for n in range(near - 1, near + 3) if n * new < trained * old * LARGER]
            found = min(found, max(fits))
    return found


LARGER = 1 + mpf(10) ** -12


@for_each("name", OLD_NAMES)
@for_each("length", [None, 200_000])
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
        turn = 2 * pi
        np.testing.assert_allclose(
            sheet.wavelengths, [float(turn / w) if w else math.inf for w in now], rtol=1e-14
        )
        np.testing.assert_allclose(
            sheet.unscaled_wavelengths,
            [float(turn / w) if w else math.inf for w in plain],
            rtol=1e-14,
        )
        pairs = range(len(plain))
        assert sheet.changed.tolist() == [
            i
            for i in pairs
            if abs(now[i] / (plain[i] or 1) - (1 if plain[i] else 0)) > mpf(10) ** -12
        ]
        assert sheet.attention_factor == pytest.approx(float(attention(p)), rel=1e-14)
        trained, target = sheet.trained, sheet.target
        used = frequencies(at_length(p, trained, target))
        slow = [i for i in pairs if trained * plain[i] < turn]
        new = [i for i in slow if plain[i] and target * used[i] >= trained * plain[i] * LARGER]
        assert sheet.report.never_turned.tolist() == slow
        assert sheet.report.new.tolist() == new
        assert sheet.report.longest == longest(plain, used, trained, turn)


@pytest.mark.parametrize("name", ["llama-3.1-8b", "qwen2.5-7b", "phi-4-mini", "glm-4-9b-chat-hf"])
def test_the_pair_whose_angles_grow_most(name):
    for sheet in check(path_of(name), length=10**6).sheets:
        trained, p = sheet.trained, sheet.encoding.parameters
        plain = frequencies({**p, "rope_type": "default"})
        used = frequencies(at_length(p, trained, sheet.target))
        ratios = [
            float(sheet.target * new / (trained * old)) if trained * old < 2 * pi else 0.0
            for old, new in zip(plain, used, strict=True)
        ]
        pair, ratio = sheet.report.worst
        assert ratio == pytest.approx(max(ratios), rel=1e-14)
        assert pair == next(i for i, each in enumerate(ratios) if each > ratio * (1 - 1e-12))


@pytest.mark.parametrize(("name", "scale"), [("deepseek-v3", 1), ("deepseek-v2-lite", 0.707)])
def test_the_factor_of_softmax(name, scale):
    checked = check(path_of(name))
    assert checked.softmax_factor == pytest.approx(float(concentration(40, scale) ** 2), rel=1e-14)


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


def test_only_parameters_that_count_are_shown():
    (sheet,) = check(path_of("llama-2-7b")).sheets
    assert set(sheet.parameters) == {
        "head_dim",
        "rope_theta",
        "rope_type",
        "partial_rotary_factor",
        "layout",
    }


@pytest.mark.parametrize("name", ["phi-3-mini-128k", "llama-dynamic", "llama-3.1-8b"])
def test_wavelengths_at_the_length_looked_at(name):
    (sheet,) = check(path_of(name)).sheets
    p = at_length(sheet.encoding.parameters, sheet.trained, sheet.target)
    expected = [float(2 * pi / w) for w in frequencies(p)]
    np.testing.assert_allclose(sheet.wavelengths_at_target, expected, rtol=1e-14)
    changes = not np.array_equal(sheet.wavelengths, sheet.wavelengths_at_target)
    assert changes == (name == "phi-3-mini-128k")


def test_a_promise_beyond_all_positions_is_cut():
    fields = scaled(**{**YARN, "factor": 1e12, "original_max_position_embeddings": 2**53})
    assert check(fields).target == 2**53


def test_what_cannot_be_read_is_refused():
    with pytest.raises(EncodingError, match="head_dim: '128' is a string"):
        check(llama(head_dim="128"))


# -- findings --------------------------------------------------------------------------------------


QWEN = "qwen2.5-7b"
CASES = {
    "a length beyond training": (
        path_of(QWEN),
        {"length": 131072},
        "warning: --length: 131,072 is beyond the training length of 32,768; 24 of 64 pairs reach "
        "unseen angles",
    ),
    "a length that the file states": (
        path_of("llama-3.1-8b"),
        {},
        "note: max_position_embeddings: 131,072 is beyond the training length of 8,192; 29 of 64 "
        "pairs reach unseen angles",
    ),
    "that length, typed": (
        path_of("llama-3.1-8b"),
        {"length": 131072},
        "note: --length: 131,072 is beyond the training length of 8,192; 29 of 64 pairs reach "
        "unseen angles",
    ),
    "a longer one than that": (
        path_of("llama-3.1-8b"),
        {"length": 131073},
        "warning: --length: 131,073 is beyond the training length of 8,192; 29 of 64 pairs reach "
        "unseen angles",
    ),
    "a length that a factor states": (
        path_of("yarn-llama-2-7b-128k"),
        {"trained": 2048},
        "warning: max_position_embeddings: 131,072 is beyond the training length of 2,048; 23 of "
        "64 pairs reach unseen angles",
    ),
    "a length that only a factor states": (
        scaled(rope_type="yarn", factor=4.0),
        {"trained": 8192},
        "warning: rope_scaling.factor: 131,072 is beyond the training length of 8,192; 14 of 64 "
        "pairs reach unseen angles",
    ),
    "a length raised by hand": (
        path_of(QWEN),
        {"trained": 8192},
        "warning: max_position_embeddings: 32,768 is beyond the training length of 8,192; 30 of 64 "
        "pairs reach unseen angles",
    ),
    "a table that is too short": (
        path_of("gpt2"),
        {"length": 1025},
        "warning: --length: 1,025 is beyond the training length of 1,024; later positions have no "
        "row in the table",
    ),
    "the rows before position 0": (
        path_of("roberta-base"),
        {"length": 513},
        "warning: --length: 513 is beyond the training length of 512; later positions have no row "
        "in the table",
    ),
    "another trained length": (
        scaled(rope_type="yarn", factor=4.0),
        {"trained": 8192},
        "warning: --trained: 8,192 is not the 32,768 that yarn uses; set "
        "original_max_position_embeddings to 8192",
    ),
    "another trained length of dynamic": (
        scaled(rope_type="dynamic", factor=4.0),
        {"trained": 8192},
        "warning: --trained: 8,192 is not the 32,768 that dynamic uses; set "
        "max_position_embeddings to 8192",
    ),
    "a window": (
        path_of("mistral-7b-v0.1"),
        {},
        "note: sliding_window: queries see at most 4,096 keys; a program that ignores this reaches "
        "unseen angles",
    ),
    "weights in bfloat16": (
        llama(rope_theta=5e5, torch_dtype="bfloat16"),
        {},
        "note: torch_dtype: bfloat16 is too coarse for frequencies; casting the whole model to "
        "it rounds them, so pair 1 would be off by 0.1 rad from position 56 on",
    ),
    "weights in float16": (
        llama(dtype="float16"),
        {},
        "note: dtype: float16 is too coarse for frequencies; casting the whole model to it rounds "
        "them, so pair 1 would be off by 0.1 rad from position 414 on",
    ),
    "slopes in bfloat16": (
        path_of("falcon-rw-1b"),
        {},
        "note: alibi: falcon rounds the slopes to bfloat16; its biases differ by up to 0.14 % "
        "from the exact ones",
    ),
    "a version that ignores truncate": (
        path_of("gpt-oss-20b"),
        {},
        "note: rope_scaling.truncate: false is ignored by transformers 4.52; 9 of 32 pairs "
        "differ, pair 17 most, by a factor of 1.763",
    ),
    "that version": (
        path_of("gpt-oss-20b"),
        {"semantics": "4.52"},
        "warning: rope_scaling.truncate: false is ignored by transformers 4.52; 9 of 32 pairs "
        "differ, pair 17 most, by a factor of 1.763",
    ),
    "a version where other pairs turn": (
        scaled(**YARN, truncate=False, partial_rotary_factor=0.5),
        {},
        "note: rope_scaling.truncate: false is ignored by transformers 4.46; 64 pairs rotate "
        "there, 32 here",
    ),
    "a contradiction of that version": (
        path_of("qwen2.5-7b-yarn"),
        {"semantics": "4.52"},
        "warning: rope_scaling.factor: 4 · 32,768 is 131,072 positions, but "
        "max_position_embeddings is 32,768; transformers 4.52 uses 32,768 / 32,768 = 1 instead, "
        "which changes nothing",
    ),
}


@for_each("name", CASES)
def test_findings(name):
    source, asked, line = CASES[name]
    assert line in lines(source, **asked)


NEARLY = {
    "yarn makes the length of what was trained": (
        path_of("qwen2.5-7b-yarn"),
        {"length": 131072},
        "beyond-training",
    ),
    "the trained length itself": (path_of(QWEN), {"length": 32768}, "beyond-training"),
    "every row of a table": (path_of("roberta-base"), {"length": 512}, "beyond-training"),
    "bias has no angles": (path_of("bloom-7b1"), {"length": 10**6}, "beyond-training"),
    "layers see no further": (path_of("mistral-7b-v0.1"), {}, "beyond-training"),
    "the trained length that yarn takes": (scaled(**YARN), {"trained": 32768}, "contradiction-"),
    "a type that takes none": (path_of(QWEN), {"trained": 8192}, "contradiction"),
    "a window as long as the text": (
        llama(model_type="mistral", sliding_window=32768),
        {},
        "window",
    ),
    "no window": (path_of("mistral-nemo-12b"), {}, "window"),
    "float32": (llama(torch_dtype="float32"), {}, "precision"),
    "slopes that bfloat16 has": (
        {**fields_of("falcon-rw-1b"), "num_attention_heads": 8},
        {},
        "precision",
    ),
    "exact slopes": (path_of("bloom-7b1"), {}, "precision"),
    "a trained length that was said": (path_of(QWEN), {"trained": 32768}, "trained-length"),
    "truncate as all versions have it": (scaled(**YARN, truncate=True), {}, "versions"),
}


@for_each("name", NEARLY)
def test_what_is_nearly_wrong_is_not_found(name):
    source, asked, kind = NEARLY[name]
    assert kind not in kinds(source, **asked)


def test_models_as_they_were_published_end_with_notes_alone():
    without_encoding = {"t5-small", "deberta-v3-base"}
    misleading = {name for name in OLD_NAMES if check(path_of(name)).misleads}
    assert misleading == without_encoding


def test_one_finding_for_layers_that_say_the_same():
    findings = check(path_of("gpt-oss-20b"), length=2**20).findings
    (beyond,) = [each for each in findings if each.kind == "beyond-training"]
    assert beyond.layers == ("full_attention",)
    counts = check(path_of("gpt-oss-20b")).counts
    assert list(counts) == ["error", "warning", "note"]
    assert sum(counts.values()) == len(check(path_of("gpt-oss-20b")).findings)


def test_findings_come_by_level():
    levels = [each.level for each in check(path_of(QWEN), length=10**6).findings]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert levels[0] == "warning"
