"""`resources/classes.json`: every entry has a source and a date, and says what the reader knows."""

import json
import re

from pe_explorer.assets import asset
from pe_explorer.configs import SEMANTICS
from pe_explorer.configs.classes import FILE, ModelClass, class_of

ENTRIES = json.loads(asset(FILE).read_text(encoding="utf-8"))["classes"]
SCHEMES = {"rope", "alibi", "learned", "sinusoidal", "none", "other"}
RULES = {"all", "every", "late", "alternate", "no_rope_layers"}


def test_entries():
    plain = ModelClass("")
    for name, entry in ENTRIES.items():
        assert not re.search(r"https?:", json.dumps(entry)), name
        same = [key for key, value in entry.items() if getattr(plain, key, ...) == value]
        assert same == [], f"{name}: a default is written twice"
        for rules in SEMANTICS.values():
            cls = class_of(name, rules)
            assert cls.known, name
            assert cls.scheme in SCHEMES, name
            assert cls.rule in RULES, name
            assert cls.layout in ("half", "interleaved"), name
            assert f"{name}_text" in ENTRIES or class_of(f"{name}_text", rules) == cls, name
            assert cls.why or cls.scheme != "other", name
            assert not cls.inner or class_of(cls.inner_type, rules).known, name


def test_an_unknown_class_takes_nothing():
    cls = class_of("unheard-of", SEMANTICS["5"])
    assert cls == ModelClass("unheard-of", known=False)
