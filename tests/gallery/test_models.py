"""Published models: each from a configuration with a source, read as any other is."""

import re

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.layer_types import model_exploration
from pe_explorer.gallery import models
from pe_explorer.params import ParameterError
from tests.configs.support import fields_of

MODELS = sorted(path.stem for path in asset("models").iterdir())


def test_every_file_is_listed_and_every_name_has_its_file():
    assert sorted(models.models()) == MODELS
    assert len({model.title for model in models.models().values()}) == len(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_it_names_its_source_and_is_what_its_configuration_opens_as(name):
    model = models.find(name)
    assert set(model.document) == {"source", "date", "config"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", model.document["date"])
    assert "made-up" not in model.document["source"]
    assert model.config == fields_of(model.name)
    found = encodings.read_config(model.config)
    expected = pictures.with_options(model_exploration(found), "context", trained=found.trained)
    assert (model.exploration, model.exploration.opened.name) == (expected, model.title)
    assert model.encoding == model.exploration.encoding
    assert model.matches(model.exploration.with_(position=7))
    for other in (Exploration(), model.exploration.with_(start=7)):
        assert not model.matches(other)
    assert {finding.level for finding in model.found.findings} <= {"note"}  # nothing misleads


def test_a_name_that_is_none_is_refused_with_the_nearest():
    with pytest.raises(ParameterError, match=r"'gpt-oss-20'.*'gpt-oss-20b'"):
        models.find("gpt-oss-20")


def test_nothing_is_read_before_it_is_asked_for():
    models.models.cache_clear()
    try:
        for model in models.models().values():
            assert not {"document", "found", "exploration", "encoding"} & set(vars(model))
    finally:
        models.models.cache_clear()
