"""`resources/classes.json`: every entry has a source and a date, and says what the reader knows."""

import json
import re

from pe_explorer.assets import asset
from pe_explorer.configs import SEMANTICS
from pe_explorer.configs.classes import FILE, ModelClass, class_of
from tests.support.cases import for_each

ENTRIES = json.loads(asset(FILE).read_text(encoding="utf-8"))["classes"]
SCHEMES = {"rope", "alibi", "learned", "sinusoidal", "none", "other"}
RULES = {"all", "every", "late", "alternate", "no_rope_layers"}


@for_each("name", ENTRIES)
def test_entries(name):
    entry = ENTRIES[name]
    assert not re.search(r"https?:", json.dumps(entry))
    for rules in SEMANTICS.values():
        cls = class_of(name, rules)
        assert cls.known
        assert cls.scheme in SCHEMES
        assert cls.rule in RULES
        assert cls.layout in ("half", "interleaved")
        if f"{name}_text" not in ENTRIES:
            assert class_of(f"{name}_text", rules) == cls
        if cls.scheme == "other":
            assert cls.why
        if cls.inner:
            assert class_of(cls.inner_type, rules).known


def test_an_unknown_class_takes_nothing():
    cls = class_of("unheard-of", SEMANTICS["5"])
    assert cls == ModelClass("unheard-of", known=False)


@for_each("name", ENTRIES)
def test_defaults_are_not_written_twice(name):
    entry = ENTRIES[name]
    plain = ModelClass("")
    same = [key for key, value in entry.items() if getattr(plain, key, ...) == value]
    assert same == []
