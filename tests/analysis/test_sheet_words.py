"""The rows of sheets, compared with rewritten formulas."""

import math
import re

import pytest
from mpmath import mp, pi

from pe_explorer.analysis.configuration import check, check_versions
from pe_explorer.analysis.sheet_words import (
    format_heading,
    format_value,
    list_differences,
    list_rows,
)
from pe_explorer.gallery.models import models
from tests.configs import expected
from tests.configs.formulas import attention, frequencies
from tests.configs.support import llama, path_of

mp.dps = 40
FULL, SLIDING = "full_attention", "sliding_attention"


def counted(pairs, total):
    """Return the text for some pairs."""
    return f"{len(pairs)} of {total}" + (f", from pair {pairs[0]} on" if len(pairs) else "")


def ends(ws):
    waves = [float(2 * pi / w) for w in ws]
    return f"{min(waves):,.2f} to {max(waves):,.2f}"


@pytest.mark.parametrize("name", [name for name in models() if name != "bloom-7b1"])
def test_sheet_rows_match_formulas(name):
    checked = check(path_of(name))
    rows = dict(list_rows(checked))
    for number, sheet in enumerate(checked.sheets):
        _, p = expected.SCHEMES[name][sheet.layer]
        texts = {label: cells[number] for label, cells in rows.items()}
        plain = frequencies({**p, "rope_type": "default"})
        now = frequencies(p)
        is_longer = p["rope_type"] == "longrope"  # it uses the long list beyond training
        used = frequencies({**p, "sequence_length": sheet.target}) if is_longer else now
        trained, total = sheet.trained, len(plain)
        assert texts["positions per turn"] == ends(now)
        assert texts["unscaled positions per turn"] == ends(plain)
        assert texts.get("positions per turn at target length", "") == (
            ends(used) if is_longer else ""
        )
        assert texts["pairs changed"] == counted(sheet.changed, total)
        assert texts["pairs that never turned"] == counted(sheet.report.never_turned, total)
        assert texts["pairs with unseen angles"].startswith(counted(sheet.report.new, total))
        assert texts["attention factor"] == f"{float(attention(p)):.5g}"
        assert texts["training length"] == f"{trained:,}"
        assert texts["head_dim"] == f"{p['head_dim']:,}"
        assert texts["rope_theta"] == f"{p['rope_theta']:,.0f}"


def test_the_sheet_of_a_bias_has_heads_and_no_waves():
    rows = dict(list_rows(check(path_of("bloom-7b1"))))
    assert rows["heads"] == ["32"]
    assert rows["training length"] == ["2,048"]
    assert "positions per turn" not in rows


def test_slopes_and_layers_are_abbreviated():
    fields = {"model_type": "bloom", "hidden_size": 96, "n_head": 12, "n_layer": 2}
    rows = dict(list_rows(check(fields)))
    slopes = " ".join(re.findall(r"[\d.]+", rows["slopes"][0]))
    assert slopes == "2 8 8 1 8 2 8 16 0.7071 0.003906"
    assert rows["layers"] == ["2: 0 to 1"]
    kinds = [FULL, FULL, SLIDING] * 5
    fields = llama(model_type="qwen2", num_hidden_layers=15, layer_types=kinds)
    assert dict(list_rows(check(fields)))["layers"] == [
        "10: 0 to 1, 3 to 4, 6 to 7, 9 to 10, …",
        "5: 2, 5, 8, 11, …",
    ]
    four = dict(list_rows(check({**fields, "layer_types": kinds[:12], "num_hidden_layers": 12})))
    assert four["layers"][1] == "4: 2, 5, 8, 11"
    assert dict(list_rows(check({"model_type": "t5"}))) == {
        "layers": ["unknown"],
        "encoding": ["none"],
    }


def test_pairs_that_do_not_rotate_are_counted():
    still = {"rope_type": "proportional", "rope_theta": 1e4, "partial_rotary_factor": 0.5}
    rows = dict(list_rows(check(llama(rope_parameters=still, rope_theta=None))))
    assert re.findall(r"\d+ pairs", rows["positions per turn"][0]) == ["32 pairs"]
    assert dict(list_rows(check(llama())))["longest length without unseen angles"] == ["32,768"]
    few = dict(list_rows(check(llama(head_dim=2, rope_theta=2.0))))
    assert few["longest length without unseen angles"] == ["any"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), (True, "true"), (False, "false"), ((), "none"), (math.inf, "infinite"),
        ((1.0, 0.5, 2.0), "3 numbers, 0.5 to 2"), (131072, "131,072"),
        ("two\nlines", "two\\nlines"),
    ],
)  # fmt: skip
def test_values_are_formatted_briefly(value, text):
    assert format_value(value) == text


def test_the_heading_names_the_class_and_its_reader():
    for fields, names in (
        (llama(), ["llama", "transformers 5"]),
        ({"dim": 256, "n_heads": 4}, ["mistral", "publisher"]),
        (llama(model_type="new", rope_scaling={"factor": 2.0}), ["new", "llama", "transformers 5"]),
        (llama(model_type="new", rope_theta=None), ["new", "unknown"]),
        (llama(model_type=None, rope_theta=None), ["a model", "unknown"]),
    ):
        heading = format_heading(check(fields))
        assert [name for name in names if name not in heading] == []


OLDER = ["4.57", "4.52", "4.46"]


def differences_of_versions(source):
    """Return the differences of each older version from the newest."""
    first, *others = check_versions(source)
    assert [first.semantics, *(other.semantics for other in others)] == ["5", *OLDER]
    return {other.semantics: list_differences(first, other) for other in others}


def test_only_differing_rows_are_listed_by_layer_type():
    assert differences_of_versions(path_of("llama-2-7b")) == {version: [] for version in OLDER}
    actual = differences_of_versions(path_of("gpt-oss-20b"))
    assert actual["4.52"] == [("truncate", "true")]
    differing = dict(actual["4.46"])
    assert differing["original_max_position_embeddings"] == "131,072"
    assert differing["longest length without unseen angles, full_attention"] == "4,535"
    assert "longest length without unseen angles" not in differing


def test_a_value_missing_in_a_version_is_none():
    first, *_, under_4_46 = check_versions(path_of("phi-3-mini-128k"))
    assert dict(list_differences(under_4_46, first))["sequence_length"] == "none"
    assert (
        dict(list_differences(first, under_4_46))["positions per turn at target length"] == "none"
    )


def test_old_versions_ignore_rope_parameters():
    fields = llama(rope_theta=None, rope_parameters={"rope_theta": 5e5, "rope_type": "default"})
    read = {"rope_type": "default", "rope_theta": 1e4, "head_dim": 128, "partial_rotary_factor": 1}
    for actual in differences_of_versions(fields).values():
        assert dict(actual)["rope_theta"] == "10,000"
        assert dict(actual)["positions per turn"] == ends(frequencies(read))
