"""What an opened configuration is called, and how another one differs from it."""

import re

import pytest

from pe_explorer.analysis.sheet_words import differences
from pe_explorer.configs import LLAMA_IF_ROTARY
from pe_explorer.encodings import read_config
from pe_explorer.exploration import Exploration, Pin, pinned
from pe_explorer.exploration.layer_types import model_exploration, with_compared
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


def test_a_verdict_names_the_models_and_where_they_differ():
    here, same = model("a.json", LLAMA), model("b.json", LLAMA)
    others = [model("b.json", LLAMA, **it) for it in ({"rope_theta": 5e5}, {"head_dim": 64})]
    longer = model("b.json", LLAMA, max_position_embeddings=4096)
    verdicts = [here.verdict(each) for each in (same, others[0], longer)]
    assert len({*verdicts}) == 3
    assert here.verdict(others[1]) == verdicts[1]  # of all layers, so none is named
    assert [named(each) for each in verdicts] == [{"a.json", "b.json"}] * 3
    label, _ = differences(here.checks[0], longer.checks[0])[0]
    assert [label in each for each in verdicts] == [False, False, True]
    recent = {**LLAMA, "rope_theta": None, "rope_parameters": {"rope_theta": 5e5}}
    here, same = model("a.json", recent), model("b.json", recent)
    assert differences(here.checks[0], here.checks[1])  # earlier versions do not read it
    assert here.verdict(same) == verdicts[0]
    here, gemma = model("a.json", LLAMA), model("g.json", GEMMA)
    for field, layers in (
        ("rope_theta", {"full_attention"}),
        ("rope_local_base_freq", {"sliding_attention"}),
    ):
        verdict = gemma.verdict(model("h.json", GEMMA, **{field: 3e4}))
        assert named(verdict) == {"g.json", "h.json", *layers}
    assert named(here.verdict(gemma)) == {"a.json", "g.json", "full_attention"}
    assert "llama" in here.verdict(model("u.json", UNHEARD))
    assert "llama" not in model("u.json", UNHEARD).verdict(here)


def test_layers_of_full_attention_come_first():
    gemma = model("g.json", GEMMA)
    assert [*gemma.layers] == [*gemma.names] == ["full_attention", "sliding_attention"]
    assert [e.rope_theta for e in gemma.layers.values()] == [1e6, 1e4]
    only = model("a.json", LLAMA)
    assert [*only.names] == [""]
    compared = OpenedModel("a.json", LLAMA, only.found, compared=(gemma,))
    assert [*compared.names] == ["a.json"]


@pytest.mark.parametrize(
    ("name", "label"), [("x" * 50, "x" * 45), ("  ", "layers"), (" a b ", "a b")]
)
def test_a_label_has_the_first_characters_and_the_assumed_class(name, label):
    assert model(name, LLAMA).label == label
    assert model(name, UNHEARD).label == f"{label} as llama"


def test_the_training_length_is_that_of_the_file_until_it_is_changed():
    here = model("a.json", LLAMA)
    there = here.with_trained(500)
    assert (there.trained, there.checks[0] != here.checks[0]) == (500, True)
    assert here.with_trained(2048) is here.with_trained(None) is here
    assert there.with_trained(500) is there
    assert there.with_trained(2048) == there.with_trained(None) == here


def test_another_configuration_is_compared_as_pins_as_far_as_there_is_room():
    here, gemma, short = model("a.json", LLAMA), model("g.json", GEMMA), model("u.json", UNHEARD)
    state = model_exploration(here.found).with_(opened=here)
    state = state.with_(**pinned(state))
    named, left = with_compared(state, gemma)
    full, sliding = gemma.layers.values()
    names = "full_attention, g.json", "sliding_attention, g.json"
    assert named.pins == (*state.pins, Pin(full, names[0], "green"), Pin(sliding, names[1], "gold"))
    assert (named.compared, named.name, left) == (1, "a.json", ())
    assert named.opened.compared == (gemma,)
    again, _ = with_compared(named.with_(name="mine"), short)
    assert (again.pins[3].name, again.compared, again.name) == ("u.json as llama", 3, "mine")
    assert again.opened.compared == (gemma, short)
    for _ in range(3):
        again = again.with_(**pinned(again))
    last, left = with_compared(again, gemma)
    assert (len(last.pins), last.compared, left) == (8, 7, ("sliding_attention",))
    plain, _ = with_compared(Exploration(), short)
    assert (plain.opened, plain.name, plain.pins[0].name) == (None, "", "u.json as llama")
