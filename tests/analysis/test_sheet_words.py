"""The sheet of a configuration in words, against numbers from formulas written anew."""

from mpmath import mp, mpf, pi

from pe_explorer.analysis.configuration import check, check_versions
from pe_explorer.analysis.sheet_words import differences, rows_of
from pe_explorer.gallery.models import models
from tests.configs import expected
from tests.configs.formulas import attention, frequencies
from tests.configs.support import llama, path_of
from tests.support.cases import for_each

mp.dps = 40
LARGER = 1 + mpf(10) ** -12


ROPE = {"head_dim": 128, "partial_rotary_factor": 1.0, "rope_type": "default"}


def counted(pairs, total):
    """Return what is said of some pairs."""
    return f"{len(pairs)} of {total}" + (f", from pair {pairs[0]} on" if pairs else "")


def ends(ws):
    waves = [float(2 * pi / w) for w in ws]
    return f"{min(waves):,.2f} to {max(waves):,.2f}"


@for_each("name", [name for name in models() if name != "bloom-7b1"])
def test_numbers_are_those_of_formulas(name):
    checked = check(path_of(name))
    rows = dict(rows_of(checked))
    for number, sheet in enumerate(checked.sheets):
        _, p = expected.SCHEMES[name][sheet.layer]
        said = {label: cells[number] for label, cells in rows.items()}
        plain = frequencies({**p, "rope_type": "default"})
        now = frequencies(p)
        is_longer = p["rope_type"] == "longrope"  # whose other list counts beyond training
        used = frequencies({**p, "sequence_length": sheet.target}) if is_longer else now
        trained, total = sheet.trained, len(plain)
        changed = [i for i in range(total) if abs(now[i] / plain[i] - 1) > mpf(10) ** -12]
        slow = [i for i in range(total) if trained * plain[i] < 2 * pi]
        new = [i for i in slow if sheet.target * used[i] >= trained * plain[i] * LARGER]
        assert said["positions per turn"] == ends(now)
        assert said["unscaled positions per turn"] == ends(plain)
        assert said.get("positions per turn at target", "") == (ends(used) if is_longer else "")
        assert said["pairs changed"] == counted(changed, total)
        assert said["pairs that never turned"] == counted(slow, total)
        assert said["pairs with unseen angles"].startswith(counted(new, total))
        assert said["attention factor"] == f"{float(attention(p)):.5g}"
        assert said["training length"] == f"{trained:,}"
        assert said["head_dim"] == f"{p['head_dim']:,}"
        assert said["rope_theta"] == f"{p['rope_theta']:,.0f}"


def test_a_bias_has_its_heads_and_no_waves():
    rows = dict(rows_of(check(path_of("bloom-7b1"))))
    assert rows["heads"] == ["32"]
    assert rows["training length"] == ["2,048"]
    assert "positions per turn" not in rows


def test_versions_that_agree_have_no_differences():
    first, *others = check_versions(path_of("llama-2-7b"))
    assert first.semantics == "5"
    assert [other.semantics for other in others] == ["4.57", "4.52", "4.46"]
    assert [differences(first, other) for other in others] == [[], [], []]


def test_a_row_that_differs_for_all_layers_is_there_once():
    first, _, under_4_52, _ = check_versions(path_of("gpt-oss-20b"))
    assert differences(first, under_4_52) == [("truncate", "true")]


def test_a_row_that_differs_for_some_layers_names_them():
    first, *_, under_4_46 = check_versions(path_of("gpt-oss-20b"))
    found = dict(differences(first, under_4_46))
    assert found["original_max_position_embeddings"] == "131,072"
    assert found["longest without unseen angles, full_attention"] == "4,535"
    assert "longest without unseen angles" not in found


def test_what_a_version_lacks_is_none():
    first, *_, under_4_46 = check_versions(path_of("phi-3-mini-128k"))
    assert dict(differences(under_4_46, first))["sequence_length"] == "none"
    assert dict(differences(first, under_4_46))["positions per turn at target"] == "none"


def test_a_dictionary_that_old_versions_do_not_read():
    fields = llama(rope_theta=None, rope_parameters={"rope_theta": 5e5, "rope_type": "default"})
    first, *others = check_versions(fields)
    assert [other.semantics for other in others] == ["4.57", "4.52", "4.46"]
    for other in others:
        found = dict(differences(first, other))
        assert found["rope_theta"] == "10,000"
        assert found["positions per turn"] == ends(frequencies(ROPE | {"rope_theta": 1e4}))
