"""What is needed is asked of the value: a sentence, or nothing."""

import pytest

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError, Unknown, axes_of, require_known
from pe_explorer.encodings.abilities import needs
from tests.support.oracles import definition
from tests.support.samples import sample, samples, variations

NEEDS = [needs.waves, needs.steady, needs.pairs, needs.float32_angles, needs.rotary, needs.bias]


@pytest.mark.parametrize("name", encodings.names())
def test_what_an_encoding_can_do(name):
    for e in variations(name):
        met = {need.__name__ for need in NEEDS if need(e) == ""}
        assert met == definition(e).abilities, e
        assert needs.nothing(e) == ""


@pytest.mark.parametrize("need", NEEDS)
def test_a_lack_is_one_sentence_that_names_the_encoding(need):
    for e in samples():
        if sentence := need(e):
            assert e.display_name() in sentence
            assert "\n" not in sentence


def test_why_there_is_no_clock_names_what_is_alone():
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


def test_bits_that_suit_positions_and_axes_of_what_is_not_known():
    suited = encodings.find("binary").suited
    for positions, dim in ((range(1), 1), (range(2), 1), (range(9), 4), (range(-9, 3), 4)):
        assert suited(positions) == {"dim": dim}
    alibi, unknown = sample("alibi"), Unknown("new", {}, "late")
    for e, rows, columns in ((alibi, "offset", "head"), (unknown, "position", "dimension")):
        assert [axis.name for axis in axes_of(e)] == [rows, columns]


def test_why_layers_have_no_encoding_names_the_field():
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


def test_schemes_are_called_as_the_field_writes_them():
    for name, called, title in (("alibi", "ALiBi", "ALiBi"), ("binary", "binary", "Binary")):
        assert (sample(name).display_name(), sample(name).title()) == (called, title)


def test_what_is_not_known_cannot_be_computed_and_says_what_helps():
    known = sample("index")
    assert require_known(known) is known
    for remedy, problem in (("wait", "it is late; wait"), ("", "it is late")):
        e = Unknown("new  one", {}, "it is late", remedy)
        with pytest.raises(EncodingError) as caught:
            require_known(e, "pin")
        assert (caught.value.name, caught.value.problem) == ("pin", problem)
        assert e.display_name() == e.label == "new one"
    assert Unknown(" ", {}, "").label == "' '"
