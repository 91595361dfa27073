"""Published models and their configurations."""

import re

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.assets import find_asset
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.layer_types import make_model_exploration
from pe_explorer.gallery import models
from pe_explorer.params import ParameterError
from tests.configs.support import fields_of

MODELS = sorted(path.stem for path in find_asset("models").iterdir())


def test_every_model_file_is_listed():
    assert sorted(models.models()) == MODELS
    assert len({model.title for model in models.models().values()}) == len(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_models_open_as_their_configurations(name):
    model = models.find(name)
    assert set(model.document) == {"source", "date", "config"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", model.document["date"])
    assert "made-up" not in model.document["source"]
    assert model.config == fields_of(model.name)
    actual = encodings.read_config(model.config)
    expected = pictures.with_options(
        make_model_exploration(actual), "context", trained=actual.trained
    )
    assert (model.exploration, model.exploration.opened.name) == (expected, model.title)
    assert model.encoding == model.exploration.encoding
    assert model.matches(model.exploration.with_(position=7))
    for other in (Exploration(), model.exploration.with_(start=7)):
        assert not model.matches(other)
    assert {finding.level for finding in model.configuration.findings} <= {
        "note"
    }  # there are only notes


def test_unknown_models_are_refused_with_a_suggestion():
    with pytest.raises(ParameterError, match=r"'gpt-oss-20'.*'gpt-oss-20b'"):
        models.find("gpt-oss-20")


def test_models_are_read_lazily():
    models.models.cache_clear()
    try:
        for model in models.models().values():
            assert not {"document", "found", "exploration", "encoding"} & set(vars(model))
    finally:
        models.models.cache_clear()
