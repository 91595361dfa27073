"""Names of opened configurations, and comparisons between them."""

import re

import pytest

from pe_explorer.analysis.sheet_words import list_differences
from pe_explorer.configs import LLAMA_IF_ROTARY
from pe_explorer.encodings import read_config
from pe_explorer.exploration import Exploration, Pin, add_pin
from pe_explorer.exploration.layer_types import add_comparison, make_model_exploration
from pe_explorer.exploration.opened_model import OpenedModel

LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "rope_theta": 1e4,
    "max_position_embeddings": 2048,
}
GEMMA = {
    **LLAMA,
    "model_type": "gemma3_text",
    "head_dim": 16,
    "rope_theta": 1e6,
    "rope_local_base_freq": 1e4,
    "sliding_window": 512,
    "layer_types": ["sliding_attention", "full_attention"],
    "num_hidden_layers": 2,
}
UNHEARD = {**LLAMA, "model_type": "unheard-of"}


def model(name, document, **fields):
    document = {**document, **fields}
    return OpenedModel(name, document, read_config(document, assume=LLAMA_IF_ROTARY))


def named(verdict):
    """Return the words of a verdict that are names of fields, layers or files."""
    return set(re.findall(r"[\w.-]+[._][\w-]*\w", verdict))


def test_a_verdict_names_the_models_and_their_differences():
    opened, same = model("a.json", LLAMA), model("b.json", LLAMA)
    changes = {"rope_theta": 5e5}, {"head_dim": 64}
    different = [model("b.json", LLAMA, **fields) for fields in changes]
    longer = model("b.json", LLAMA, max_position_embeddings=4096)
    verdicts = [opened.verdict(other) for other in (same, different[0], longer)]
    assert len({*verdicts}) == 3
    assert opened.verdict(different[1]) == verdicts[1]  # names no layer, because all differ
    assert [named(verdict) for verdict in verdicts] == [{"a.json", "b.json"}] * 3
    label, _ = list_differences(opened.checks[0], longer.checks[0])[0]
    assert [label in verdict for verdict in verdicts] == [False, False, True]
    recent = {**LLAMA, "rope_theta": None, "rope_parameters": {"rope_theta": 5e5}}
    opened, same = model("a.json", recent), model("b.json", recent)
    assert list_differences(opened.checks[0], opened.checks[1])  # earlier versions do not read it
    assert opened.verdict(same) == verdicts[0]
    opened, gemma = model("a.json", LLAMA), model("g.json", GEMMA)
    for field, layers in (
        ("rope_theta", {"full_attention"}),
        ("rope_local_base_freq", {"sliding_attention"}),
    ):
        verdict = gemma.verdict(model("h.json", GEMMA, **{field: 3e4}))
        assert named(verdict) == {"g.json", "h.json", *layers}
    assert named(opened.verdict(gemma)) == {"a.json", "g.json", "full_attention"}
    assert "llama" in opened.verdict(model("u.json", UNHEARD))
    assert "llama" not in model("u.json", UNHEARD).verdict(opened)


def test_full_attention_comes_first():
    gemma = model("g.json", GEMMA)
    assert [*gemma.layers] == [*gemma.names] == ["full_attention", "sliding_attention"]
    assert [e.rope_theta for e in gemma.layers.values()] == [1e6, 1e4]
    single = model("a.json", LLAMA)
    assert [*single.names] == [""]
    compared = OpenedModel("a.json", LLAMA, single.configuration, compared=(gemma,))
    assert [*compared.names] == ["a.json"]


@pytest.mark.parametrize(
    ("name", "label"), [("x" * 50, "x" * 45), ("  ", "layers"), (" a b ", "a b")]
)
def test_a_label_is_cut_and_names_the_assumed_class(name, label):
    assert model(name, LLAMA).label == label
    assert model(name, UNHEARD).label == f"{label} as llama"


def test_the_training_length_can_be_changed_and_reset():
    opened = model("a.json", LLAMA)
    changed = opened.with_training_length(500)
    assert (changed.trained, changed.checks[0] != opened.checks[0]) == (500, True)
    assert opened.with_training_length(2048) is opened.with_training_length(None) is opened
    assert changed.with_training_length(500) is changed
    assert changed.with_training_length(2048) == changed.with_training_length(None) == opened


def test_another_configuration_becomes_pins_up_to_the_maximum():
    opened, gemma, short = model("a.json", LLAMA), model("g.json", GEMMA), model("u.json", UNHEARD)
    state = make_model_exploration(opened.configuration).with_(opened=opened)
    state = state.with_(**add_pin(state))
    compared, omitted = add_comparison(state, gemma)
    full, sliding = gemma.layers.values()
    names = "full_attention, g.json", "sliding_attention, g.json"
    assert compared.pins == (
        *state.pins,
        Pin(full, names[0], "green"),
        Pin(sliding, names[1], "gold"),
    )
    assert (compared.compared, compared.name, omitted) == (1, "a.json", ())
    assert compared.opened.compared == (gemma,)
    more_pins, _ = add_comparison(compared.with_(name="mine"), short)
    assert (more_pins.pins[3].name, more_pins.compared, more_pins.name) == (
        "u.json as llama",
        3,
        "mine",
    )
    assert more_pins.opened.compared == (gemma, short)
    for _ in range(3):
        more_pins = more_pins.with_(**add_pin(more_pins))
    last, omitted = add_comparison(more_pins, gemma)
    assert (len(last.pins), last.compared, omitted) == (8, 7, ("sliding_attention",))
    plain, _ = add_comparison(Exploration(), short)
    assert (plain.opened, plain.name, plain.pins[0].name) == (None, "", "u.json as llama")
