"""Needs of views and quantities."""

import pytest

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError, Unknown, find_axes, require_known
from pe_explorer.encodings.abilities import needs
from tests.support.oracles import definition
from tests.support.samples import sample, samples, variations

NEEDS = [needs.waves, needs.steady, needs.pairs, needs.code_angles, needs.rotary, needs.bias]


@pytest.mark.parametrize("name", encodings.names())
def test_needs_are_met_by_abilities(name):
    for e in variations(name):
        met = {need.__name__ for need in NEEDS if need(e) == ""}
        assert met == definition(e).abilities, e
        assert needs.require_nothing(e) == ""


@pytest.mark.parametrize("need", NEEDS)
def test_an_unmet_need_is_one_sentence_with_the_name(need):
    for e in samples():
        if sentence := need(e):
            assert e.format_name() in sentence
            assert "\n" not in sentence


def test_the_reason_for_missing_clocks_names_the_missing_wave():
    for parameters, words in (
        ({"dim": 1}, ["width 1", "width 2"]),
        ({"dim": 2, "waves": "sine"}, ["dimension", "is a sine", "other", "cosine"]),
        ({"dim": 2, "waves": "cosine"}, ["dimension", "is a cosine", "other", "sine"]),
    ):
        e = sample("sinusoidal", **parameters)
        assert [word for word in words if word not in f"{needs.pairs(e)} other"] == []
        assert needs.waves(e) == ""
        assert "upper bound" in needs.score_bound(e)
    pair = sample("sinusoidal", dim=2)
    assert needs.waves(pair) == needs.pairs(pair) == needs.score_bound(pair) == ""


def test_suitable_bits_and_axes_of_unknown_encodings():
    suited = encodings.find("binary").suggest_parameters
    for positions, dim in ((range(1), 1), (range(2), 1), (range(9), 4), (range(-9, 3), 4)):
        assert suited(positions) == {"dim": dim}
    alibi, unknown = sample("alibi"), Unknown("new", {}, "late")
    for e, rows, columns in ((alibi, "offset", "head"), (unknown, "position", "dimension")):
        assert [axis.name for axis in find_axes(e)] == [rows, columns]


def test_the_reason_for_a_layer_without_encoding_names_the_field():
    sizes = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    kinds = ["full_attention", "unheard_of"]
    read = encodings.read_config({**sizes, "num_hidden_layers": 2, "layer_types": kinds})
    assert list(read.encodings) == ["full_attention"]
    assert "layer_types" in read.unavailable_reason("unheard_of")
    assert "layer_types" in read.unavailable_reason()
    assert (
        read.unavailable_reason("full_attention")
        == encodings.read_config(sizes).unavailable_reason()
    )
    kinds = ["full_attention", "sliding_attention"]
    same = encodings.read_config({**sizes, "num_hidden_layers": 2, "layer_types": kinds})
    assert list(same.encodings) == ["all"]


def test_names_of_schemes_are_spelled_as_in_papers():
    for name, called, title in (("alibi", "ALiBi", "ALiBi"), ("binary", "binary", "Binary")):
        assert (sample(name).format_name(), sample(name).title()) == (called, title)


def test_unknown_encodings_cannot_be_computed():
    known = sample("index")
    assert require_known(known) is known
    for remedy, problem in (("wait", "it is late. Wait."), ("", "it is late")):
        e = Unknown("new  one", {}, "it is late", remedy)
        with pytest.raises(EncodingError) as caught:
            require_known(e, "pin")
        assert (caught.value.name, caught.value.problem) == ("pin", problem)
        assert e.format_name() == e.label == "new one"
    assert Unknown(" ", {}, "").label == "' '"
