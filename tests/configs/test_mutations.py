"""Real configurations with one value changed: each is read, or refused in one line."""

import copy
import json
import random

import pytest

from pe_explorer.analysis.configuration import check
from pe_explorer.commandline.check import lines
from pe_explorer.commandline.check_json import CheckedFile, as_json
from pe_explorer.encodings import EncodingError
from tests.configs.support import NAMES, fields_of

VALUES = (
    *(None, True, False, 0, 1, -1, 33, 0.5, 1e308, -1e-320, 10**30, float("inf"), float("nan")),
    *("", "foo", "yarn", [], [None], [None, None], [[]], [{}], [1, 2], ["foo"], [True, None]),
    *({}, {"a": None}, {"rope_type": None}, {"full_attention": None}, {"factor": []}),
    {"full_attention": {"rope_type": "yarn"}},
)
OTHER_NAMES = (
    *("layer_types", "no_rope_layers", "rope_scaling", "rope_parameters", "text_config"),
    *("head_dim", "partial_rotary_factor", "sliding_window", "attn_config", "dtype", "alibi"),
)


def places(document):
    """Yield each object of a document, and a name to change in it."""
    for name, value in list(document.items()):
        yield document, name
        if isinstance(value, dict):
            yield from places(value)
        if isinstance(value, list) and value:
            yield value, len(value) - 1


@pytest.mark.parametrize("seed", range(40))
def test_no_value_ends_in_an_internal_error(seed):
    numbers = random.Random(seed)
    for _ in range(20):
        document = copy.deepcopy(fields_of(numbers.choice(NAMES)))
        target, name = numbers.choice([*places(document), *((document, n) for n in OTHER_NAMES)])
        target[name] = copy.deepcopy(numbers.choice(VALUES))
        version = numbers.choice(("4.46", "4.52", "4.57", "5"))
        try:
            found = check(document, version)
            file = CheckedFile("config.json", "config.json", b"", [found])
            json.dumps(as_json(file, None, None), allow_nan=False)
            printed = list(lines("config.json", [found]))
        except EncodingError as error:
            printed = [str(error)]
        assert all("\n" not in line for line in printed), name
