"""What is needed is asked of the value: a sentence, or nothing."""

import pytest

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError, Unknown, require_known
from pe_explorer.encodings.abilities import needs
from tests.support.oracles import definition
from tests.support.samples import sample, samples, variations

NEEDS = [needs.waves, needs.pairs, needs.float32_angles, needs.rotary, needs.bias]


@pytest.mark.parametrize("name", encodings.names())
def test_what_an_encoding_can_do(name):
    for e in variations(name):
        met = {need.__name__ for need in NEEDS if not need(e)}
        assert met == definition(e).abilities, e
        assert needs.nothing(e) == ""


@pytest.mark.parametrize("need", NEEDS)
def test_a_lack_is_one_sentence_that_names_the_encoding(need):
    for e in samples():
        if sentence := need(e):
            assert e.called() in sentence
            assert "\n" not in sentence


def test_schemes_are_called_as_the_field_writes_them():
    for name, called, title in (("alibi", "ALiBi", "ALiBi"), ("binary", "binary", "Binary")):
        assert (sample(name).called(), sample(name).title()) == (called, title)


def test_what_is_not_known_cannot_be_computed_and_says_what_helps():
    known = sample("index")
    assert require_known(known) is known
    for remedy, problem in (("wait", "it is late; wait"), ("", "it is late")):
        e = Unknown("new  one", {}, "it is late", remedy)
        with pytest.raises(EncodingError) as caught:
            require_known(e, "pin")
        assert (caught.value.name, caught.value.problem) == ("pin", problem)
        assert e.called() == e.label == "new one"
    assert Unknown(" ", {}, "").label == "' '"
