"""Schemes of a test's own, beside those of the program or in their place."""

from pe_explorer import encodings


def use_schemes(monkeypatch, **schemes):
    monkeypatch.setattr(encodings, "_schemes", lambda: schemes)


def add_scheme(monkeypatch, scheme):
    present = {name: encodings.find(name) for name in encodings.names()}
    use_schemes(monkeypatch, **present, **{scheme.name: scheme})
