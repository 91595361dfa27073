"""What is added to attention scores."""

import tracemalloc

import numpy as np

from pe_explorer import quantities
from tests.support.samples import sample
from tests.support.wanted import BIAS, Written


class Definition(Written):
    needs = BIAS

    @staticmethod
    def check(found, defined, positions):
        np.testing.assert_allclose(found, defined.rows(positions).T, rtol=1e-15, atol=1e-15)


def test_long_biases_are_made_in_parts():
    e = sample("alibi", heads=3)
    offsets = range(-300_000, 1)
    data, out = quantities.of("bias", e, offsets), np.empty((3, 300_001))
    tracemalloc.start()
    try:
        data.fill(data.index, out)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(out, e.bias(offsets))
    assert most < out.nbytes
    assert [*data.titles()] == ["head", *map(str, offsets)]


def test_biases_of_some_heads_are_made_alone(monkeypatch):
    """Files are written in blocks of heads: each time all heads were made."""
    e, made = sample("alibi", heads=12), []
    for method in ("_fill", "_fill_heads"):
        original = getattr(type(e), method)

        def counting(self, *arguments, original=original):
            made.append(arguments[-1].size)
            original(self, *arguments)

        monkeypatch.setattr(type(e), method, counting)
    data = quantities.of("bias", e, range(-500, 1))
    for head in data.index:
        data.fill(range(head, head + 1), np.empty((1, 501)))
    assert sum(made) == 12 * 501
